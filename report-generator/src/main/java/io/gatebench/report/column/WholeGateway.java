/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.column;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

import io.gatebench.model.GcSummary;
import io.gatebench.model.HostMetric;
import io.gatebench.model.MeasuredValue;
import io.gatebench.model.NodeRole;
import io.gatebench.model.ProcessReport;

/**
 * Gateway of a case as the columns show it: its process, or what its replicas come to together.
 *
 * <p>Of replicas, what adds up is added up; of throttling the largest figure is taken; collections are those of the
 * replica with the lowest GC throughput. Whatever is neither is absent, as is a figure that one of them lacks: that of
 * another one would pass for the figure of all.
 *
 * @since 0.1
 */
public final class WholeGateway {

    private WholeGateway() {}

    /** Returns the name of one of several replicas, which are counted from 1. */
    public static String replica(String gateway, int number) {
        return gateway + " " + number;
    }

    /** Returns the gateway among the processes of a case, if it was one of them. */
    public static Optional<ProcessReport> of(List<ProcessReport> processes) {
        List<ProcessReport> replicas = replicas(processes);
        return replicas.size() < 2 ? replicas.stream().findFirst() : Optional.of(together(replicas));
    }

    /** Returns what a reader of the columns of several replicas must know; empty for one gateway. */
    public static Optional<String> remark(List<ProcessReport> processes) {
        List<ProcessReport> replicas = replicas(processes);
        if (replicas.size() < 2) {
            return Optional.empty();
        }
        return Optional.of(replicas.size() + " replicas: CPU time, memory and network are sums, throttling the largest"
                + worst(replicas)
                        .map(worst -> ", GC that of " + worst.name() + ", whose GC throughput is the lowest")
                        .orElse(""));
    }

    private static List<ProcessReport> replicas(List<ProcessReport> processes) {
        return processes.stream()
                .filter(process -> process.role() == NodeRole.GATEWAY)
                .toList();
    }

    private static ProcessReport together(List<ProcessReport> replicas) {
        ProcessReport first = replicas.get(0);
        Optional<ProcessReport> worst = worst(replicas);
        List<String> notes = new ArrayList<>();
        replicas.forEach(replica -> replica.notes().forEach(note -> notes.add(replica.name() + ": " + note)));
        return new ProcessReport(
                NodeRole.GATEWAY,
                first.name().replaceFirst(" 1$", ""),
                replicas.stream().map(ProcessReport::host).collect(Collectors.joining(", ")),
                first.command(),
                first.heap(),
                worst.orElse(first).directory(),
                worst.flatMap(ProcessReport::gc),
                worst.flatMap(ProcessReport::gcInWindow),
                metrics(replicas),
                notes);
    }

    /** A log that is missing, or does not tell, may be that of the worst. */
    private static Optional<ProcessReport> worst(List<ProcessReport> replicas) {
        return replicas.stream().allMatch(replica -> replica.gc().isPresent())
                ? replicas.stream().min(Comparator.comparingDouble(WholeGateway::gcThroughput))
                : Optional.empty();
    }

    private static double gcThroughput(ProcessReport replica) {
        GcSummary gc = replica.gcInWindow().or(replica::gc).orElseThrow();
        return gc.exact().gcThroughputPercent().value().orElse(-1);
    }

    private static Map<String, MeasuredValue> metrics(List<ProcessReport> replicas) {
        Set<String> names = new TreeSet<>();
        replicas.forEach(replica -> names.addAll(replica.hostMetrics().keySet()));
        Map<String, MeasuredValue> metrics = new LinkedHashMap<>();
        for (String name : names) {
            List<MeasuredValue> figures = replicas.stream()
                    .map(replica -> replica.hostMetrics()
                            .getOrDefault(name, MeasuredValue.absent(replica.name() + " has no such figure")))
                    .toList();
            metrics.put(
                    name,
                    switch (HostMetric.of(name).map(HostMetric::ofReplicas).orElse(HostMetric.OfReplicas.NONE)) {
                        case SUM -> joined(figures, values -> values.sum());
                        case LARGEST -> joined(figures, values -> values.max().orElseThrow());
                        case NONE ->
                            MeasuredValue.absent(
                                    "the figures of " + replicas.size() + " replicas do not add up; each has its own");
                    });
        }
        return metrics;
    }

    private static MeasuredValue joined(List<MeasuredValue> figures, ToDoubleFunction<DoubleStream> how) {
        return figures.stream()
                .filter(figure -> figure.value().isEmpty())
                .findFirst()
                .orElseGet(() -> MeasuredValue.of(how.applyAsDouble(
                        figures.stream().map(MeasuredValue::value).mapToDouble(OptionalDouble::orElseThrow))));
    }
}
