/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gc;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

import io.gatebench.model.GcSummary;
import io.gatebench.model.MeasurementWindow;

/**
 * Reads the GC log of a JVM and says what it means.
 *
 * <p>Understands unified logs (JDK 9 and later) of Serial, Parallel, CMS, G1, ZGC and Shenandoah with any decorations, and
 * JDK 8 logs; rotated sets, files packed with gzip, logs that were cut off, mixed with other output, or hold several JVM
 * starts. What a log does not tell is absent with the reason; only XML, and heaps that no JVM has, are refused. Memory does not grow with the
 * size of a unified log. All methods may be called from any thread.
 *
 * @since 0.1
 */
public final class GcLogAnalyzer {

    private GcLogAnalyzer() {}

    /** Returns whether a summary is of files without a single line of a GC log. */
    public static boolean holdsNoLog(GcSummary summary) {
        return summary.coveragePercent().fold(value -> false, SummaryBuilder.NO_LINE::equals);
    }

    /**
     * Analyzes the whole log of the last JVM in the files.
     *
     * @param files the parts of one log, in any order
     * @throws GcLogException if a file cannot be read
     */
    public static GcSummary analyze(Path... files) {
        return analyze(Arrays.asList(files));
    }

    /**
     * Analyzes the whole log of the last JVM in the files.
     *
     * @param files the parts of one log, in any order
     * @throws GcLogException if a file cannot be read
     */
    public static GcSummary analyze(List<Path> files) {
        return analyze(files, GcLogOptions.defaults());
    }

    /**
     * Analyzes the part of the log inside a window.
     *
     * @param files the parts of one log, in any order
     * @param window the window; a pause across its border counts by its part inside
     * @throws GcLogException if a file cannot be read
     */
    public static GcSummary analyze(List<Path> files, MeasurementWindow window) {
        return analyze(files, GcLogOptions.defaults().withWindow(window));
    }

    /**
     * Analyzes what the options ask for.
     *
     * @param files the parts of one log, in any order
     * @throws GcLogException if a file cannot be read
     */
    public static GcSummary analyze(List<Path> files, GcLogOptions options) {
        return SummaryBuilder.read(LogFile.inOrder(files), List.of(options), false)
                .whole();
    }

    /**
     * Returns every pause and cycle, oldest first, for charts; memory grows with their number.
     *
     * @param files the parts of one log, in any order
     * @throws GcLogException if a file cannot be read
     */
    public static List<GcEvent> events(Path... files) {
        return events(Arrays.asList(files), GcLogOptions.defaults());
    }

    /**
     * Returns every pause and cycle of the part of the log that the options ask for, oldest first, for charts.
     *
     * @param files the parts of one log, in any order
     * @throws GcLogException if a file cannot be read
     */
    public static List<GcEvent> events(List<Path> files, GcLogOptions options) {
        return read(files, options, Optional.empty()).events();
    }

    /**
     * Reads the files once for everything: the summary and the events that the options ask for, and the summary of a window.
     *
     * @param files the parts of one log, in any order
     * @param options what is asked for
     * @param window a part of it that is summarized besides
     * @throws GcLogException if a file cannot be read
     */
    public static GcReading read(List<Path> files, GcLogOptions options, Optional<MeasurementWindow> window) {
        List<GcLogOptions> wanted = new ArrayList<>(List.of(options));
        window.map(options::withWindow).ifPresent(wanted::add);
        return SummaryBuilder.read(LogFile.inOrder(files), wanted, true);
    }
}
