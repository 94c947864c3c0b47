/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.model;

import java.util.List;
import java.util.Optional;

/**
 * Summary of the GC log of one process.
 *
 * @param files the log files, oldest first
 * @param collector the collector, e.g. {@code G1}, if the log tells
 * @param jdk the JVM's version, if the log tells
 * @param window the window that everything but {@code compat} refers to; empty for the JVM's whole run
 * @param coveragePercent part of the lines that look like pauses which were understood
 * @param exact figures over the JVM's whole run, or over the window that was asked for
 * @param compat figures by the formulas of the published documents (whole log, first to last event)
 * @param pauses distribution of the pauses in milliseconds, if there were any
 * @param pausesByKind the same by kind of pause, by falling total
 * @param concurrentSeconds time of concurrent collector work, which does not stop the application
 * @param safepoints every stop of the application, collections included
 * @param heap heap sizes, rates and trends
 * @param counts how often notable things happened
 * @param findings statements with their figures
 * @param notes what a reader must know, e.g. why {@code exact} and {@code compat} differ
 * @since 0.1
 */
public record GcSummary(
        List<String> files,
        Optional<String> collector,
        Optional<String> jdk,
        Optional<MeasurementWindow> window,
        MeasuredValue coveragePercent,
        GcStatistics exact,
        GcStatistics compat,
        Optional<ResponseTimes> pauses,
        List<GcPauseKind> pausesByKind,
        MeasuredValue concurrentSeconds,
        GcSafepoints safepoints,
        GcHeap heap,
        GcCounts counts,
        List<GcFinding> findings,
        List<String> notes) {

    private static final String HEADLINES_ONLY = "only the headline figures are kept here";

    /** Copies the lists. */
    public GcSummary {
        files = List.copyOf(files);
        pausesByKind = List.copyOf(pausesByKind);
        findings = List.copyOf(findings);
        notes = List.copyOf(notes);
    }

    /** Creates a summary of the headline figures alone, such as a past result holds. */
    public GcSummary(
            List<String> files,
            Optional<String> collector,
            Optional<String> jdk,
            MeasuredValue coveragePercent,
            GcStatistics exact,
            GcStatistics compat,
            Optional<ResponseTimes> pauses,
            List<GcFinding> findings,
            List<String> notes) {
        this(
                files,
                collector,
                jdk,
                Optional.empty(),
                coveragePercent,
                exact,
                compat,
                pauses,
                List.of(),
                MeasuredValue.absent(HEADLINES_ONLY),
                GcSafepoints.absent(HEADLINES_ONLY),
                GcHeap.absent(HEADLINES_ONLY),
                GcCounts.absent(HEADLINES_ONLY),
                findings,
                notes);
    }

    /** Returns the same with other findings. */
    public GcSummary withFindings(List<GcFinding> others) {
        return new GcSummary(
                files,
                collector,
                jdk,
                window,
                coveragePercent,
                exact,
                compat,
                pauses,
                pausesByKind,
                concurrentSeconds,
                safepoints,
                heap,
                counts,
                others,
                notes);
    }
}
