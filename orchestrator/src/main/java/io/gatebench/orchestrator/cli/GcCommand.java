/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import io.gatebench.gc.GcChart;
import io.gatebench.gc.GcComparison;
import io.gatebench.gc.GcEvent;
import io.gatebench.gc.GcLogAnalyzer;
import io.gatebench.gc.GcLogException;
import io.gatebench.gc.GcLogOptions;
import io.gatebench.gc.GcLogSet;
import io.gatebench.gc.GcReading;
import io.gatebench.gc.GcReport;
import io.gatebench.gc.GcWindowArguments;
import io.gatebench.model.GcSummary;
import io.gatebench.report.render.GcPage;
import io.gatebench.settings.FileProblem;

/** {@code gc}: what GC logs say. */
@Command(
        name = "gc",
        sortOptions = false,
        abbreviateSynopsis = true,
        description = {
            "Say what GC logs mean: GC throughput, pauses, footprint, findings.",
            "Every log stands for itself; the files of a rotated set (gc.log, gc.log.0, ...) are one log."
        })
final class GcCommand implements Runnable {

    /** Form of printed results. */
    enum Format {
        /** Text for people. */
        TABLE,
        /** A JSON array, one object for each log. */
        JSON,
        /** Comma-separated values. */
        CSV
    }

    @Spec
    private CommandSpec spec;

    @Mixin
    private HelpOption help;

    @Parameters(arity = "1..*", paramLabel = "<log>", description = "The GC logs, plain or packed with gzip.")
    private List<Path> logs;

    @Option(
            names = "--from",
            paramLabel = "<time>",
            description = "Count only from here: an instant (2026-11-21T02:33:00Z), epoch milliseconds or seconds, or"
                    + " seconds of uptime (12.5s).")
    private @Nullable String from;

    @Option(names = "--to", paramLabel = "<time>", description = "Count only until here, in the same forms.")
    private @Nullable String to;

    @Option(
            names = "--started",
            paramLabel = "<time>",
            description = "When the JVM was started; places a window in logs without wall-clock stamps.")
    private @Nullable String started;

    @Option(
            names = "--stopped",
            paramLabel = "<time>",
            description = "When the JVM had stopped; JDK 8 logs do not tell.")
    private @Nullable String stopped;

    @Option(
            names = "--run",
            paramLabel = "<n>",
            description = "Which JVM start, if a log holds several; the last if not given.")
    private @Nullable Integer run;

    @Option(names = "--one-log", description = "All files are parts of one log, whatever their names.")
    private boolean oneLog;

    @Option(
            names = "--compat",
            negatable = true,
            description =
                    "Add the figures by the published formulas, which take most of the time for a large log; those"
                            + " of a JDK 8 log are there anyway.")
    private boolean compat;

    @Option(names = "--compare", description = "Set two logs side by side.")
    private boolean compare;

    @Option(
            names = "--format",
            paramLabel = "<format>",
            defaultValue = "table",
            description = "table (default), json or csv.")
    private Format format;

    @Option(
            names = "--html",
            paramLabel = "<file>",
            description = "Write one page for all logs: figures, heap and pauses over time, pauses by kind, findings.")
    private @Nullable Path html;

    @Option(names = "--chart", paramLabel = "<svg>", description = "Draw the heap before and after over time.")
    private @Nullable Path chart;

    @Option(names = "--pause-chart", paramLabel = "<svg>", description = "Draw the pauses over time.")
    private @Nullable Path pauseChart;

    @Option(names = "--histogram", paramLabel = "<svg>", description = "Draw how many pauses are how long.")
    private @Nullable Path histogram;

    @Option(names = "--events", paramLabel = "<csv>", description = "Write every pause and cycle as CSV.")
    private @Nullable Path events;

    @Override
    public void run() {
        try {
            analyze();
        } catch (GcLogException | IllegalArgumentException e) {
            throw new CommandException(ExitStatus.USAGE, e.getMessage(), e);
        }
    }

