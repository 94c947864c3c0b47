/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import io.gatebench.jtl.JtlFormatException;
import io.gatebench.jtl.JtlStatistics;
import io.gatebench.jtl.JtlSummary;
import io.gatebench.settings.Durations;
import io.gatebench.settings.FileProblem;

/** {@code summarize}: the figures of sample files that JMeter wrote. */
@Command(
        name = "summarize",
        description = "Summarize JMeter's sample files (CSV; plain, gzip or zip) per label.",
        footer = {
            "",
            "Several files are summarized together. Every line is counted or reported with its number and reason. Exit"
                    + " code 2 if no sample is left to summarize."
        })
final class SummarizeCommand implements Runnable {

    private enum Format {
        TABLE,
        JSON
    }

    @Spec
    private CommandSpec spec;

    @Mixin
    private HelpOption help;

    @Parameters(arity = "1..*", paramLabel = "<file.jtl>", description = "The sample files.")
    private List<Path> files;

    @Option(
            names = "--warm-up",
            paramLabel = "<time>",
            defaultValue = "0s",
            description = "Leave out samples that start within this time of the first one, e.g. 300s (default:"
                    + " ${DEFAULT-VALUE}).")
    private String warmUp;

    @Option(
            names = "--format",
            paramLabel = "<format>",
            defaultValue = "table",
            description = "table or json (default: ${DEFAULT-VALUE}).")
    private Format format;

    @Option(
            names = "--statistics",
            paramLabel = "<rules>",
            defaultValue = "exact",
            description = "exact, or wso2 for the predecessor's histogram and rounding (default: ${DEFAULT-VALUE}).")
    private JtlStatistics statistics;

    @Override
    public void run() {
        Duration leading;
        try {
            leading = Durations.parse(warmUp, "s");
        } catch (IllegalArgumentException e) {
            throw new CommandException(ExitStatus.USAGE, "--warm-up: " + e.getMessage(), e);
        }
        for (Path file : files) {
            if (!Files.exists(file)) {
                throw CommandException.usage("there is no sample file " + file);
            }
            if (!Files.isReadable(file) || Files.isDirectory(file)) {
                throw CommandException.usage(
                        file + (Files.isDirectory(file) ? " is a directory, not a file" : " cannot be read"));
            }
            if (!Files.isRegularFile(file)) {
                throw CommandException.usage(
                        file + " is a pipe or a device, which cannot be read twice; write it to a file first");
            }
        }
        try {
            JtlSummary summary = JtlSummary.of(files, leading, statistics);
            if (summary.lines() == 0) {
                throw CommandException.usage("there is nothing to summarize: " + String.join("; ", summary.notes()));
            }
            PrintWriter out = spec.commandLine().getOut();
            out.print(format == Format.JSON ? summary.toJson() + "\n" : summary.toTable());
            out.flush();
            if (summary.labels().isEmpty()) {
                throw CommandException.usage(
                        "no sample is left to summarize: of " + summary.lines() + " lines " + summary.warmUpSamples()
                                + " are in the warm-up and " + summary.skippedCount() + " were skipped");
            }
        } catch (JtlFormatException e) {
            throw new CommandException(ExitStatus.USAGE, e.getMessage(), e);
        } catch (IOException e) {
            throw new CommandException(ExitStatus.USAGE, "cannot read the sample files: " + FileProblem.of(e), e);
        }
    }
}
