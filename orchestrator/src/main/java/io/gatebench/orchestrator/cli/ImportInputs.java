/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.gatebench.gc.GcLogAnalyzer;
import io.gatebench.gc.GcLogOptions;
import io.gatebench.report.PublishedTable;
import io.gatebench.report.ReportGenerator;
import io.gatebench.report.importer.History;
import io.gatebench.report.importer.ImportedRun;
import io.gatebench.report.importer.ResultsImporter;
import io.gatebench.report.results.ReportException;

/** Reads the inputs of the commands that work on earlier results; what cannot be read at all is wrong usage. */
final class ImportInputs {

    private final ResultsImporter reader = new ResultsImporter()
            .withGcLogs(files -> GcLogAnalyzer.analyze(
                    List.copyOf(files), GcLogOptions.defaults().withCompat()));

    ImportedRun read(Path input) {
        return usage(() -> reader.read(input));
    }

    /** Reads results of which at least one column is a figure that is known here. */
    ImportedRun figures(Path input) {
        return usage(() -> reader.read(input).requireFigures(input));
    }

    /** Reads a table; a name of the application goes into the columns of a results directory of the predecessor. */
    PublishedTable table(Path input, @Nullable String application) {
        ResultsImporter named = application == null ? reader : reader.withApplication(application);
        return usage(() -> ReportGenerator.table(input, named));
    }

    History history(Path directory) {
        return usage(() -> History.read(directory, reader));
    }

    /** Turns what the library says of a wrong argument into wrong usage. */
    static <T> T usage(Supplier<T> call) {
        try {
            return call.get();
        } catch (ReportException | IllegalArgumentException e) {
            throw new CommandException(ExitStatus.USAGE, String.valueOf(e.getMessage()), e);
        }
    }
}
