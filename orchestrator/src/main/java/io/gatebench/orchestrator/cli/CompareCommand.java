/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import io.gatebench.report.column.Metric;
import io.gatebench.report.compare.Comparison;
import io.gatebench.report.compare.ComparisonOptions;
import io.gatebench.report.compare.ComparisonWriter;
import io.gatebench.report.compare.FailOn;
import io.gatebench.report.compare.RunComparator;
import io.gatebench.report.importer.History;
import io.gatebench.report.importer.ImportedRun;

/** {@code compare}: what changed between runs, and what is noise. */
@Command(
        name = "compare",
        description = {
            "Compare runs with the first one, test case by test case.",
            "Results directories (also of the predecessor), wide CSVs and published Markdown documents in any mix, or"
                    + " results of one other load generator: JMeter, k6, wrk, wrk2, vegeta, oha, Hyperfoil, Gatling."
        })
final class CompareCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Mixin
    private HelpOption help;

    @Parameters(arity = "2..*", paramLabel = "<run>", description = "The baseline, then the runs to compare with it.")
    private List<Path> inputs = List.of();

    @Mixin
    private Results results;

    @Option(
            names = "--metrics",
            split = ",",
            paramLabel = "<metric>",
            description = "The figures, the first one being the primary (default: throughput,mean,p99).")
    private List<String> metrics = List.of();

    @Option(
            names = "--history",
            paramLabel = "<dir>",
            description = "Directory of earlier runs that tell the noise where the runs have no repeats.")
    private @Nullable Path history;

    @Option(
            names = "--max-errors",
            paramLabel = "<percent>",
            description = "Failed samples up to which a test case is compared (default: ${DEFAULT-VALUE} %%).")
    private double largestErrorPercent = ComparisonOptions.DEFAULT_LARGEST_ERROR_PERCENT;

    @Option(
            names = "--min-change",
            paramLabel = "<percent>",
            description = "Smaller differences are no difference (default: ${DEFAULT-VALUE} %%).")
    private double smallestChangePercent = ComparisonOptions.DEFAULT_SMALLEST_CHANGE_PERCENT;

    @Option(
            names = "--false-alarms",
            paramLabel = "<rate>",
            description = "Chance that a run without change shows one in any test case (default: ${DEFAULT-VALUE}).")
    private double falseAlarmRate = ComparisonOptions.DEFAULT_FALSE_ALARM_RATE;

    @Option(
            names = "--no-loss-above",
            paramLabel = "<percent>",
            description =
                    "Loss that 'no-difference' rules out; else a test case is 'undecided' (default: ${DEFAULT-VALUE} "
                            + "%%).")
    private double marginPercent = ComparisonOptions.DEFAULT_MARGIN_PERCENT;

    @Option(
            names = "--any-set-up",
            description =
                    "Compare runs whose processors, restarts of the gateway or warm-up rules differ, too (default:"
                            + " their test cases are not comparable).")
    private boolean anySetUp;

    @Option(
            names = "--fail-on",
            split = ",",
            paramLabel = "<what>",
            description = {
                "Exit code 4 on 'regression': a test case or the run as a whole is slower, or a test case fails that was"
                        + " sound; the others besides: 'undecided': a loss is not ruled out; 'invalid', 'doubtful': a row"
                        + " is, in either run; 'not-comparable': a test case could not be compared, or has no counterpart"
                        + " (default: none). If nothing could be compared, the code is 4 in any case."
            })
    private Set<FailOn> failOn = EnumSet.of(FailOn.NONE);

    @Override
    public Integer call() {
        ImportInputs reader = new ImportInputs();
        List<ImportedRun> runs = new ArrayList<>();
        for (Path input : inputs) {
            ImportedRun run = reader.figures(input);
            runs.add(new ImportedRun(name(input, inputs), run.format(), run.rows(), run.problems(), run.notes()));
        }
        ComparisonOptions options = options(reader);
        Comparison comparison = new RunComparator(options).compare(runs);
        ComparisonWriter writer = new ComparisonWriter();
        PrintWriter err = spec.commandLine().getErr();
        results.print(
                spec.commandLine().getOut(),
                () -> writer.markdown(comparison),
                () -> writer.json(comparison),
                () -> writer.html(comparison));
        if (!results.isForPeople()) {
            comparison.problems().forEach(err::println);
        }
        results.write(err, directory -> writer.writeAll(comparison, directory));
        Optional<String> failure = FailOn.failure(comparison, failOn, marginPercent);
        failure.ifPresent(err::println);
        err.flush();
        return (failure.isPresent() ? ExitStatus.THRESHOLD : ExitStatus.OK).code();
    }

    private ComparisonOptions options(ImportInputs reader) {
        List<Metric> chosen = metrics.isEmpty() ? ComparisonOptions.DEFAULT_METRICS : new ArrayList<>();
        for (String name : metrics) {
            chosen.add(Metric.named(name)
                    .orElseThrow(() -> new CommandException(
                            ExitStatus.USAGE, "unknown metric '" + name + "'; known are " + Metric.names())));
        }
        List<ImportedRun> earlier = List.of();
        if (history != null) {
            History runs = reader.history(history);
            runs.problems().forEach(problem -> spec.commandLine().getErr().println(problem));
            earlier = runs.runs();
        }
        List<ImportedRun> before = earlier;
        return ImportInputs.usage(() -> new ComparisonOptions(
                chosen, falseAlarmRate, largestErrorPercent, smallestChangePercent, marginPercent, before, anySetUp));
    }

    /** Names an input by its last element, and by its whole path where that is not enough to tell inputs apart. */
    private static String name(Path input, List<Path> all) {
        String last = last(input);
        long same = all.stream().filter(other -> last(other).equals(last)).count();
        return same > 1 ? input.toString() : last;
    }

    private static String last(Path path) {
        Path name = path.toAbsolutePath().normalize().getFileName();
        return name == null ? path.toString() : name.toString();
    }
}
