/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.judge;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import io.gatebench.model.BackendTraffic;
import io.gatebench.model.LoadGeneratorHealth;
import io.gatebench.model.LoadResult;
import io.gatebench.model.MeasuredValue;
import io.gatebench.model.TestCaseResult;
import io.gatebench.report.SampleRuns;
import io.gatebench.report.verdict.Finding;
import io.gatebench.report.verdict.Level;
import io.gatebench.report.verdict.Rule;
import io.gatebench.report.verdict.RunRules;

class TrafficVerdictsTest {

    /** Warm-up and window have 50,000 samples each. */
    private static final long SAMPLES = 100_000;

    private static List<Finding> judged(
            Rule rule, @Nullable BackendTraffic backend, LoadResult.@Nullable SideProbes probes, double opened) {
        TestCaseResult.Completed run = SampleRuns.completed(SampleRuns.testCase("passthrough", 50, 50), 1000, 0);
        LoadResult load = run.load();
        LoadGeneratorHealth health = load.health();
        LoadResult connected = new LoadResult(
                load.started(),
                load.window(),
                load.warmUp(),
                load.measurement(),
                load.corrected(),
                load.series(),
                new LoadGeneratorHealth(
                        health.cpuOfMachinePercent(),
                        health.gcPauseMillis(),
                        health.schedulingDelayP99Millis(),
                        health.schedulingDelayMaxMillis(),
                        MeasuredValue.of(opened),
                        false,
                        List.of()),
                load.failures(),
                load.firstFailures(),
                load.open(),
                load.aborted(),
                load.facts());
        return RunRules.judge(new TestCaseResult.Completed(
                        run.testCase(),
                        1,
                        run.started(),
                        run.ended(),
                        SampleRuns.told(connected, Optional.empty(), Optional.empty(), Optional.ofNullable(probes)),
                        Optional.empty(),
                        List.of(),
                        List.of(),
                        Map.of(),
                        Optional.ofNullable(backend),
                        Map.of(),
                        Map.of(),
                        Optional.empty()))
                .stream()
                .filter(finding -> finding.rule() == rule)
                .toList();
    }

    private static List<Finding> passed(long requests, long requestsPerSample) {
        return judged(
                Rule.NOT_PASSED_THROUGH, new BackendTraffic(requests, requestsPerSample, Optional.empty()), null, 50);
    }

    private static List<Finding> bodies(Rule rule, long requests, long bytes, boolean rebuilt) {
        return judged(
                rule,
                new BackendTraffic(requests, 1, Optional.of(new BackendTraffic.Bodies(bytes, 1024, rebuilt))),
                null,
                50);
    }

    @Test
    void requestsThatTheBackEndDidNotGetMakeARowInvalid() {
        assertThat(passed(0, 1))
                .containsExactly(new Finding(
                        Rule.NOT_PASSED_THROUGH,
                        Level.INVALID,
                        "the back end got 0 requests for 100000 that were answered rightly"));
        // Of the window's 50,000 samples 51 are more than 0.1 %, and 50 are not.
        assertThat(passed(SAMPLES - 51, 1)).hasSize(1);
        assertThat(passed(SAMPLES - 50, 1)).isEmpty();
        assertThat(passed(SAMPLES, 1)).isEmpty();
        assertThat(judged(Rule.NOT_PASSED_THROUGH, null, null, 50)).isEmpty();
    }

    @Test
    void aBackEndThatGotWhatTheClientsSentShowsThatNothingWasMediated() {
        assertThat(bodies(Rule.NOT_MEDIATED, SAMPLES, SAMPLES * 1024, true))
                .containsExactly(new Finding(
                        Rule.NOT_MEDIATED,
                        Level.INVALID,
                        "the back end got " + SAMPLES * 1024 + " bytes in " + SAMPLES
                                + " requests, as the clients sent them"));
        assertThat(bodies(Rule.NOT_MEDIATED, SAMPLES, SAMPLES * 1020, true)).isEmpty();
    }

    @Test
    void copiesAreCounted() {
        assertThat(passed(SAMPLES, 4)).hasSize(1);
        assertThat(passed(4 * SAMPLES, 4)).isEmpty();
    }

    @Test
    void bodiesOfEchoesAreHeldToo() {
        assertThat(bodies(Rule.NOT_PASSED_THROUGH, SAMPLES, SAMPLES * 1024, false))
                .isEmpty();
        assertThat(bodies(Rule.NOT_PASSED_THROUGH, SAMPLES, SAMPLES * 1000, false))
                .singleElement()
                .satisfies(finding -> assertThat(finding.level()).isEqualTo(Level.INVALID));
        assertThat(bodies(Rule.NOT_PASSED_THROUGH, 2 * SAMPLES, SAMPLES * 1024, false))
                .singleElement()
                .satisfies(finding -> assertThat(finding.level()).isEqualTo(Level.DOUBTFUL));
    }

    @Test
    void wrongAnswersToProbesDuringTheLoadMakeARowInvalid() {
        assertThat(judged(
                        Rule.PROBE,
                        null,
                        new LoadResult.SideProbes(
                                104, 3, Optional.of("no token: expected status [401, 403], got status 200")),
                        50))
                .containsExactly(new Finding(
                        Rule.PROBE,
                        Level.INVALID,
                        "3 of 104 probes during the load were answered wrongly, the first: no token: expected status"
                                + " [401, 403], got status 200"));
        assertThat(judged(Rule.PROBE, null, new LoadResult.SideProbes(104, 0, Optional.empty()), 50))
                .isEmpty();
    }

    @Test
    void connectionsThatAreNotKeptMakeARowDoubtful() {
        assertThat(judged(Rule.CONNECTIONS, null, null, SAMPLES))
                .containsExactly(new Finding(
                        Rule.CONNECTIONS, Level.DOUBTFUL, "100000 connections were opened for 100000 requests"));
        assertThat(judged(Rule.CONNECTIONS, null, null, 50 + SAMPLES / 100)).isEmpty();
        assertThat(judged(Rule.CONNECTIONS, null, null, 51 + SAMPLES / 100)).hasSize(1);
    }
}
