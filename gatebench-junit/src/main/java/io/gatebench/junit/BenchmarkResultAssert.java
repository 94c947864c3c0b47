/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.junit;

import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

import org.assertj.core.api.AbstractAssert;

import io.gatebench.model.DataSize;
import io.gatebench.model.Figure;
import io.gatebench.model.ResponseTimes;
import io.gatebench.model.SampleStatistics;
import io.gatebench.orchestrator.BenchmarkResult;
import io.gatebench.orchestrator.CellResult;
import io.gatebench.orchestrator.RelativeBaseline;
import io.gatebench.report.compare.Comparison;
import io.gatebench.report.compare.ComparisonOptions;
import io.gatebench.report.compare.RunComparator;
import io.gatebench.report.past.OwnRows;
import io.gatebench.report.past.PastReader;
import io.gatebench.report.past.PastResults;
import io.gatebench.report.past.PastRow;
import io.gatebench.report.threshold.Thresholds;
import io.gatebench.report.verdict.Level;

/**
 * Assertions on the result of a performance test; each holds for every repeat of every cell.
 *
 * <p>Nothing is asserted on figures that prove nothing: every assertion first fails with the reasons if a cell failed, was
 * skipped or is invalid. Doubtful cells are accepted, but for {@link #isNotDoubtful()}. Messages hold figure, limit, cell
 * and the path of the report.
 *
 * @since 0.1
 */
public final class BenchmarkResultAssert extends AbstractAssert<BenchmarkResultAssert, BenchmarkResult> {

    BenchmarkResultAssert(BenchmarkResult actual) {
        super(actual, BenchmarkResultAssert.class);
    }

    /** Verifies that all planned cells were measured and none is invalid. */
    public BenchmarkResultAssert isUsable() {
        isNotNull();
        List<String> problems = actual.problems();
        if (!problems.isEmpty()) {
            fail("Expecting figures that can be used, but", problems);
        }
        return this;
    }

    /** Verifies that no rule speaks against any cell. */
    public BenchmarkResultAssert isNotDoubtful() {
        isUsable();
        fail(
                "Expecting cells without doubt, but",
                actual.cells().stream()
                        .filter(cell -> cell.verdict().level() == Level.DOUBTFUL)
                        .map(cell -> cell.name() + ": " + cell.verdict().text())
                        .toList());
        return this;
    }

    /** Verifies that no sample of a measurement window failed. */
    public BenchmarkResultAssert hasNoErrors() {
        return check(
                "Expecting no errors, but",
                cell -> cell.errors() == 0
                        ? Optional.empty()
                        : Optional.of(cell.errors() + " of " + cell.samples() + " samples failed: "
                                + cell.load().orElseThrow().failures()));
    }

    /** Verifies that the failed part of the samples is at most so many percent. */
    public BenchmarkResultAssert errorsAreAtMost(double percent) {
        return check("Expecting errors of at most " + number(percent) + " %, but", cell -> {
            double actualPercent = 100.0 * cell.errors() / cell.samples();
            return actualPercent <= percent
                    ? Optional.empty()
                    : Optional.of(number(actualPercent) + " % of " + cell.samples() + " samples failed");
        });
    }

    /** Verifies that the mean response time is below a limit. */
    public BenchmarkResultAssert meanIsBelow(Duration limit) {
        return timeIsBelow("mean response time", ResponseTimes::meanMillis, limit);
    }

    /** Verifies that the median of the response times is below a limit. */
    public BenchmarkResultAssert p50IsBelow(Duration limit) {
        return timeIsBelow("median response time", ResponseTimes::p50Millis, limit);
    }

    /** Verifies that the 90th percentile of the response times is below a limit. */
    public BenchmarkResultAssert p90IsBelow(Duration limit) {
        return timeIsBelow("90th percentile of the response times", ResponseTimes::p90Millis, limit);
    }

    /** Verifies that the 95th percentile of the response times is below a limit. */
    public BenchmarkResultAssert p95IsBelow(Duration limit) {
        return timeIsBelow("95th percentile of the response times", ResponseTimes::p95Millis, limit);
    }

    /** Verifies that the 99th percentile of the response times is below a limit. */
    public BenchmarkResultAssert p99IsBelow(Duration limit) {
        return timeIsBelow("99th percentile of the response times", ResponseTimes::p99Millis, limit);
    }

