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

    ProcessReport report(RoleProcess role, String name, String directory, Optional<MeasurementWindow> window) {
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
        return new ProcessReport(
                role.role(),
                name,
                role.host().name(),
                role.command(),
                role.heap(),
                directory,
                whole,
                inWindow,
                Map.of(),
                notes);
    }
}
