/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.cli;

import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import io.gatebench.report.importer.History;
import io.gatebench.report.importer.ImportedRun;
import io.gatebench.report.trend.Trend;
import io.gatebench.report.trend.TrendAnalyzer;
import io.gatebench.report.trend.TrendWriter;

/** {@code trend}: at which run a figure changed its level. */
@Command(
        name = "trend",
        description = {
            "Find the runs at which a figure changed its level.",
            "A directory of runs, or one long CSV in which each row is a run."
        })
final class TrendCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Mixin
    private HelpOption help;

    @Parameters(paramLabel = "<dir or CSV>", description = "Directory of runs, or a CSV with one row per run.")
    private Path input = Path.of("");

    @Option(
            names = "--value",
            required = true,
            paramLabel = "<column>",
            description = "The figure: a column name, or a short name such as throughput or p99.")
    private String value = "";

    @Option(
            names = "--time",
            paramLabel = "<column>",
            description = "The column that orders the rows of a CSV (default: their order in the file).")
    private @Nullable String time;

    @Option(
            names = "--commit-url",
            paramLabel = "<url>",
            description =
                    "URL of a commit with {commit} in it: pages link the commits that a column Commit, Revision or SHA"
                            + " names.")
    private @Nullable String commitUrl;

    @Mixin
    private Results results;

    @Option(
            names = "--min-change",
            paramLabel = "<percent>",
            description = "Smaller changes are not reported (default: ${DEFAULT-VALUE} %%).")
    private double smallestChangePercent = TrendAnalyzer.DEFAULT_SMALLEST_CHANGE_PERCENT;

    @Option(
            names = "--false-alarms",
            paramLabel = "<rate>",
            description = "Chance that a trend without change shows one in any series (default: ${DEFAULT-VALUE}).")
    private double falseAlarmRate = TrendAnalyzer.DEFAULT_FALSE_ALARM_RATE;

    @Override
    public Integer call() {
        ImportInputs reader = new ImportInputs();
        TrendAnalyzer analyzer = ImportInputs.usage(() -> new TrendAnalyzer(falseAlarmRate, smallestChangePercent));
        PrintWriter err = spec.commandLine().getErr();
        Trend trend;
        if (Files.isDirectory(input)) {
            History history = reader.history(input);
            if (history.runs().isEmpty()) {
                history.problems().forEach(err::println);
                err.flush();
                throw CommandException.usage(input + ": holds no run; name the directory that holds them");
            }
            trend = ImportInputs.usage(() -> analyzer.analyze(history, value));
        } else {
            ImportedRun file = reader.read(input);
            file.problems().forEach(err::println);
            if (file.rows().isEmpty()) {
                err.flush();
                throw new CommandException(ExitStatus.USAGE, input + ": holds no row; name a table of runs");
            }
            trend = ImportInputs.usage(() -> analyzer.analyze(file, value, Optional.ofNullable(time)));
        }
        err.flush();
        TrendWriter writer = ImportInputs.usage(() -> new TrendWriter(Optional.ofNullable(commitUrl)));
        results.print(
                spec.commandLine().getOut(),
                () -> writer.markdown(trend),
                () -> writer.json(trend),
                () -> writer.html(trend));
        results.write(err, directory -> writer.writeAll(trend, directory));
        return ExitStatus.OK.code();
    }
}
