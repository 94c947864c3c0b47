/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.render;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.DoubleStream;

import org.jspecify.annotations.Nullable;

import io.gatebench.model.HostMetric;
import io.gatebench.model.LoadResult;
import io.gatebench.model.NodeRole;
import io.gatebench.model.ProcessReport;
import io.gatebench.model.SecondOfLoad;

/**
 * Series that the page of a case shows over time, joined to so many points that a page of many cases stays small: sums and means
 * for what is counted, the largest for high percentiles.
 *
 * <p>Each timeline is a map of columns of one length; {@code t} are seconds since the load began.
 */
final class Timelines {

    private static final double KIBIBYTES = 1024;
    private static final String CPU = HostMetric.PROCESS_CPU_OF_HOST.header();
    private static final String RESIDENT = HostMetric.PROCESS_RESIDENT.header();
    private static final List<String> BUSY =
            List.of(HostMetric.CPU_USER.header(), HostMetric.CPU_NICE.header(), HostMetric.CPU_SYSTEM.header());
    private static final String STEAL = HostMetric.CPU_STEAL.header();
    private static final String USED = HostMetric.MEMORY_USED.header();
    private static final String RECEIVED = HostMetric.NETWORK_RECEIVED.header();
    private static final String SENT = HostMetric.NETWORK_TRANSMITTED.header();
    private static final String QUEUE = HostMetric.RUN_QUEUE.header();

    private Timelines() {}

    /**
     * Returns the load: requests, errors and their {@code kinds}, users and response times; {@code every} is how many seconds
     * a point covers.
     */
    static Map<String, Object> load(
            LoadResult load, Map<Integer, TimesFile.Second> times, ErrorsFile errors, int points) {
        List<SecondOfLoad> seconds = load.series();
        int every = every(seconds.size(), points);
        Map<String, List<@Nullable Number>> columns =
                columns("t", "rate", "errors", "users", "mean", "p50", "p99", "max");
        List<@Nullable Number> p90 = new ArrayList<>();
        List<Integer> starts = new ArrayList<>();
        for (int from = 0; from < seconds.size(); from += every) {
            List<SecondOfLoad> part = seconds.subList(from, Math.min(seconds.size(), from + every));
            long samples = part.stream().mapToLong(SecondOfLoad::samples).sum();
            starts.add(part.get(0).second());
            columns.get("t").add(part.get(0).second());
            columns.get("rate").add(number((double) samples / part.size(), 1));
            columns.get("errors")
                    .add(number(part.stream().mapToLong(SecondOfLoad::errors).sum() / (double) part.size(), 2));
            columns.get("users")
                    .add(part.stream().mapToInt(SecondOfLoad::users).max().orElse(0));
            boolean none = samples == 0;
            columns.get("mean")
                    .add(
                            none
                                    ? null
                                    : number(
                                            part.stream()
                                                            .mapToDouble(s -> s.meanMillis() * s.samples())
                                                            .sum()
                                                    / samples,
                                            2));
            columns.get("p50")
                    .add(
                            none
                                    ? null
                                    : number(
                                            part.stream()
                                                            .mapToDouble(s -> s.p50Millis() * s.samples())
                                                            .sum()
                                                    / samples,
                                            2));
            columns.get("p99").add(none ? null : largest(part.stream().mapToDouble(SecondOfLoad::p99Millis)));
            columns.get("max").add(none ? null : largest(part.stream().mapToDouble(SecondOfLoad::maxMillis)));
            p90.add(
                    none || times.isEmpty()
                            ? null
                            : largest(part.stream()
                                    .map(second -> times.get(second.second()))
                                    .filter(second -> second != null)
                                    .mapToDouble(TimesFile.Second::p90Millis)));
        }
        Map<String, Object> timeline = new LinkedHashMap<>(columns);
        if (p90.stream().anyMatch(value -> value != null)) {
            timeline.put("p90", p90);
        }
        timeline.put("kinds", errors.timelines(starts, every));
        timeline.put("every", every);
        return timeline;
    }

    /** Returns the heat map: how many answers of each point took how long; empty if the load generator left none. */
    static Map<String, Object> heat(TimesFile times, int points) {
        if (times.seconds().isEmpty()) {
            return Map.of();
        }
        List<Map.Entry<Integer, TimesFile.Second>> seconds =
                List.copyOf(times.seconds().entrySet());
        int every = every(seconds.size(), points);
        List<Object> t = new ArrayList<>();
        List<Object> rows = new ArrayList<>();
        for (int from = 0; from < seconds.size(); from += every) {
            long[] sum = new long[times.upperMillis().size()];
            for (Map.Entry<Integer, TimesFile.Second> second :
                    seconds.subList(from, Math.min(seconds.size(), from + every))) {
                for (int i = 0; i < sum.length; i++) {
                    sum[i] += second.getValue().counts()[i];
                }
            }
            t.add(seconds.get(from).getKey());
            rows.add(sum);
        }
        // In an order of its own: that of Map.of is another one in each JVM.
        Map<String, Object> heat = new LinkedHashMap<>();
        heat.put("t", t);
        heat.put("rows", rows);
        heat.put("steps", times.upperMillis());
        return heat;
    }

