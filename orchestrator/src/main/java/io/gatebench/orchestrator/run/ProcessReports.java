/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.run;

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
import io.gatebench.model.GcSummary;
import io.gatebench.model.MeasurementWindow;
import io.gatebench.model.ProcessReport;
import io.gatebench.orchestrator.role.RoleProcess;

/** Reads the logs of the processes of a case. */
final class ProcessReports {

    private static final String EVENTS = "gc-events.csv";

    private final Path caseDirectory;

    ProcessReports(Path caseDirectory) {
        this.caseDirectory = caseDirectory;
    }

    ProcessReport report(RoleProcess role, String directory, Optional<MeasurementWindow> window) {
        List<String> notes = new ArrayList<>();
        Path log = caseDirectory.resolve(directory).resolve(RoleProcess.GC_LOG);
        Optional<GcSummary> whole = Optional.empty();
        Optional<GcSummary> inWindow = Optional.empty();
        if (Files.exists(log)) {
            try {
                whole = Optional.of(GcLogAnalyzer.analyze(List.of(log)));
                inWindow = window.map(w -> GcLogAnalyzer.analyze(List.of(log), w));
                GcEvent.writeCsv(GcLogAnalyzer.events(log), log.resolveSibling(EVENTS));
            } catch (GcLogException | IOException e) {
                notes.add("the GC log could not be read: " + e.getMessage());
            }
        } else {
            notes.add(
                    role.notJvm().isPresent()
                            ? "there are no GC figures: " + role.notJvm().get()
                            : "there is no GC log: the process ended before it wrote one, or it could not be fetched");
        }
        return new ProcessReport(
                role.role(),
                role.name(),
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
