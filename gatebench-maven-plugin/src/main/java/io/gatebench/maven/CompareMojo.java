/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.maven;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.jspecify.annotations.Nullable;

import io.gatebench.report.column.Metric;
import io.gatebench.report.compare.Comparison;
import io.gatebench.report.compare.ComparisonOptions;
import io.gatebench.report.compare.ComparisonWriter;
import io.gatebench.report.compare.FailOn;
import io.gatebench.report.compare.RunComparator;
import io.gatebench.report.importer.History;
import io.gatebench.report.importer.ImportedRun;
import io.gatebench.report.importer.ResultsImporter;
import io.gatebench.report.results.ReportException;
import io.gatebench.settings.Suggestion;

/** Compares a run with an earlier one, case by case, and fails the build where it is slower beyond noise. */
@Mojo(name = "compare", defaultPhase = LifecyclePhase.VERIFY, requiresProject = false, threadSafe = true)
public final class CompareMojo extends GatebenchMojo {

    /** The earlier run: a results directory, a wide CSV or a published Markdown document. */
    @Parameter(property = "gatebench.baseline", required = true)
    private File baseline;

    /** The run that is compared with it; the last one in the directory of results unless set. */
    @Parameter(property = "gatebench.run")
    private @Nullable File run;

    /** Findings that fail the build: regression, undecided, invalid, doubtful, not-comparable, or none. */
    @Parameter(property = "gatebench.failOn", defaultValue = "regression")
    private List<String> failOn;

    /** The figures, the first one being the primary; throughput, mean and p99 unless set. */
    @Parameter(property = "gatebench.metrics")
    private List<String> metrics = List.of();

    /** Directory of earlier runs that tell the noise where the runs have no repeats. */
    @Parameter(property = "gatebench.history")
    private @Nullable File history;

    /** Differences in percent that are smaller are no difference. */
    @Parameter(property = "gatebench.minChange", defaultValue = "" + ComparisonOptions.DEFAULT_SMALLEST_CHANGE_PERCENT)
    private double minChange;

    /** Chance that a run without change shows one in any case. */
    @Parameter(property = "gatebench.falseAlarms", defaultValue = "" + ComparisonOptions.DEFAULT_FALSE_ALARM_RATE)
    private double falseAlarms;

    /** Failed samples in percent up to which a case is compared. */
    @Parameter(property = "gatebench.maxErrors", defaultValue = "" + ComparisonOptions.DEFAULT_LARGEST_ERROR_PERCENT)
    private double maxErrors;

    /** Loss in percent that "no difference" rules out. */
    @Parameter(property = "gatebench.noLossAbove", defaultValue = "" + ComparisonOptions.DEFAULT_MARGIN_PERCENT)
    private double noLossAbove;

    /** True to compare runs whose processors, restarts of the gateway or warm-up rules differ. */
    @Parameter(property = "gatebench.anySetUp", defaultValue = "false")
    private boolean anySetUp;

    /** Directory that the comparison is written to, as Markdown, JSON, HTML and charts. */
    @Parameter(property = "gatebench.comparison", defaultValue = "${project.build.directory}/gatebench/comparison")
    private File comparison;

    @Override
    void work() throws MojoFailureException {
        Set<FailOn> failures = EnumSet.noneOf(FailOn.class);
        failOn.forEach(name -> failures.add(failOn(name)));
        ResultsImporter reader = new ResultsImporter();
        List<ImportedRun> runs = List.of(read(reader, baseline.toPath()), read(reader, run(run)));
        Comparison compared = new RunComparator(options(reader)).compare(runs);
        ComparisonWriter writer = new ComparisonWriter();
        // The rows of the table are too long for a log.
        writer.markdown(compared)
                .lines()
                .filter(line -> !line.isBlank() && !line.startsWith("|"))
                .forEach(getLog()::info);
        try {
            writer.writeAll(compared, comparison.toPath());
        } catch (IOException e) {
            throw new ReportException("cannot write to " + comparison + ": " + e.getMessage(), e);
        }
        getLog().info("Comparison: " + comparison);
        Optional<String> failure = FailOn.failure(compared, failures, noLossAbove);
        if (failure.isPresent()) {
            throw new MojoFailureException(failure.get() + "; see " + comparison);
        }
    }

    /** Two runs may both be called run-1. */
    private static ImportedRun read(ResultsImporter reader, Path input) {
        ImportedRun read = reader.read(input).requireFigures(input);
        return new ImportedRun(input.toString(), read.format(), read.rows(), read.problems(), read.notes());
    }

    private static FailOn failOn(String name) {
        return Arrays.stream(FailOn.values())
                .filter(one -> one.toString().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("<failOn>: unknown '" + name + "'"
                        + Suggestion.among(
                                name,
                                Arrays.stream(FailOn.values())
                                        .map(FailOn::toString)
                                        .toList())));
    }

    private ComparisonOptions options(ResultsImporter reader) {
        List<Metric> chosen = new ArrayList<>();
        for (String name : metrics) {
            chosen.add(Metric.named(name)
                    .orElseThrow(() -> new IllegalArgumentException(
                            "<metrics>: unknown metric '" + name + "'; known are " + Metric.names())));
        }
        List<ImportedRun> earlier = List.of();
        if (history != null) {
            History found = History.read(history.toPath(), reader);
            found.problems().forEach(problem -> getLog().warn(problem.toString()));
            earlier = found.runs();
        }
        return new ComparisonOptions(
                chosen.isEmpty() ? ComparisonOptions.DEFAULT_METRICS : chosen,
                falseAlarms,
                maxErrors,
                minChange,
                noLossAbove,
                earlier,
                anySetUp);
    }
}
