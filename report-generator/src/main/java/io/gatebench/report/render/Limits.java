/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.render;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

import io.gatebench.model.GcSummary;
import io.gatebench.model.HostMetric;
import io.gatebench.model.NodeRole;
import io.gatebench.model.ProcessReport;
import io.gatebench.model.TestCaseResult;
import io.gatebench.report.column.Numbers;
import io.gatebench.report.column.WholeGateway;

/** Resources that were full while a case was measured: by the figures of its window alone, and only where they say so. */
final class Limits {

    private static final HostMetric OF_SET = HostMetric.PROCESS_CPU_OF_SET;
    private static final HostMetric SET_IDLE = HostMetric.SET_IDLE;
    private static final HostMetric OF_HOST = HostMetric.PROCESS_CPU_OF_HOST;
    private static final HostMetric HOST_IDLE = HostMetric.CPU_IDLE;
    private static final HostMetric THROTTLED = HostMetric.THROTTLED_TIME;
    private static final double FULL_IDLE_PERCENT = 10;
    private static final double MIN_THROTTLED_PERCENT = 5;
    private static final double MIN_GC_PERCENT = 5;

    private final TestCaseResult.Completed result;

    private Limits(TestCaseResult.Completed result) {
        this.result = result;
    }

    /** Returns the words, and the figures that they are taken from: per role the use of its processors, and GC. */
    static Map<String, Object> of(TestCaseResult.Completed result) {
        Limits limits = new Limits(result);
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("words", limits.words());
        all.put("bars", limits.bars());
        return all;
    }

    private String words() {
        if (result.load().health().saturated()) {
            return "the load generator: "
                    + String.join("; ", result.load().health().reasons());
        }
        Optional<ProcessReport> gateway = WholeGateway.of(result.processes());
        OptionalDouble throttled =
                gateway.map(process -> process.metric(THROTTLED)).orElse(OptionalDouble.empty());
        if (throttled.orElse(0) >= MIN_THROTTLED_PERCENT) {
            return "the CPU limit of the gateway, held back in " + text(throttled) + " % of the time";
        }
        for (ProcessReport process : result.processes()) {
            OptionalDouble idle = process.metric(SET_IDLE);
            if (idle.isPresent() && idle.getAsDouble() <= FULL_IDLE_PERCENT && isBusiest(process)) {
                return "the processors of the " + Timelines.word(process.role()) + ", idle for " + text(idle) + " %";
            }
        }
        for (ProcessReport process : result.processes()) {
            OptionalDouble idle = process.metric(HOST_IDLE);
            if (idle.isPresent() && idle.getAsDouble() <= FULL_IDLE_PERCENT && isBusiest(process)) {
                return "the processors of " + process.host() + ", idle for " + text(idle) + " %, used most by the "
                        + Timelines.word(process.role());
            }
        }
        OptionalDouble gc = gateway.flatMap(ProcessReport::gcInWindow)
                .map(Limits::gcPercent)
                .orElse(OptionalDouble.empty());
        if (gc.orElse(0) >= MIN_GC_PERCENT) {
            return "garbage collection of the gateway, " + text(gc) + " % of the time";
        }
        return result.processes().stream()
                        .anyMatch(process -> process.metric(HOST_IDLE).isPresent())
                ? "none of these was full: more users, or shorter waits, would bring more"
                : "unknown: no figures of the hosts";
    }

    /** Of the processes on the same processors, the one that used most of them. */
    private boolean isBusiest(ProcessReport process) {
        double own = process.metric(OF_HOST).orElse(0);
        boolean set = process.metric(SET_IDLE).isPresent();
        return result.processes().stream()
                .filter(other -> other.host().equals(process.host()))
                .filter(other -> !set || other.metric(SET_IDLE).equals(process.metric(SET_IDLE)))
                .noneMatch(other -> other.metric(OF_HOST).orElse(0) > own);
    }

    private List<Object> bars() {
        List<Object> bars = new ArrayList<>();
        for (NodeRole role : NodeRole.values()) {
            for (ProcessReport process : result.processes()) {
                if (process.role() == role) {
                    OptionalDouble ofSet = process.metric(OF_SET);
                    OptionalDouble used = ofSet.isPresent() ? ofSet : process.metric(OF_HOST);
                    if (used.isPresent()) {
                        bars.add(List.of(
                                Timelines.word(role),
                                Math.rint(used.getAsDouble() * 10) / 10,
                                ofSet.isPresent() ? "% of its processors" : "% of " + process.host()));
                    }
                }
            }
        }
        WholeGateway.of(result.processes())
                .flatMap(ProcessReport::gcInWindow)
                .map(Limits::gcPercent)
                .flatMap(percent -> percent.stream().boxed().findFirst())
                .ifPresent(percent ->
                        bars.add(List.of("GC of the gateway", Math.rint(percent * 100) / 100, "% of the time")));
        return bars;
    }

    private static OptionalDouble gcPercent(GcSummary gc) {
        OptionalDouble throughput = gc.exact().gcThroughputPercent().value();
        return throughput.isPresent() ? OptionalDouble.of(100 - throughput.getAsDouble()) : OptionalDouble.empty();
    }

    private static String text(OptionalDouble value) {
        return Numbers.text(value.orElse(0), 1);
    }
}