    /** Returns what each host saw, the gateway's first: processor, memory, network and run queue. */
    static List<Map<String, Object>> hosts(Path directory, List<ProcessReport> processes, LoadResult load, int points) {
        Map<String, List<ProcessReport>> byHost = new LinkedHashMap<>();
        processes.stream()
                .sorted((a, b) -> a.role().compareTo(b.role()))
                .forEach(process -> byHost.computeIfAbsent(process.host(), host -> new ArrayList<>())
                        .add(process));
        List<Map<String, Object>> hosts = new ArrayList<>();
        byHost.forEach(
                (host, ofHost) -> host(directory, host, ofHost, load, points).ifPresent(hosts::add));
        return hosts;
    }

    private static Optional<Map<String, Object>> host(
            Path directory, String host, List<ProcessReport> processes, LoadResult load, int points) {
        List<SeriesFile> files = processes.stream()
                .map(process ->
                        SeriesFile.read(directory.resolve(process.directory()).resolve("metrics.csv")))
                .toList();
        int longest = 0;
        for (int i = 1; i < files.size(); i++) {
            longest = files.get(i).rows() > files.get(longest).rows() ? i : longest;
        }
        SeriesFile base = files.get(longest);
        if (base.rows() == 0) {
            return Optional.empty();
        }
        int every = every(base.rows(), points);
        double[] time = base.column(SeriesFile.TIME);
        double[] rest = base.sum(BUSY);
        List<Object> cpu = new ArrayList<>();
        List<Object> memory = new ArrayList<>();
        for (int i = 0; i < files.size(); i++) {
            List<double[]> ofProcess = files.get(i).at(time, List.of(CPU, RESIDENT));
            double[] used = ofProcess.get(0);
            for (int row = 0; row < rest.length; row++) {
                rest[row] -= Double.isNaN(used[row]) ? 0 : used[row];
            }
            String name = name(processes, i);
            cpu.add(List.of(name, joined(used, every, 1)));
            memory.add(List.of(name, joined(divided(ofProcess.get(1)), every, 0)));
        }
        // A process is read a moment before or after its host: less than nothing is left over then.
        double[] others = Arrays.stream(rest)
                .map(value -> Double.isNaN(value) ? value : Math.max(0, value))
                .toArray();
        double[] t = Arrays.stream(time)
                .map(millis -> (millis - load.started().toEpochMilli()) / 1000)
                .toArray();
        Map<String, Object> timeline = new LinkedHashMap<>();
        timeline.put("host", host);
        timeline.put("t", firsts(t, every));
        timeline.put("cpu", cpu);
        timeline.put("rest", joined(others, every, 1));
        timeline.put("steal", joined(base.column(STEAL), every, 1));
        timeline.put("memory", memory);
        timeline.put("used", joined(divided(base.column(USED)), every, 0));
        timeline.put("received", joined(base.column(RECEIVED), every, 0));
        timeline.put("sent", joined(base.column(SENT), every, 0));
        timeline.put("queue", joined(base.column(QUEUE), every, 1));
        return Optional.of(timeline);
    }

    private static String name(List<ProcessReport> processes, int index) {
        NodeRole role = processes.get(index).role();
        String word = word(role);
        long same = processes.stream().filter(other -> other.role() == role).count();
        long before = processes.subList(0, index).stream()
                .filter(other -> other.role() == role)
                .count();
        return same > 1 ? word + " " + (before + 1) : word;
    }

    /** Returns what a role is called on the page. */
    static String word(NodeRole role) {
        return switch (role) {
            case GATEWAY -> "gateway";
            case BACKEND -> "back end";
            case LOAD_GENERATOR -> "load generator";
        };
    }

    private static Map<String, List<@Nullable Number>> columns(String... names) {
        Map<String, List<@Nullable Number>> columns = new LinkedHashMap<>();
        for (String name : names) {
            columns.put(name, new ArrayList<>());
        }
        return columns;
    }

    private static int every(int rows, int points) {
        return Math.max(1, (rows + points - 1) / points);
    }

    private static @Nullable Number largest(DoubleStream values) {
        return number(values.max().orElse(Double.NaN), 2);
    }

    private static double[] divided(double[] kibibytes) {
        return Arrays.stream(kibibytes).map(value -> value / KIBIBYTES).toArray();
    }

    private static List<@Nullable Number> firsts(double[] values, int every) {
        List<@Nullable Number> firsts = new ArrayList<>();
        for (int from = 0; from < values.length; from += every) {
            firsts.add(number(values[from], 1));
        }
        return firsts;
    }

    private static List<@Nullable Number> joined(double[] values, int every, int digits) {
        List<@Nullable Number> joined = new ArrayList<>();
        for (int from = 0; from < values.length; from += every) {
            joined.add(number(
                    Arrays.stream(values, from, Math.min(values.length, from + every))
                            .filter(value -> !Double.isNaN(value))
                            .average()
                            .orElse(Double.NaN),
                    digits));
        }
        return joined;
    }

    /** A number as short as it can be written; null for none. */
    static @Nullable Number number(double value, int digits) {
        if (!Double.isFinite(value)) {
            return null;
        }
        double unit = Math.pow(10, digits);
        double rounded = Math.rint(value * unit) / unit;
        return rounded == Math.rint(rounded) ? (Number) (long) rounded : (Number) rounded;
    }
}
