/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.verdict;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Stream;

import io.gatebench.model.BackendTraffic;
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
        if (rules.ofWindow > 0) {
            result.backend().ifPresent(rules::passedThrough);
        }
        rules.connections();
        return rules.findings;
    }

    private Stream<SampleStatistics> all() {
        return Stream.concat(load.warmUp().stream(), load.measurement().stream());
    }

    private void probes() {
        load.probes()
                .filter(probes -> probes.wrong() > 0)
                .ifPresent(probes -> add(
                        Rule.PROBE,
                        Level.INVALID,
                        probes.wrong() + " of " + probes.sent() + " probes during the load were answered wrongly"
                                + probes.firstWrong()
                                        .map(first -> ", the first: " + first)
                                        .orElse("")));
    }

    private void passedThrough(BackendTraffic traffic) {
        long each = traffic.requestsPerSample();
        long got = traffic.requests();
        double missing = 100.0 * (successes * each - got) / (ofWindow * each);
        add(
                Rule.NOT_PASSED_THROUGH,
                missing > Rule.NOT_PASSED_THROUGH.invalid().orElseThrow() ? Level.INVALID : Level.VALID,
                "the back end got " + got + " requests for " + successes * each + " that were answered rightly");
        traffic.bodies().ifPresent(bodies -> {
            if (bodies.rebuilt()) {
                mediated(bodies, got);
            } else {
                bodies(bodies, got, missing);
            }
        });
    }

    private void mediated(BackendTraffic.Bodies bodies, long got) {
        long unmediated = got * bodies.payloadBytes();
        if (unmediated > 0) {
            double changed = 100.0 * Math.abs(bodies.bytes() - unmediated) / unmediated;
            add(
                    Rule.NOT_MEDIATED,
                    changed < Rule.NOT_MEDIATED.invalid().orElseThrow() ? Level.INVALID : Level.VALID,
                    "the back end got " + bodies.bytes() + " bytes in " + got + " requests, as the clients sent them");
        }
    }

    private void bodies(BackendTraffic.Bodies bodies, long got, double missing) {
        double expected = (double) successes * bodies.payloadBytes();
        if (missing <= Rule.NOT_PASSED_THROUGH.invalid().orElseThrow() && expected > 0) {
            double cut = 100.0 * (expected - bodies.bytes()) / (ofWindow * bodies.payloadBytes());
            add(
                    Rule.NOT_PASSED_THROUGH,
                    cut > Rule.NOT_PASSED_THROUGH.invalid().orElseThrow() ? Level.INVALID : Level.VALID,
                    "the back end got bodies of " + bodies.bytes() + " bytes for " + (long) expected
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
                (long) opened.getAsDouble() + " connections were opened for " + samples + " requests");
    }

    private void add(Rule rule, Level level, String text) {
        if (level != Level.VALID) {
            findings.add(new Finding(rule, level, text));
        }
    }
}
