/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.verdict;

import static io.gatebench.report.verdict.Text.number;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.gatebench.model.LoadResult;
import io.gatebench.model.SampleStatistics;
import io.gatebench.model.TestCaseResult;

/** The rules about requests that went elsewhere than through the gateway to the back end and back. */
final class TrafficRules {

    private final TestCaseResult.Completed result;
    private final LoadResult load;
    private final long samples;
    private final long successes;
    private final long ofWindow;
    private final List<Finding> findings = new ArrayList<>();

    private TrafficRules(TestCaseResult.Completed result) {
        this.result = result;
        this.load = result.load();
        this.samples = all().mapToLong(SampleStatistics::samples).sum();
        this.successes = samples - all().mapToLong(SampleStatistics::errors).sum();
        this.ofWindow = load.measurement().stream()
                .mapToLong(label -> label.samples() - label.errors())
                .sum();
    }

    static List<Finding> judge(TestCaseResult.Completed result) {
        TrafficRules rules = new TrafficRules(result);
        rules.probes();
        rules.passedThrough();
        rules.connections();
        return rules.findings;
    }

    private Stream<SampleStatistics> all() {
        return Stream.concat(load.warmUp().stream(), load.measurement().stream());
    }

    private void probes() {
        long wrong = fact(LoadResult.PROBES_WRONG).orElse(0);
        if (wrong > 0) {
            add(
                    Rule.PROBE,
                    Level.INVALID,
                    wrong + " of " + load.facts().getOrDefault(LoadResult.PROBES_SENT, "?")
                            + " probes during the load were answered wrongly"
                            + Optional.ofNullable(load.facts().get(LoadResult.PROBES_FIRST_WRONG))
                                    .map(first -> ", the first: " + first)
                                    .orElse(""));
        }
    }

    /** What the back end has counted are facts of the result, {@code backend.*}. */
    private void passedThrough() {
        OptionalLong requests = runFact("backend.requests");
        if (requests.isEmpty() || ofWindow == 0) {
            return;
        }
        long each = runFact("backend.requests.per.sample").orElse(1);
        long got = requests.getAsLong();
        double missing = 100.0 * (successes * each - got) / (ofWindow * each);
        add(
                Rule.NOT_PASSED_THROUGH,
                missing > Rule.NOT_PASSED_THROUGH.invalid().orElseThrow() ? Level.INVALID : Level.VALID,
                "the back end got " + got + " requests for " + successes * each + " that were answered rightly");
        OptionalLong bytes = runFact("backend.request.bytes");
        OptionalLong unmediated = runFact("backend.request.bytes.unmediated");
        if (bytes.isPresent() && unmediated.orElse(0) > 0) {
            double changed = 100.0 * Math.abs(bytes.getAsLong() - unmediated.getAsLong()) / unmediated.getAsLong();
            add(
                    Rule.NOT_MEDIATED,
                    changed < Rule.NOT_MEDIATED.invalid().orElseThrow() ? Level.INVALID : Level.VALID,
                    "the back end got " + bytes.getAsLong() + " bytes in " + got
                            + " requests, as the clients sent them");
        }
        OptionalLong sent = runFact("backend.request.bytes.per.sample");
        if (bytes.isEmpty() || sent.isEmpty()) {
            return;
        }
        double expected = (double) successes * sent.getAsLong();
        if (missing <= Rule.NOT_PASSED_THROUGH.invalid().orElseThrow() && expected > 0) {
            double cut = 100.0 * (expected - bytes.getAsLong()) / (ofWindow * sent.getAsLong());
            add(
                    Rule.NOT_PASSED_THROUGH,
                    cut > Rule.NOT_PASSED_THROUGH.invalid().orElseThrow() ? Level.INVALID : Level.VALID,
                    "the back end got bodies of " + bytes.getAsLong() + " bytes for " + (long) expected
                            + " bytes that came back");
        }
        double further = 100.0 * (got - samples) / samples;
        add(
                Rule.NOT_PASSED_THROUGH,
                further > Rule.NOT_PASSED_THROUGH.doubtful().orElseThrow() ? Level.DOUBTFUL : Level.VALID,
                "the back end got " + got + " requests for " + samples + " that were sent");
    }

    private void connections() {
        OptionalDouble opened = load.health().connectionsOpened().value();
        if (opened.isEmpty() || samples == 0) {
            return;
        }
        double again = 100 * (opened.getAsDouble() - result.testCase().users()) / samples;
        add(
                Rule.CONNECTIONS,
                Rule.CONNECTIONS.levelOf(again),
                number(opened.getAsDouble()) + " connections were opened for " + samples + " requests");
    }

    private OptionalLong fact(String name) {
        return whole(load.facts().get(name));
    }

    private OptionalLong runFact(String name) {
        return whole(result.facts().get(name));
    }

    private static OptionalLong whole(@Nullable String text) {
        try {
            return text == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(text));
        } catch (NumberFormatException e) {
            return OptionalLong.empty();
        }
    }

    private void add(Rule rule, Level level, String text) {
        if (level != Level.VALID) {
            findings.add(new Finding(rule, level, text));
        }
    }
}
