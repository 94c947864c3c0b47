/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.cli;

import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import io.gatebench.report.PublishedTable;
import io.gatebench.report.Report;
import io.gatebench.report.ReportGenerator;
import io.gatebench.report.export.FigureExport;
import io.gatebench.report.importer.ImportedRun;
import io.gatebench.report.options.ReportOptions;
import io.gatebench.report.results.ReportException;
import io.gatebench.report.results.ResultsDirectory;
import io.gatebench.report.verdict.Level;

/** {@code report}: makes the report of a run again, or the published table of a past one. */
@Command(
        name = "report",
        header = "Make the report of stored results.",
        description = {
            "",
            "With a results directory every form of the report is written, into --out or the directory itself.",
            "With a wide CSV, a published Markdown document or a results directory of the predecessor scripts there are"
                    + " a page, the table with the verdict of its rows, the CSV, JSON lines and the charts.",
            ""
        })
final class ReportCommand implements Runnable {

    /** The form of another tool. */
    enum Format {
        /** Response times and errors. */
        GITHUB_ACTION_BENCHMARK,
        /** Requests per second. */
        GITHUB_ACTION_BENCHMARK_THROUGHPUT,
        /** All figures. */
        OPENMETRICS;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    @Spec
    private CommandSpec spec;

    @Mixin
    private HelpOption help;

    @Parameters(
            paramLabel = "<results>",
            description = "A results directory, a wide CSV or a published Markdown document.")
    private Path input;

    @Option(names = "--table", description = "Print the published Markdown table alone and write nothing.")
    private boolean table;

    @Option(
            names = "--format",
            paramLabel = "<format>",
            description = "Print the figures for another tool and write nothing: response times for"
                    + " github-action-benchmark (github-action-benchmark; there customSmallerIsBetter), throughput"
                    + " (github-action-benchmark-throughput; customBiggerIsBetter), or all as OpenMetrics text"
                    + " (openmetrics), which GitLab and Prometheus read.")
    private @Nullable Format format;

    @Option(names = "--out", paramLabel = "<dir>", description = "Where to write; default: the results directory.")
    private @Nullable Path out;

    @Option(
            names = "--columns",
            paramLabel = "<which>",
            defaultValue = "published",
            description = "Columns of the CSV: published, or all with our own behind them. Default: ${DEFAULT-VALUE}.")
    private ReportOptions.Columns columns;

    @Option(
            names = "--statistics",
            paramLabel = "<which>",
            defaultValue = "exact",
            description = "Response times as recorded (exact), or rounded as past releases did (wso2)."
                    + " Default: ${DEFAULT-VALUE}.")
    private ReportOptions.Statistics statistics;

    @Option(
            names = "--charts",
            paramLabel = "<which>",
            defaultValue = "standard",
            description = "Charts: none, those that say something about this run (standard), or all of those"
                    + " that past releases published (published). Default: ${DEFAULT-VALUE}.")
    private ReportOptions.Charts charts;

    @Option(
            names = "--templates",
            paramLabel = "<dir>",
            description = "Templates that replace the built-in ones of the same name.")
    private @Nullable Path templates;

    @Option(
            names = "--raw-csv",
            description = "Leave cells of the CSV that begin with =, +, - or @ as they are, for scripts that compare"
                    + " bytes; without it an apostrophe keeps spreadsheets from reading them as formulas.")
    private boolean rawCsv;

    @Option(
            names = "--keep-failed-rows",
            description = "Give a row with its figures also to a test case of which every request of the window "
                    + "failed, as published documents have it; its verdict stays invalid.")
    private boolean failedRows;

    @Option(
            names = "--baseline",
            paramLabel = "<earlier>",
            description = "Say on the page what changed since an earlier run: a results directory, a wide CSV or a"
                    + " published Markdown document.")
    private @Nullable Path baseline;

    @Option(
            names = "--application",
            paramLabel = "<name>",
            description =
                    "Name of the gateway in the columns of a results directory of the predecessor, which holds none.")
    private @Nullable String application;

    @Override
    public void run() {
        if (!Files.exists(input)) {
            throw new CommandException(ExitStatus.USAGE, "there is no file or directory " + input);
        }
        ReportOptions options = ReportOptions.defaults()
                .withColumns(columns)
                .withStatistics(statistics)
                .withCharts(charts);
        if (templates != null) {
            options = options.withTemplates(templates);
        }
        if (rawCsv) {
            options = options.withRawCsv();
        }
        if (failedRows) {
            options = options.withFailedRows();
        }
        if (format != null) {
            export(format);
            return;
        }
        if (baseline != null) {
            options = options.withBaseline(baseline);
        }
        try {
            if (ResultsDirectory.isResultsDirectory(input)) {
                ofRun(options);
            } else {
                ofPast(options);
            }
        } catch (ReportException e) {
            throw new CommandException(ExitStatus.USAGE, e.getMessage(), e);
        }
    }

    private void export(Format form) {
        ImportedRun results = new ImportInputs().figures(input);
        FigureExport figures = new FigureExport(results);
        PrintWriter err = spec.commandLine().getErr();
        results.problems().forEach(err::println);
        figures.leftOut().forEach(err::println);
        err.flush();
        print(
                switch (form) {
                    case GITHUB_ACTION_BENCHMARK -> figures.timesForGithubActionBenchmark();
                    case GITHUB_ACTION_BENCHMARK_THROUGHPUT -> figures.throughputForGithubActionBenchmark();
                    case OPENMETRICS -> figures.openMetrics();
                });
    }

    private void ofRun(ReportOptions options) {
        ResultsDirectory results = ResultsDirectory.open(input);
        if (table) {
            PrintWriter err = spec.commandLine().getErr();
            err.print(ReportGenerator.notes(results));
            err.flush();
            print(ReportGenerator.table(results, options));
        } else {
            written(ReportGenerator.generate(results, out == null ? input : out, options), "index.html");
        }
    }

    private void ofPast(ReportOptions options) {
        PublishedTable past = new ImportInputs().table(input, application);
        PrintWriter err = spec.commandLine().getErr();
        past.problems().forEach(err::println);
        if (table && past.verdicts().stream().anyMatch(verdict -> verdict.level() != Level.VALID)) {
            err.print(past.verdictNotes());
        }
        err.flush();
        if (table) {
            print(past.markdown());
        } else if (out == null) {
            print(past.markdown() + "\n" + past.verdictNotes());
        } else {
            written(ReportGenerator.generate(past, out, options), "index.html");
        }
    }

    private void print(String text) {
        PrintWriter stdout = spec.commandLine().getOut();
        stdout.print(text);
        stdout.flush();
    }

    private void written(Report report, String first) {
        PrintWriter err = spec.commandLine().getErr();
        report.warnings().forEach(err::println);
        err.println(report.files().size() + " files written");
        err.flush();
        print(report.directory().resolve(first) + "\n");
    }
}
