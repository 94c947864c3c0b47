/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

import io.gatebench.settings.FileProblem;

/** Place and form of the outcome of a command. */
final class Results {

    /** Form of what is printed. */
    enum Format {
        /** Tables for people. */
        MARKDOWN,
        /** For scripts. */
        JSON,
        /** One file with charts. */
        HTML
    }

    /** Writes all forms into a directory. */
    interface Files {
        void write(Path directory) throws IOException;
    }

    @Option(
            names = "--format",
            paramLabel = "<format>",
            description = "What is printed: markdown (default), json or html.")
    private Format format = Format.MARKDOWN;

    @Option(
            names = "--out",
            paramLabel = "<dir>",
            description = "Also write all forms and the charts into this directory.")
    private @Nullable Path out;

    /** Returns whether the printed form names what could not be read, so that it need not be said beside it. */
    boolean isForPeople() {
        return format == Format.MARKDOWN;
    }

    void print(PrintWriter console, Supplier<String> markdown, Supplier<String> json, Supplier<String> html) {
        console.print((switch (format) {
                    case MARKDOWN -> markdown;
                    case JSON -> json;
                    case HTML -> html;
                })
                .get());
        console.flush();
    }

    void write(PrintWriter err, Files files) {
        if (out == null) {
            return;
        }
        try {
            files.write(out);
            err.println("Written to " + out);
            err.flush();
        } catch (IOException e) {
            throw new CommandException(ExitStatus.ENVIRONMENT, "cannot write to " + out + ": " + FileProblem.of(e), e);
        }
    }
}
