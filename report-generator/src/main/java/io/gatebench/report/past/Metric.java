/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.past;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A figure of a row, with its short name and the column names under which published files carry it.
 *
 * <p>The first column name is the one of today's documents; the others are of earlier and foreign forms.
 *
 * @since 0.1
 */
public enum Metric {
    /** Samples per second, failures included. */
    THROUGHPUT("throughput", Better.HIGHER, "Throughput (Requests/sec)", "Throughput", "Throughput (req/s)"),
    /** Mean response time in milliseconds. */
    MEAN("mean", Better.LOWER, "Average Response Time (ms)", "Average (ms)", "Average", "Mean Response Time (ms)"),
    /** Standard deviation of the response time in milliseconds. */
    DEVIATION(
            "deviation",
            Better.LOWER,
            "Standard Deviation of Response Time (ms)",
            "Standard Deviation (ms)",
            "Std. Dev."),
    /** Smallest response time in milliseconds. */
    MIN("min", Better.LOWER, "Minimum Response Time (ms)", "Min (ms)", "Min"),
    /** Largest response time in milliseconds. */
    MAX("max", Better.LOWER, "Maximum Response Time (ms)", "Max (ms)", "Max"),
    /** Median response time in milliseconds. */
    P50("p50", Better.LOWER, "50th Percentile of Response Time (ms)", "50th Percentile (ms)", "Median"),
    /** 75th percentile in milliseconds. */
    P75("p75", Better.LOWER, "75th Percentile of Response Time (ms)", "75th Percentile (ms)"),
    /** 90th percentile in milliseconds. */
    P90("p90", Better.LOWER, "90th Percentile of Response Time (ms)", "90th Percentile (ms)", "90% Line"),
    /** 95th percentile in milliseconds. */
    P95("p95", Better.LOWER, "95th Percentile of Response Time (ms)", "95th Percentile (ms)", "95% Line"),
    /** 98th percentile in milliseconds. */
    P98("p98", Better.LOWER, "98th Percentile of Response Time (ms)", "98th Percentile (ms)"),
    /** 99th percentile in milliseconds. */
    P99("p99", Better.LOWER, "99th Percentile of Response Time (ms)", "99th Percentile (ms)", "99% Line"),
    /** 99.9th percentile in milliseconds. */
    P999("p999", Better.LOWER, "99.9th Percentile of Response Time (ms)", "99.9th Percentile (ms)", "99.9% Line"),
    /** Number of samples. */
    SAMPLES("samples", Better.HIGHER, "# Samples", "Samples"),
    /** Number of failed samples. */
    ERRORS("errors", Better.LOWER, "Error Count", "Errors"),
    /** Failed samples in percent. */
    ERROR_PERCENT("error-percent", Better.LOWER, "Error %", "Error (%)", "Errors %"),
    /** Received data in KiB per second. */
    RECEIVED("received", Better.HIGHER, "Received (KB/sec)", "Received KB/sec"),
    /** Sent data in KiB per second. */
    SENT("sent", Better.HIGHER, "Sent (KB/sec)", "Sent KB/sec"),
    /** Part of the gateway's run time outside of GC pauses in percent. */
    GC_THROUGHPUT("gc-throughput", Better.HIGHER, " GC Throughput (%)"),
    /** Mean heap of the gateway after full GC in MiB. */
    FOOTPRINT(
            "footprint",
            Better.LOWER,
            " Memory Footprint After Full GC (M)",
            " Average of Footprint After Full GC (M)",
            " Average Footprint After Full GC (M)");

    /** Which direction is an improvement. */
    public enum Better {
        /** More is better. */
        HIGHER,
        /** Less is better. */
        LOWER
    }

    private final String shortName;
    private final Better better;
    private final List<String> columns;

    Metric(String shortName, Better better, String... columns) {
        this.shortName = shortName;
        this.better = better;
        this.columns = List.of(columns);
    }

    /** Returns the name in options, thresholds and JSON, e.g. {@code p99}. */
    public String shortName() {
        return shortName;
    }

    /** Returns which direction is an improvement. */
    public Better better() {
        return better;
    }

    /** Returns the names of the column; those of the gateway's GC figures begin with a space and are endings. */
    List<String> columns() {
        return columns;
    }

    /** Returns whether the column's name begins with the name of a process. */
    boolean ofProcess() {
        return this == GC_THROUGHPUT || this == FOOTPRINT;
    }

    /** Returns the published column name; for figures of the gateway's process without the process name. */
    public String column() {
        return columns.get(0).strip();
    }

    /** Returns the metric with that short name or published column name, in any case of letters. */
    public static Optional<Metric> named(String name) {
        String wanted = name.strip().toLowerCase(Locale.ROOT);
        return Arrays.stream(values())
                .filter(metric -> metric.shortName.equals(wanted)
                        || metric.columns.stream()
                                .anyMatch(column ->
                                        column.strip().toLowerCase(Locale.ROOT).equals(wanted)))
                .findFirst();
    }

    /** Returns all short names, separated by commas. */
    public static String names() {
        return Arrays.stream(values()).map(Metric::shortName).collect(Collectors.joining(", "));
    }
}
