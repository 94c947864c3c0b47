/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.judge;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.api.Test;

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
            Rule rule, Map<String, String> ofRun, Map<String, String> ofLoad, double opened) {
        TestCaseResult.Completed run =
                SampleRuns.withFacts(SampleRuns.completed(SampleRuns.testCase("passthrough", 50, 50), 1000, 0), ofLoad);
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
                        connected,
                        Optional.empty(),
                        List.of(),
                        List.of(),
                        ofRun))
                .stream()
                .filter(finding -> finding.rule() == rule)
                .toList();
    }

    private static List<Finding> passed(String... facts) {
        Map<String, String> all = new java.util.HashMap<>();
        for (int i = 0; i < facts.length; i += 2) {
            all.put("backend." + facts[i], facts[i + 1]);
        }
        return judged(Rule.NOT_PASSED_THROUGH, all, Map.of(), 50);
    }

    @Test
    void requestsThatTheBackEndDidNotGetMakeARowInvalid() {
        assertThat(passed("requests", "0"))
                .containsExactly(new Finding(
                        Rule.NOT_PASSED_THROUGH,
                        Level.INVALID,
                        "the back end got 0 requests for 100000 that were answered rightly"));
        // Of the window's 50,000 samples 51 are more than 0.1 %, and 50 are not.
        assertThat(passed("requests", String.valueOf(SAMPLES - 51))).hasSize(1);
        assertThat(passed("requests", String.valueOf(SAMPLES - 50))).isEmpty();
        assertThat(passed("requests", String.valueOf(SAMPLES))).isEmpty();
        assertThat(passed()).isEmpty();
    }

    @Test
    void aBackEndThatGotWhatTheClientsSentShowsThatNothingWasMediated() {
        String sent = String.valueOf(SAMPLES * 1024);
        assertThat(judged(
                        Rule.NOT_MEDIATED,
                        Map.of(
                                "backend.requests",
                                String.valueOf(SAMPLES),
                                "backend.request.bytes",
                                sent,
                                "backend.request.bytes.unmediated",
                                sent),
                        Map.of(),
                        50))
                .containsExactly(new Finding(
                        Rule.NOT_MEDIATED,
                        Level.INVALID,
                        "the back end got " + sent + " bytes in " + SAMPLES + " requests, as the clients sent them"));
        assertThat(judged(
                        Rule.NOT_MEDIATED,
                        Map.of(
                                "backend.requests",
                                String.valueOf(SAMPLES),
                                "backend.request.bytes",
                                String.valueOf(SAMPLES * 1020),
                                "backend.request.bytes.unmediated",
                                sent),
                        Map.of(),
                        50))
                .isEmpty();
    }

    @Test
    void copiesAreCounted() {
        assertThat(passed("requests", String.valueOf(SAMPLES), "requests.per.sample", "4"))
                .hasSize(1);
        assertThat(passed("requests", String.valueOf(4 * SAMPLES), "requests.per.sample", "4"))
                .isEmpty();
    }

    @Test
    void bodiesOfEchoesAreHeldToo() {
        String whole = String.valueOf(SAMPLES * 1024);
        assertThat(passed(
                        "requests",
                        String.valueOf(SAMPLES),
                        "request.bytes",
                        whole,
                        "request.bytes.per.sample",
                        "1024"))
                .isEmpty();
        assertThat(passed(
                        "requests",
                        String.valueOf(SAMPLES),
                        "request.bytes",
                        String.valueOf(SAMPLES * 1000),
                        "request.bytes.per.sample",
                        "1024"))
                .singleElement()
                .satisfies(finding -> assertThat(finding.level()).isEqualTo(Level.INVALID));
        assertThat(passed(
                        "requests",
                        String.valueOf(2 * SAMPLES),
                        "request.bytes",
                        whole,
                        "request.bytes.per.sample",
                        "1024"))
                .singleElement()
                .satisfies(finding -> assertThat(finding.level()).isEqualTo(Level.DOUBTFUL));
    }

    @Test
    void wrongAnswersToProbesDuringTheLoadMakeARowInvalid() {
        assertThat(judged(
                        Rule.PROBE,
                        Map.of(),
                        Map.of(
                                LoadResult.PROBES_SENT,
                                "104",
                                LoadResult.PROBES_WRONG,
                                "3",
                                LoadResult.PROBES_FIRST_WRONG,
                                "no token: expected status [401, 403], got status 200"),
                        50))
                .containsExactly(new Finding(
                        Rule.PROBE,
                        Level.INVALID,
                        "3 of 104 probes during the load were answered wrongly, the first: no token: expected status"
                                + " [401, 403], got status 200"));
        assertThat(judged(
                        Rule.PROBE, Map.of(), Map.of(LoadResult.PROBES_SENT, "104", LoadResult.PROBES_WRONG, "0"), 50))
                .isEmpty();
    }

    @Test
    void connectionsThatAreNotKeptMakeARowDoubtful() {
        assertThat(judged(Rule.CONNECTIONS, Map.of(), Map.of(), SAMPLES))
                .containsExactly(new Finding(
                        Rule.CONNECTIONS, Level.DOUBTFUL, "100,000 connections were opened for 100000 requests"));
        assertThat(judged(Rule.CONNECTIONS, Map.of(), Map.of(), 50 + SAMPLES / 100))
                .isEmpty();
        assertThat(judged(Rule.CONNECTIONS, Map.of(), Map.of(), 51 + SAMPLES / 100))
                .hasSize(1);
    }
}
