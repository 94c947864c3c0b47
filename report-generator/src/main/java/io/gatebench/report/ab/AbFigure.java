/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.ab;

/**
 * Figure of both sides that is held against each other, and the part of the allowed false alarms that it may raise.
 *
 * <p>The parts are those among the figures that there are: without CPU per request the others get its part.
 */
public enum AbFigure {
    /** Good and bad answers per second of the window. */
    THROUGHPUT("throughput", "requests/s", true, true, 0.4),
    /** Median response time. */
    P50("p50", "ms", false, false, 0.1),
    /** 99th percentile of the response time. */
    P99("p99", "ms", false, false, 0.1),
    /** CPU time of the gateway's processes per request. */
    CPU_PER_REQUEST("cpu-per-request", "us", false, true, 0.4),
    /** Bytes that a JVM allocates per request, over all windows of a start; more of it makes nobody slower by itself. */
    ALLOCATION_PER_REQUEST("allocation-per-request", "bytes", false, false, 0);

    private final String word;
    private final String unit;
    private final boolean higherIsBetter;
    private final boolean deciding;
    private final double part;

    AbFigure(String word, String unit, boolean higherIsBetter, boolean deciding, double part) {
        this.word = word;
        this.unit = unit;
        this.higherIsBetter = higherIsBetter;
        this.deciding = deciding;
        this.part = part;
    }

    /** Returns the name in tables and JSON. */
    public String word() {
        return word;
    }

    /** Returns the unit of a window's figure. */
    public String unit() {
        return unit;
    }

    boolean higherIsBetter() {
        return higherIsBetter;
    }

    /** Returns whether a measurement goes on until this figure has got its word. */
    boolean deciding() {
        return deciding;
    }

    /** Returns whether B is called slower for it; a figure that gates nothing has an interval for itself. */
    boolean gates() {
        return part > 0;
    }

    double part() {
        return part;
    }
}
