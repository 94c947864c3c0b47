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
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

import org.assertj.core.api.AbstractAssert;

import io.gatebench.model.DataSize;
import io.gatebench.model.MeasuredValue;
import io.gatebench.model.ResponseTimes;
import io.gatebench.model.SampleStatistics;
import io.gatebench.report.compare.Comparison;
import io.gatebench.report.compare.ComparisonOptions;
import io.gatebench.report.compare.RunComparator;
import io.gatebench.report.importer.ImportedRun;
import io.gatebench.report.importer.ResultRow;
import io.gatebench.report.importer.ResultsImporter;
import io.gatebench.report.importer.RunResultRows;
import io.gatebench.report.results.AtomicFiles;
import io.gatebench.report.threshold.Thresholds;
import io.gatebench.report.verdict.Level;
import io.gatebench.runner.BenchmarkResult;
import io.gatebench.runner.CaseResult;
import io.gatebench.runner.RelativeBaseline;

/**
 * Assertions on the result of a performance test; each holds for every repeat of every test case.
 *
 * <p>Nothing is asserted on figures that prove nothing: every assertion first fails with the reasons if a test case
 * failed, was skipped or is invalid. Doubtful test cases are accepted, but for {@link #isNotDoubtful()}. Messages hold
 * figure, limit, test case and the path of the report.
 *
 * @since 0.1
 */
public final class BenchmarkResultAssert extends AbstractAssert<BenchmarkResultAssert, BenchmarkResult> {

    /** The file in a results directory that says what a comparison with a baseline that passed could have found. */
    public static final String GATE_FILE = "gate.txt";

    private final Predicate<CaseResult> scope;
    private final Optional<List<String>> collected;

    BenchmarkResultAssert(BenchmarkResult actual) {
        this(actual, cell -> true, Optional.empty());
    }

    private BenchmarkResultAssert(
            BenchmarkResult actual, Predicate<CaseResult> scope, Optional<List<String>> collected) {
        super(actual, BenchmarkResultAssert.class);
        this.scope = scope;
        this.collected = collected;
    }

    /**
     * Holds what follows to the test cases of one scenario alone.
     *
     * @throws AssertionError if there are none
     */
    public BenchmarkResultAssert forScenario(String name) {
        return narrowed(
                "a test case of the scenario " + name,
                cell -> cell.result().testCase().scenario().equals(name));
    }

    /**
     * Holds what follows to the test cases with so many users alone.
     *
     * @throws AssertionError if there are none
     */
    public BenchmarkResultAssert forUsers(int users) {
        return narrowed(
                "a test case with " + users + " users",
                cell -> cell.result().testCase().users() == users);
    }

    private BenchmarkResultAssert narrowed(String what, Predicate<CaseResult> narrower) {
        isNotNull();
        Predicate<CaseResult> both = scope.and(narrower);
        if (cells(both).isEmpty()) {
            fail(
                    "Expecting " + what + ", but",
                    List.of("there are only "
                            + cells(scope).stream().map(CaseResult::name).toList()));
        }
        return new BenchmarkResultAssert(actual, both, collected);
    }

    /**
     * Verifies all limits and tells every one that is broken, where a chain of assertions ends with the first one.
     *
     * @param limits is given the assertions of this result
     */
    public BenchmarkResultAssert meetsAll(Consumer<BenchmarkResultAssert> limits) {
        isUsable();
        List<String> broken = new ArrayList<>();
        limits.accept(new BenchmarkResultAssert(actual, scope, Optional.of(broken)));
        if (!broken.isEmpty()) {
            throwIt(String.join("\n", broken));
        }
        return this;
    }

    private List<CaseResult> cells(Predicate<CaseResult> some) {
        return actual.cells().stream().filter(some).toList();
    }

    /** Verifies that all planned test cases were measured and none is invalid. */
    public BenchmarkResultAssert isUsable() {
        isNotNull();
        List<String> problems = actual.problems();
        if (!problems.isEmpty()) {
            throwIt(listed("Expecting figures that can be used, but", problems));
        }
        return this;
    }

