/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.gatebench.gc.GcEvent;
import io.gatebench.gc.GcLogAnalyzer;
import io.gatebench.gc.GcLogException;
import io.gatebench.gc.GcLogOptions;
import io.gatebench.gc.GcReading;
import io.gatebench.model.GcSummary;
import io.gatebench.model.MeasurementWindow;
import io.gatebench.model.ProcessReport;
import io.gatebench.spi.role.ClassDataArchive;
import io.gatebench.spi.role.RoleProcess;

/** Reads the logs of the processes of a case. */
final class ProcessReports {

    private static final String EVENTS = "gc-events.csv";

    private final Path caseDirectory;

    ProcessReports(Path caseDirectory) {
        this.caseDirectory = caseDirectory;
    }

    /**
     * Reads the log of a process.
     *
     * @param name the name that the columns of the report carry
     * @param directory its directory in that of the case
     * @param window the measurement window by the clock of its host, if there was one
     * @param metrics the metrics of its host; empty for a process that served next to nothing of the load: its figures would
     *     pass for those of one that did
     */
    ProcessReport report(
            RoleProcess role,
            String name,
            String directory,
            Optional<MeasurementWindow> window,
            Optional<CaseMetrics.OfProcess> metrics) {
        List<String> notes = new ArrayList<>();
        Path log = caseDirectory.resolve(directory).resolve(RoleProcess.GC_LOG);
        Optional<GcSummary> whole = Optional.empty();
        Optional<GcSummary> inWindow = Optional.empty();
        if (Files.exists(log)) {
            try {
                // The published columns are by the published formulas.
                GcReading reading =
                        GcLogAnalyzer.read(List.of(log), GcLogOptions.defaults().withCompat(), window);
                whole = Optional.of(reading.whole());
                inWindow = reading.inWindow();
                GcEvent.writeCsv(reading.events(), log.resolveSibling(EVENTS));
            } catch (GcLogException | IOException e) {
                notes.add("the GC log could not be read: " + e.getMessage());
            }
        } else {
            notes.add(
                    role.notJvm().isPresent()
                            ? "there are no GC figures: " + role.notJvm().get()
                            : "there is no GC log: the process ended before it wrote one, or it could not be fetched");
        }
        if (role.command().stream().anyMatch(word -> word.startsWith(ClassDataArchive.OPTION))) {
            notes.add("it started with a class-data archive, which " + ClassDataArchive.SWITCH
                    + "=off leaves out: one's own"
                    + " gateway starts more slowly; what it serves is compiled as without it");
        }
        if (metrics.isEmpty()) {
            notes.add("it got next to nothing of the load: its figures would be those of an idle process");
            whole = Optional.empty();
            inWindow = Optional.empty();
        }
        metrics.ifPresent(known -> notes.addAll(known.notes()));
        return new ProcessReport(
                role.role(),
                name,
                role.host().name(),
                role.command(),
                role.heap(),
                directory,
                whole,
                inWindow,
                metrics.map(CaseMetrics.OfProcess::figures).orElse(Map.of()),
                notes);
    }
}