    /** Verifies that the 99.9th percentile of the response times is below a limit. */
    public BenchmarkResultAssert p999IsBelow(Duration limit) {
        return timeIsBelow("99.9th percentile of the response times", ResponseTimes::p999Millis, limit);
    }

    private BenchmarkResultAssert timeIsBelow(String name, ToDoubleFunction<ResponseTimes> figure, Duration limit) {
        double limitMillis = limit.toNanos() / 1e6;
        return check("Expecting a " + name + " below " + number(limitMillis) + " ms, but", cell -> {
            for (SampleStatistics statistics : cell.statistics()) {
                double millis = figure.applyAsDouble(statistics.all());
                if (millis >= limitMillis) {
                    return Optional.of("it is " + number(millis) + " ms for " + statistics.label() + " ("
                            + statistics.samples() + " samples)");
                }
            }
            return Optional.empty();
        });
    }

    /**
     * Verifies that the throughput is above a limit.
     *
     * <p>An absolute figure holds for one machine only; {@link #isNotSlowerThan(RelativeBaseline, double)} does not.
     */
    public BenchmarkResultAssert throughputIsAbove(double perSecond) {
        return check(
                "Expecting a throughput above " + number(perSecond) + " per second, but",
                cell -> cell.throughputPerSecond() > perSecond
                        ? Optional.empty()
                        : Optional.of("it is " + number(cell.throughputPerSecond()) + " per second"));
    }

    /** Verifies that the throughput, divided by that of the control run, is above a limit between 0 and 1. */
    public BenchmarkResultAssert throughputRatioToControlIsAbove(double ratio) {
        return check("Expecting a throughput above " + number(ratio) + " of the control run's, but", cell -> {
            OptionalDouble actualRatio = cell.throughputRatioToControl();
            if (actualRatio.isEmpty()) {
                return Optional.of("there is no control run; ask for it with controlRun(true)");
            }
            return actualRatio.getAsDouble() > ratio
                    ? Optional.empty()
                    : Optional.of("it is " + number(actualRatio.getAsDouble()) + " of it");
        });
    }

    /** Verifies that the gateway spent more than so many percent of its run time outside of GC pauses. */
    public BenchmarkResultAssert gcThroughputIsAbove(double percent) {
        return gc(
                "Expecting a GC throughput above " + number(percent) + " %, but",
                "it is ",
                " %",
                cell -> cell.gatewayGc().map(gc -> gc.compat().gcThroughputPercent()),
                value -> value > percent);
    }

    /** Verifies that the heap that the gateway uses after full GCs is, on average, below a limit. */
    public BenchmarkResultAssert footprintAfterFullGcIsBelow(DataSize limit) {
        return gc(
                "Expecting a footprint after full GC below " + limit + ", but",
                "it is ",
                " bytes",
                cell -> cell.gatewayGc().map(gc -> gc.compat().footprintAfterFullGcMeanBytes()),
                value -> value < limit.bytes());
    }

    private BenchmarkResultAssert gc(
            String expectation,
            String before,
            String unit,
            java.util.function.Function<CellResult, Optional<Figure>> figure,
            java.util.function.DoublePredicate met) {
        return check(
                expectation,
                cell -> figure.apply(cell)
                        .map(f -> f.<Optional<String>>fold(
                                value ->
                                        met.test(value) ? Optional.empty() : Optional.of(before + number(value) + unit),
                                reason -> Optional.of("there is no such figure: " + reason)))
                        .orElseGet(() -> Optional.of("there is no such figure: the gateway wrote no GC log")));
    }

    /**
     * Verifies conditions in the form that the program's {@code --thresholds} takes, e.g. {@code p99 < 50ms}.
     *
     * @throws io.gatebench.report.threshold.ThresholdSyntaxException if a condition is none
     */
    public BenchmarkResultAssert meets(String... conditions) {
        isUsable();
        List<PastRow> rows = actual.cells().stream()
                .flatMap(cell -> OwnRows.of(actual.info(), cell.result()).stream())
                .toList();
        fail(
                "Expecting all thresholds to be met, but",
                Thresholds.parse(List.of(conditions)).violations(rows).stream()
                        .map(Thresholds.Outcome::text)
                        .toList());
        return this;
    }

    /** Verifies that the thresholds were met that the test itself was given. */
    public BenchmarkResultAssert meetsItsThresholds() {
        isUsable();
        fail("Expecting all thresholds to be met, but", actual.missedThresholds());
        return this;
    }