    /** Verifies that no rule speaks against any test case. */
    public BenchmarkResultAssert isNotDoubtful() {
        isUsable();
        fail(
                "Expecting test cases without doubt, but",
                cells(scope).stream()
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
        return check("Expecting errors of at most " + limit(percent) + " %, but", cell -> {
            double actualPercent = 100.0 * cell.errors() / cell.samples();
            return actualPercent <= percent
                    ? Optional.empty()
                    : Optional.of(beside(actualPercent, percent) + " % of " + cell.samples() + " samples failed");
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
        return check("Expecting a " + name + " below " + limit(limitMillis) + " ms, but", cell -> {
            for (SampleStatistics statistics : cell.statistics()) {
                double millis = figure.applyAsDouble(statistics.all());
                if (millis >= limitMillis) {
                    return Optional.of("it is " + beside(millis, limitMillis) + " ms for " + statistics.label() + " ("
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
                "Expecting a throughput above " + limit(perSecond) + " per second, but",
                cell -> cell.throughputPerSecond() > perSecond
                        ? Optional.empty()
                        : Optional.of("it is " + beside(cell.throughputPerSecond(), perSecond) + " per second"));
    }

    /** Verifies that the throughput, divided by that of the control run, is above a limit between 0 and 1. */
    public BenchmarkResultAssert throughputRatioToControlIsAbove(double ratio) {
        return check("Expecting a throughput above " + limit(ratio) + " of the control run's, but", cell -> {
            OptionalDouble actualRatio = cell.throughputRatioToControl();
            if (actualRatio.isEmpty()) {
                return Optional.of("there is no control run; ask for it with controlRun(true)");
            }
            return actualRatio.getAsDouble() > ratio
                    ? Optional.empty()
                    : Optional.of("it is " + beside(actualRatio.getAsDouble(), ratio) + " of it");
        });
    }

    /** Verifies that the gateway spent more than so many percent of its run time outside of GC pauses. */
    public BenchmarkResultAssert gcThroughputIsAbove(double percent) {
        return gc(
                "Expecting a GC throughput above " + limit(percent) + " %, but",
                value -> "it is " + beside(value, percent) + " %",
                cell -> cell.gatewayGc().map(gc -> gc.compat().gcThroughputPercent()),
                value -> value > percent);
    }

    /** Verifies that the heap that the gateway uses after full GCs is, on average, below a limit. */
    public BenchmarkResultAssert footprintAfterFullGcIsBelow(DataSize limit) {
        return gc(
                "Expecting a footprint after full GC below " + limit(limit.bytes()) + " bytes, but",
                value -> "it is " + beside(value, limit.bytes()) + " bytes",
                cell -> cell.gatewayGc().map(gc -> gc.compat().footprintAfterFullGcMeanBytes()),
                value -> value < limit.bytes());
    }

    private BenchmarkResultAssert gc(
            String expectation,
            java.util.function.DoubleFunction<String> text,
            java.util.function.Function<CaseResult, Optional<MeasuredValue>> figure,
            java.util.function.DoublePredicate met) {
        return check(
                expectation,
                cell -> figure.apply(cell)
                        .map(f -> f.<Optional<String>>fold(
                                value -> met.test(value) ? Optional.empty() : Optional.of(text.apply(value)),
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
        List<ResultRow> rows = cells(scope).stream()
                .flatMap(cell -> RunResultRows.of(actual.info(), cell.result()).stream())
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
     * Verifies that no test case is slower than in an earlier run by more than noise; the figures are absolute, so that
     * both runs must be of one machine.
     *
     * @param baseline what {@code compare} reads: a results directory, a wide CSV or a published Markdown document
     * @throws io.gatebench.report.results.ReportException if it cannot be read
     */
    public BenchmarkResultAssert isNotSlowerThan(Path baseline) {
        isUsable();
        ResultsImporter reader = new ResultsImporter();
        return isNotSlower(reader.read(baseline), reader.read(actual.directory()));
    }

    /** Verifies that no test case is slower than in another run by more than noise. */
    public BenchmarkResultAssert isNotSlowerThan(BenchmarkResult baseline) {
        return isNotSlowerThan(baseline.directory());
    }

    private BenchmarkResultAssert isNotSlower(ImportedRun before, ImportedRun now) {
        Comparison.Candidate candidate = new RunComparator(ComparisonOptions.defaults())
                .compare(List.of(before, now))
                .candidates()
                .get(0);
        if (candidate.cells().isEmpty()) {
            fail("Expecting a baseline of the same test cases, but", List.of(before.name() + " has none of them"));
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

    /** Verifies that nothing got worse than a baseline by more than the noise of the repeats of both. */
    public BenchmarkResultAssert isNotSlowerThan(RelativeBaseline baseline) {
        return isNotSlowerThan(baseline, 0);
    }

    /**
     * Verifies that nothing got worse than a baseline by more than noise and an accepted part: neither throughput, mean and
     * 99th percentile, in parts of the control run's, nor GC throughput, footprint and CPU time per request.
     *
     * <p>What is noise is computed from the repeats of both sides; it fails where they tell too little to find a loss. When
     * it passes, the file {@value #GATE_FILE} in the results directory says which losses would have been found.
     *
     * @param acceptedPercent a loss up to this part is accepted even if it is beyond noise
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
                "Expecting nothing worse than the baseline (" + baseline.origin() + "), but",
                differences.stream()
                        .filter(RelativeBaseline.Difference::worse)
                        .map(difference -> difference.cell() + ": " + difference.text())
                        .toList());
        StringBuilder text =
                new StringBuilder("Nothing is worse than the baseline (" + baseline.origin() + ") beyond noise:\n");
        differences.forEach(difference -> text.append(difference.cell())
                .append(": ")
                .append(difference.text())
                .append('\n'));
        AtomicFiles.write(actual.directory().resolve(GATE_FILE), text.toString());
        return this;
    }

    private BenchmarkResultAssert check(
            String expectation, java.util.function.Function<CaseResult, Optional<String>> problem) {
        isUsable();
        List<String> problems = new ArrayList<>();
        for (CaseResult cell : cells(scope)) {
            problem.apply(cell).ifPresent(text -> problems.add(cell.name() + ": " + text));
        }
        fail(expectation, problems);
        return this;
    }

    private void fail(String expectation, List<String> problems) {
        if (problems.isEmpty()) {
            return;
        }
        String text = listed(expectation, problems);
        collected.ifPresentOrElse(all -> all.add(text), () -> throwIt(text));
    }

    private static String listed(String expectation, List<String> problems) {
        StringBuilder text = new StringBuilder(expectation).append(':');
        problems.forEach(problem -> text.append("\n  ").append(problem));
        return text.toString();
    }

    private void throwIt(String text) {
        StringBuilder message = new StringBuilder(text);
        actual.cells().stream()
                .filter(cell -> cell.verdict().level() == Level.DOUBTFUL)
                .forEach(cell -> message.append("\n  ")
                        .append(cell.name())
                        .append(" is ")
                        .append(cell.verdict().text()));
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
        return number(value, 4);
    }

    /** Returns a limit as it was given: rounded it would be another one. */
    private static String limit(double value) {
        return number(value, 17);
    }

    /** Returns a number with as many digits, four or more, as tell it from a limit that it misses. */
    private static String beside(double value, double limit) {
        int digits = 4;
        while (digits < 17 && value != limit && Double.parseDouble(number(value, digits)) == limit) {
            digits++;
        }
        return number(value, digits);
    }

    private static String number(double value, int digits) {
        return Double.isFinite(value)
                ? BigDecimal.valueOf(value)
                        .round(new MathContext(digits))
                        .stripTrailingZeros()
                        .toPlainString()
                : String.valueOf(value);
    }
}
