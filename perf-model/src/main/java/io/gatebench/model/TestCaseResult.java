/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.model;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The outcome of one execution of a test case.
 *
 * @since 0.1
 */
public sealed interface TestCaseResult {

    /** Returns the test case. */
    TestCase testCase();

    /** Returns which repeat of the case this is, from 1. */
    int repeat();

    /** Returns what the function for this case makes of it; a further case would break its callers' compilation. */
    default <T> T fold(
            Function<Completed, ? extends T> completed,
            Function<Failed, ? extends T> failed,
            Function<Skipped, ? extends T> skipped) {
        if (this instanceof Completed c) {
            return completed.apply(c);
        }
        if (this instanceof Failed f) {
            return failed.apply(f);
        }
        return skipped.apply((Skipped) this);
    }

    /** Returns the result without the series of its loads: what its tables need, however long the test was. */
    default TestCaseResult withoutSeries() {
        return fold(Completed::withoutSeries, Failed::withoutSeries, skipped -> skipped);
    }

    /**
     * The case was measured.
     *
     * @param testCase the test case
     * @param repeat which repeat, from 1
     * @param started when its processes were started
     * @param ended when they had stopped
     * @param load what the load generator measured
     * @param control the same load straight at the back end, if it was run
     * @param processes every process of the case
     * @param probes the answers to the probes
     * @param facts further facts about the run that are only shown, e.g. {@code gateway.url}, {@code footprint.kind}
     * @param backend what the run's own back end has counted during the load, if it was asked
     * @param clockOffsets how far the clocks of hosts are ahead of the one of the orchestrator's machine, by host; of that
     *     machine itself how far its clock was set during the case
     * @param processors the processors that roles had for themselves; roles that are missing shared those of their machine
     * @param jvm what the JVM of the gateway says it has, if it is one and says so
     */
    record Completed(
            TestCase testCase,
            int repeat,
            Instant started,
            Instant ended,
            LoadResult load,
            Optional<LoadResult> control,
            List<ProcessReport> processes,
            List<ProbeOutcome> probes,
            Map<String, String> facts,
            Optional<BackendTraffic> backend,
            Map<String, Duration> clockOffsets,
            Map<NodeRole, List<Integer>> processors,
            Optional<JvmResources> jvm)
            implements TestCaseResult {

        /** Copies the collections. */
        public Completed {
            processes = List.copyOf(processes);
            probes = List.copyOf(probes);
            facts = Map.copyOf(facts);
            clockOffsets = Map.copyOf(clockOffsets);
            processors = Map.copyOf(processors);
        }

        /** Creates a result of which nothing is known beyond load, processes and probes. */
        public Completed(
                TestCase testCase,
                int repeat,
                Instant started,
                Instant ended,
                LoadResult load,
                Optional<LoadResult> control,
                List<ProcessReport> processes,
                List<ProbeOutcome> probes,
                Map<String, String> facts) {
            this(
                    testCase,
                    repeat,
                    started,
                    ended,
                    load,
                    control,
                    processes,
                    probes,
                    facts,
                    Optional.empty(),
                    Map.of(),
                    Map.of(),
                    Optional.empty());
        }

        @Override
        public Completed withoutSeries() {
            return new Completed(
                    testCase,
                    repeat,
                    started,
                    ended,
                    load.withoutSeries(),
                    control.map(LoadResult::withoutSeries),
                    processes,
                    probes,
                    facts,
                    backend,
                    clockOffsets,
                    processors,
                    jvm);
        }
    }

    /**
     * The case was tried and has no figures to publish.
     *
     * @param testCase the test case
     * @param repeat which repeat, from 1
     * @param started when its processes were started
     * @param ended when they had stopped
     * @param reason the kind of failure
     * @param detail what happened, in one or more sentences
     * @param load what had been measured until then, if anything
     * @param processes the processes that were started
     * @param probes the answers to the probes, as far as they were sent
     * @param firstAnswers the first answers of the server, as far as there were any
     */
    record Failed(
            TestCase testCase,
            int repeat,
            Instant started,
            Instant ended,
            FailureReason reason,
            String detail,
            Optional<LoadResult> load,
            List<ProcessReport> processes,
            List<ProbeOutcome> probes,
            List<ResponseExcerpt> firstAnswers)
            implements TestCaseResult {

        /** Copies the collections. */
        public Failed {
            processes = List.copyOf(processes);
            probes = List.copyOf(probes);
            firstAnswers = List.copyOf(firstAnswers);
        }

        @Override
        public Failed withoutSeries() {
            return new Failed(
                    testCase,
                    repeat,
                    started,
                    ended,
                    reason,
                    detail,
                    load.map(LoadResult::withoutSeries),
                    processes,
                    probes,
                    firstAnswers);
        }
    }

    /**
     * The case was not tried.
     *
     * @param testCase the test case
     * @param repeat which repeat, from 1
     * @param why the reason, e.g. {@code interrupted}
     */
    record Skipped(TestCase testCase, int repeat, String why) implements TestCaseResult {}
}
