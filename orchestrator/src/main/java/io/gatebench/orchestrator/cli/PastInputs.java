/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;

import io.gatebench.gc.GcLogAnalyzer;
import io.gatebench.report.ReportException;
import io.gatebench.report.past.History;
import io.gatebench.report.past.PastReader;
import io.gatebench.report.past.PastResults;

/** Reads the inputs of the commands that work on earlier results; what cannot be read at all is wrong usage. */
final class PastInputs {

    private final PastReader reader = new PastReader().withGcLogs(files -> GcLogAnalyzer.analyze(List.copyOf(files)));

    PastResults read(Path input) {
        return usage(() -> reader.read(input));
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