    private void analyze() {
        GcLogOptions all = GcWindowArguments.options(from, to, started, stopped, run);
        GcLogOptions options = compat && !compare ? all.withCompat() : all;
        List<List<Path>> sets = oneLog ? List.of(logs) : GcLogSet.group(logs);
        if (compare && sets.size() != 2) {
            throw new IllegalArgumentException("--compare needs two logs but got " + sets.size());
        }
        boolean draws = chart != null || pauseChart != null || histogram != null || events != null;
        if (draws && sets.size() != 1) {
            throw new IllegalArgumentException("a chart shows one log but " + sets.size() + " were given");
        }
        List<GcSummary> summaries = new ArrayList<>();
        List<List<GcEvent>> found = new ArrayList<>();
        for (List<Path> set : sets) {
            // Memory grows with the number of events: they are kept only where something shows them.
            GcReading reading = draws || html != null
                    ? GcLogAnalyzer.read(set, options, Optional.empty())
                    : new GcReading(GcLogAnalyzer.analyze(set, options), Optional.empty(), List.of());
            GcSummary summary = reading.whole();
            if (GcLogAnalyzer.holdsNoLog(summary)) {
                throw new IllegalArgumentException(
                        "'" + set.get(set.size() - 1) + "' holds no line of a GC log; give a log that a JVM wrote with"
                                + " -Xlog:gc* or, before JDK 9, -Xloggc");
            }
            summaries.add(summary);
            found.add(reading.events());
        }
        if (draws) {
            draw(sets.get(0), found.get(0));
        }
        if (html != null) {
            List<GcPage.Log> pages = new ArrayList<>();
            for (int i = 0; i < sets.size(); i++) {
                pages.add(log(name(sets, i), summaries.get(i), found.get(i)));
            }
            write(html, GcPage.text(pages));
        }
        PrintWriter out = spec.commandLine().getOut();
        out.print(compare ? comparison(summaries) : report(summaries));
        out.flush();
    }

    private String report(List<GcSummary> summaries) {
        return switch (format) {
            case TABLE -> GcReport.table(summaries);
            case JSON -> GcReport.json(summaries);
            case CSV -> GcReport.csv(summaries);
        };
    }

    private String comparison(List<GcSummary> summaries) {
        GcComparison comparison = GcComparison.of(summaries.get(0), summaries.get(1));
        return switch (format) {
            case TABLE -> comparison.table();
            case JSON -> comparison.json();
            case CSV -> comparison.csv();
        };
    }

    private void draw(List<Path> set, List<GcEvent> all) {
        String name = String.valueOf(set.get(set.size() - 1).getFileName());
        write(chart, GcChart.heap("Heap before and after GC: " + name, all));
        write(pauseChart, GcChart.pauses("GC pauses: " + name, all));
        write(histogram, GcChart.histogram("GC pause histogram: " + name, all));
        if (events != null) {
            try {
                GcEvent.writeCsv(all, events);
            } catch (IOException e) {
                throw unwritable(events, e);
            }
        }
    }

    /** Returns the name of the file, or its whole path where another log has the same name. */
    private static String name(List<List<Path>> sets, int index) {
        List<Path> files = sets.stream().map(set -> set.get(set.size() - 1)).toList();
        Path file = files.get(index);
        boolean alone = files.stream()
                        .filter(other -> String.valueOf(other.getFileName()).equals(String.valueOf(file.getFileName())))
                        .count()
                == 1;
        return String.valueOf(alone ? file.getFileName() : file);
    }

    private static GcPage.Log log(String name, GcSummary summary, List<GcEvent> events) {
        List<GcEvent> timed = events.stream()
                .filter(event -> event.uptimeSeconds().isPresent())
                .toList();
        return new GcPage.Log(
                name,
                summary,
                timed.stream()
                        .map(event -> new GcPage.Event(
                                event.uptimeSeconds().getAsDouble(),
                                event.kind(),
                                event.pauseMillis(),
                                event.heapBeforeBytes(),
                                event.heapAfterBytes(),
                                event.heapCapacityBytes()))
                        .toList());
    }

    private static void write(@Nullable Path file, String text) {
        if (file == null) {
            return;
        }
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw unwritable(file, e);
        }
    }

    private static CommandException unwritable(Path file, IOException e) {
        String why =
                e instanceof NoSuchFileException ? "its directory does not exist; create it first" : FileProblem.of(e);
        return new CommandException(ExitStatus.USAGE, "cannot write '" + file + "': " + why, e);
    }
}
