/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.column;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import io.gatebench.model.HostMetric;
import io.gatebench.model.MessageLevel;

/**
 * The names of the published columns, in their order, exactly as past releases wrote them.
 *
 * <p>With one load generator there are 199, with {@code n > 1} of them 199 + 56 n.
 */
public final class SummaryColumns {

    /** Display name of the scenario. */
    public static final String SCENARIO = "Scenario Name";
    /** Heap size of the gateway. */
    public static final String HEAP = "Heap Size";
    /** Concurrent users. */
    public static final String USERS = "Concurrent Users";
    /** Message size in bytes. */
    public static final String MESSAGE_SIZE = "Message Size (Bytes)";
    /** Number of the GraphQL query. */
    public static final String QUERY = "GraphQL Query Number";
    /** Number of XML elements: ours, past releases wrote no such results. */
    public static final String ELEMENTS = "Number of Elements";
    /** Delay of the back end. */
    public static final String DELAY = "Back-end Service Delay (ms)";
    /** Name of the sampler. */
    public static final String LABEL = "Label";
    /** Throughput times mean response time. */
    public static final String USERS_IN_SYSTEM = "Average Users in the System";

    /** Name of the back end's process in columns. */
    public static final String BACKEND = "Netty Service";
    /** Name of the first load generator's process in columns. */
    public static final String LOAD_GENERATOR = "JMeter Client";
    /** Name of the further load generators' processes in columns, followed by their number. */
    public static final String LOAD_SERVER = "JMeter Server ";

    /** The columns between the keys and the GC figures: those of past releases, and no other. */
    public static final List<Column<?>> LOAD = List.of(
            Column.text(LABEL, "name of the sampler", row -> row.statistics().label()),
            Metric.SAMPLES.asColumn(),
            Metric.ERRORS.asColumn(),
            Metric.ERROR_PERCENT.asColumn(),
            Metric.THROUGHPUT.asColumn(),
            Metric.MEAN.asColumn(),
            new Column<Double>(
                    USERS_IN_SYSTEM,
                    "throughput x mean response time, truncated",
                    Unit.NONE,
                    Metric.Better.NEITHER,
                    row -> row.statistics().throughputPerSecond() * row.times().meanMillis() / 1000,
                    // Truncated from the full figures, as the published column was.
                    users -> Long.toString(users.longValue()),
                    List.of()),
            Metric.DEVIATION.asColumn(),
            Metric.MIN.asColumn(),
            Metric.MAX.asColumn(),
            Metric.P75.asColumn(),
            Metric.P90.asColumn(),
            Metric.P95.asColumn(),
            Metric.P98.asColumn(),
            Metric.P99.asColumn(),
            Metric.P999.asColumn(),
            Metric.RECEIVED.asColumn(),
            Metric.SENT.asColumn());

    /** The figures of the load that past releases had no column for. */
    public static final List<Column<?>> FURTHER = Arrays.stream(Metric.values())
            .filter(metric -> !metric.ofProcess())
            .<Column<?>>map(Metric::asColumn)
            .filter(column -> !LOAD.contains(column))
            .toList();

    /** The headers of the published ones. */
    public static final List<String> LOAD_COLUMNS =
            LOAD.stream().<String>map(Column::header).toList();

    /** The host metrics of a process, without its name. */
    public static final List<String> HOST_METRICS = HostMetric.ofSar();

    /** The counters of {@code perf stat}, published for the gateway and the back end. */
    public static final List<String> PERF_METRICS = HostMetric.ofPerf();

    private SummaryColumns() {}

    /** Returns the name of the column that holds a kind of message level. */
    public static String messageColumn(MessageLevel.Kind kind) {
        return switch (kind) {
            case SIZE_BYTES -> MESSAGE_SIZE;
            case GRAPHQL_QUERY -> QUERY;
            case ELEMENTS -> ELEMENTS;
        };
    }

    /** Returns the column of a process's GC throughput. */
    public static String gcThroughput(String process) {
        return GcColumn.THROUGHPUT.header(process);
    }

    /** Returns the column of the mean heap that a process used after full GC. */
    public static String footprintAfterFullGc(String process) {
        return GcColumn.FOOTPRINT_AFTER_FULL_GC.header(process);
    }

    /** Returns the column of a host metric of a process. */
    public static String host(String process, String metric) {
        return process + " - " + metric;
    }

    /**
     * Returns the columns of the wide CSV.
     *
     * @param applicationName the name of the gateway
     * @param messageColumn the name of the fourth column
     * @param loadGenerators the number of load generators, at least 1
     */
    public static List<String> wide(String applicationName, String messageColumn, int loadGenerators) {
        List<String> processes = new ArrayList<>(List.of(applicationName, BACKEND, LOAD_GENERATOR));
        for (int server = 1; loadGenerators > 1 && server <= loadGenerators; server++) {
            processes.add(LOAD_SERVER + server);
        }
        List<String> columns = new ArrayList<>(List.of(SCENARIO, HEAP, USERS, messageColumn, DELAY));
        columns.addAll(LOAD_COLUMNS);
        for (String process : processes) {
            for (GcColumn column : GcColumn.values()) {
                columns.add(column.header(process));
            }
        }
        for (String process : processes) {
            HOST_METRICS.forEach(metric -> columns.add(host(process, metric)));
            if (hasPerfCounters(process)) {
                PERF_METRICS.forEach(metric -> columns.add(host(process, metric)));
            }
        }
        return List.copyOf(columns);
    }

    /** Returns whether the counters of {@code perf stat} are published for a process. */
    public static boolean hasPerfCounters(String process) {
        return !process.equals(LOAD_GENERATOR) && !process.startsWith(LOAD_SERVER);
    }

    /**
     * Returns the twelve columns of the published Markdown table.
     *
     * @param applicationName the name of the gateway
     * @param messageColumn the name of the fourth column
     */
    public static List<String> published(String applicationName, String messageColumn) {
        return List.of(
                SCENARIO,
                HEAP,
                USERS,
                messageColumn,
                DELAY,
                Metric.ERROR_PERCENT.column(),
                Metric.THROUGHPUT.column(),
                Metric.MEAN.column(),
                Metric.DEVIATION.column(),
                Metric.P99.column(),
                gcThroughput(applicationName),
                footprintAfterFullGc(applicationName));
    }
}
