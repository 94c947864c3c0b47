/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.column;

import java.util.function.Function;

import io.gatebench.model.GcStatistics;
import io.gatebench.model.MeasuredValue;

/**
 * The columns of a process's GC log, in the published order; the name of the process is part of each header.
 *
 * @since 0.1
 */
public enum GcColumn {
    /** Part of the time outside of pauses. */
    THROUGHPUT(
            "",
            " GC Throughput (%)",
            "part of the time from the first to the last event of the log outside of pauses",
            GcStatistics::gcThroughputPercent,
            1,
            2),
    /** Largest allocated heap. */
    FOOTPRINT("", " Memory Footprint (M)", "largest allocated heap", GcStatistics::footprintBytes, 1 << 20, 3),
    /** Mean heap after full GC. */
    FOOTPRINT_AFTER_FULL_GC(
            "Average ",
            " Memory Footprint After Full GC (M)",
            "mean of what is used after full GCs",
            GcStatistics::footprintAfterFullGcMeanBytes,
            1 << 20,
            3),
    /** Standard deviation of the heap after full GC. */
    FOOTPRINT_AFTER_FULL_GC_DEVIATION(
            "Standard Deviation of ",
            " Memory Footprint After Full GC (M)",
            "of the same",
            GcStatistics::footprintAfterFullGcDeviationBytes,
            1 << 20,
            3);

    private final String beginning;
    private final String ending;
    private final String meaning;
    private final Function<GcStatistics, MeasuredValue> figure;
    private final double unit;
    private final int decimals;

    GcColumn(
            String beginning,
            String ending,
            String meaning,
            Function<GcStatistics, MeasuredValue> figure,
            double unit,
            int decimals) {
        this.beginning = beginning;
        this.ending = ending;
        this.meaning = meaning;
        this.figure = figure;
        this.unit = unit;
        this.decimals = decimals;
    }

    /** Returns the header for a process. */
    public String header(String process) {
        return beginning + process + ending;
    }

    /** Returns what follows the name of the process in the header. */
    String ending() {
        return ending;
    }

    /** Returns what the column says. */
    public String meaning() {
        return meaning;
    }

    /** Returns the figure in the unit of the column. */
    public MeasuredValue of(GcStatistics figures) {
        return figure.apply(figures).fold(value -> MeasuredValue.of(value / unit), MeasuredValue::absent);
    }

    /** Returns the published text of a figure of the column. */
    public String text(double value) {
        return Numbers.text(value, decimals);
    }
}