    /**
     * Verifies that no cell is slower than in an earlier run by more than noise; the figures are absolute, so that both
     * runs must be of one machine.
     *
     * @param baseline what {@code compare} reads: a results directory, a wide CSV or a published Markdown document
     * @throws io.gatebench.report.ReportException if it cannot be read
     */
    public BenchmarkResultAssert isNotSlowerThan(Path baseline) {
        isUsable();
        PastReader reader = new PastReader();
        return isNotSlower(reader.read(baseline), reader.read(actual.directory()));
    }

    /** Verifies that no cell is slower than in another run by more than noise. */
    public BenchmarkResultAssert isNotSlowerThan(BenchmarkResult baseline) {
        return isNotSlowerThan(baseline.directory());
    }

    private BenchmarkResultAssert isNotSlower(PastResults before, PastResults now) {
        Comparison.Candidate candidate = new RunComparator(ComparisonOptions.defaults())
                .compare(List.of(before, now))
                .candidates()
                .get(0);
        if (candidate.cells().isEmpty()) {
            fail("Expecting a baseline of the same cells, but", List.of(before.name() + " has none of them"));
        }
        if (candidate.nothingCompared()) {
            fail(
                    "Expecting a baseline that can be compared with, but",
                    candidate.cells().stream()
                            .map(cell -> cell.key().text() + ": " + cell.reason())
                            .distinct()
                            .toList());
        }
        List<String> slower = new ArrayList<>();
        candidate.cells().stream()
                .filter(cell ->
                        cell.outcome() == Comparison.Outcome.SLOWER || cell.outcome() == Comparison.Outcome.BROKE)
                .map(cell -> cell.key().text() + ": " + cell.reason())
                .forEach(slower::add);
        if (slower.isEmpty() && candidate.regressed()) {
            slower.addAll(candidate.summary());
        }
        fail("Expecting nothing slower than " + before.name() + ", but", slower);
        return this;
    }

    /**
     * Verifies that no cell is slower than a baseline by more than noise and an accepted part, both measured in the
     * throughput of the control run.
     *
     * @param acceptedPercent a fall of the ratio up to this part is accepted even if it is beyond noise
     */
    public BenchmarkResultAssert isNotSlowerThan(RelativeBaseline baseline, double acceptedPercent) {
        isUsable();
        List<RelativeBaseline.Difference> differences;
        try {
            differences = baseline.compare(actual, acceptedPercent);
        } catch (IllegalArgumentException e) {
            fail(
                    "Expecting a result that can be compared with the baseline, but",
                    List.of(String.valueOf(e.getMessage())));
            return this;
        }
        fail(
                "Expecting nothing slower than the baseline (" + baseline.origin() + "), but",
                differences.stream()
                        .filter(RelativeBaseline.Difference::slower)
                        .map(difference -> difference.cell() + ": " + difference.text())
                        .toList());
        return this;
    }

    private BenchmarkResultAssert check(
            String expectation, java.util.function.Function<CellResult, Optional<String>> problem) {
        isUsable();
        List<String> problems = new ArrayList<>();
        for (CellResult cell : actual.cells()) {
            problem.apply(cell).ifPresent(text -> problems.add(cell.name() + ": " + text));
        }
        fail(expectation, problems);
        return this;
    }

    private void fail(String expectation, List<String> problems) {
        if (problems.isEmpty()) {
            return;
        }
        StringBuilder message = new StringBuilder(expectation).append(':');
        problems.forEach(problem -> message.append("\n  ").append(problem));
        List<String> doubts = actual.cells().stream()
                .filter(cell -> cell.verdict().level() == Level.DOUBTFUL)
                .map(cell -> "\n  " + cell.name() + " is " + cell.verdict().text())
                .toList();
        doubts.forEach(message::append);
        message.append("\nReport: ").append(actual.report().toAbsolutePath());
        // The text may hold percent signs, which the formatting variants would take for their own.
        throwAssertionError(
                new org.assertj.core.error.BasicErrorMessageFactory("%s", new Unquoted(message.toString())));
    }

    /** A text that AssertJ prints as it is, without quotes. */
    private record Unquoted(String text) {

        @Override
        public String toString() {
            return text;
        }
    }

    /** Returns a number with four significant digits, as people write it. */
    private static String number(double value) {
        return Double.isFinite(value)
                ? new BigDecimal(value)
                        .round(new MathContext(4))
                        .stripTrailingZeros()
                        .toPlainString()
                : String.valueOf(value);
    }
}
