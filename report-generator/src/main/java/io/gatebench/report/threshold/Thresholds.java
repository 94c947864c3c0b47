/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.threshold;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

import io.gatebench.report.column.Metric;
import io.gatebench.report.importer.CellKey;
import io.gatebench.report.importer.ResultRow;
import io.gatebench.report.judge.Verdicts;
import io.gatebench.report.verdict.Finding;
import io.gatebench.report.verdict.Level;
import io.gatebench.report.verdict.Rule;
import io.gatebench.report.verdict.Verdict;

/**
 * Conditions that every test case they hold for must meet.
 *
 * <p>Grammar: {@code [<cases>:] <figure> <operator> <number>[<unit>] [for <cases>]}, several separated by commas or
 * line ends, e.g. {@code p99 < 50ms, errors == 0, throughput >= 1000 for passthrough/2G_heap}. {@code errors} counts
 * failed samples, or is their part in percent if the limit has a {@code %}. Immutable and thread-safe.
 *
 * @param all the conditions in order
 */
public record Thresholds(List<Threshold> all) {

    /** Figures of such test cases prove nothing about speed. */
    private static final Set<Rule> UNUSABLE =
            Set.of(Rule.ALL_FAILED, Rule.ERRORS, Rule.NOT_MEASURED, Rule.BELOW_DELAY, Rule.PROBE);

    private static final Set<Metric> ABOUT_ERRORS = Set.of(Metric.ERRORS, Metric.ERROR_PERCENT);

    /**
     * Result of one condition for one test case.
     *
     * @param threshold the condition
     * @param key the test case; empty if the condition holds for no test case at all
     * @param repeat which repeat of the test case
     * @param actual the figure, if there is one
     * @param met whether the condition is met
     * @param text the test case, the figure and by how much it misses the limit, in a sentence
     */
    public record Outcome(
            Threshold threshold, Optional<CellKey> key, int repeat, OptionalDouble actual, boolean met, String text) {}

    /** Copies the list. */
    public Thresholds {
        all = List.copyOf(all);
    }

    /**
     * Reads conditions, each text with one or several of them.
     *
     * @throws ThresholdSyntaxException at the first text that is none
     */
    public static Thresholds parse(List<String> texts) {
        return new Thresholds(texts.stream()
                .flatMap(text -> Arrays.stream(text.split("[,\n]")))
                .filter(text -> !text.isBlank())
                .map(text -> ThresholdParser.parse(text.strip()))
                .toList());
    }

    /** Reads conditions as {@link #parse(List)} does. */
    public static Thresholds parse(String text) {
        return parse(List.of(text));
    }

    /**
     * Returns what each condition says of each row it holds for, in the order of conditions and rows.
     *
     * <p>A condition is not met where the figure is missing, where the test case failed or most of its speed is that of
     * errors, and if it holds for no test case at all: none of these shows that it is met.
     */
    public List<Outcome> evaluate(List<ResultRow> rows) {
        List<Verdict> verdicts = Verdicts.ofRows(rows);
        List<Outcome> outcomes = new ArrayList<>();
        for (Threshold threshold : all) {
            boolean any = false;
            for (int i = 0; i < rows.size(); i++) {
                ResultRow row = rows.get(i);
                if (threshold.appliesTo(row.key(), scenarioName(row))) {
                    any = true;
                    outcomes.add(outcome(threshold, row, verdicts.get(i)));
                }
            }
            if (!any) {
                outcomes.add(new Outcome(
                        threshold,
                        Optional.empty(),
                        1,
                        OptionalDouble.empty(),
                        false,
                        "'" + threshold.text() + "' holds for none of the " + rows.size() + " test cases"));
            }
        }
        return List.copyOf(outcomes);
    }

    /** Returns the outcomes that are not met. */
    public List<Outcome> violations(List<ResultRow> rows) {
        return evaluate(rows).stream().filter(outcome -> !outcome.met()).toList();
    }

    private static Outcome outcome(Threshold threshold, ResultRow row, Verdict verdict) {
        String cell = row.key().text() + (row.repeat() > 1 ? ", repeat " + row.repeat() : "");
        String figure = threshold.figure().name();
        OptionalDouble actual = figure(threshold.figure().metric(), row);
        if (actual.isEmpty()) {
            String why = verdict.findings().stream()
                    .filter(finding -> finding.rule() == Rule.NOT_MEASURED)
                    .map(Finding::text)
                    .findFirst()
                    .orElse("the row holds no number for it");
            return result(threshold, row, actual, false, cell + ": " + figure + " is missing (" + why + ")");
        }
        double value = actual.getAsDouble();
        String unit = threshold.figure().unit().symbol();
        String stated = figure + " is " + number(value) + space(unit);
        Optional<Finding> unusable = verdict.findings().stream()
                .filter(finding -> finding.level() == Level.INVALID && UNUSABLE.contains(finding.rule()))
                .findFirst();
        if (unusable.isPresent() && !ABOUT_ERRORS.contains(threshold.figure().metric())) {
            return result(
                    threshold,
                    row,
                    actual,
                    false,
                    cell + ": " + stated + ", which proves nothing: "
                            + unusable.get().text());
        }
        boolean met = threshold.operator().test(value, threshold.limit());
        String limit = threshold.operator().symbol() + " " + number(threshold.limit()) + space(unit);
        if (met) {
            return result(threshold, row, actual, true, cell + ": " + stated + ", limit " + limit);
        }
        double miss = value - threshold.limit();
        String percent = threshold.limit() == 0 ? "" : " (" + number(100 * Math.abs(miss) / threshold.limit()) + " %)";
        String by = miss == 0
                ? "exactly the limit"
                : number(Math.abs(miss)) + space(unit) + percent + (miss > 0 ? " above" : " below");
        return result(threshold, row, actual, false, cell + ": " + stated + ", " + by + "; required is " + limit);
    }

    private static Outcome result(Threshold threshold, ResultRow row, OptionalDouble actual, boolean met, String text) {
        return new Outcome(threshold, Optional.of(row.key()), row.repeat(), actual, met, text);
    }

    /** Published tables hold the percentage of errors alone; it is zero only if the count is, as far as they tell. */
    private static OptionalDouble figure(Metric metric, ResultRow row) {
        if (metric == Metric.ERROR_PERCENT) {
            return row.errorPercent();
        }
        OptionalDouble own = row.number(metric);
        if (own.isEmpty() && metric == Metric.ERRORS) {
            OptionalDouble percent = row.errorPercent();
            return percent.isPresent() && percent.getAsDouble() == 0 ? percent : OptionalDouble.empty();
        }
        return own;
    }

    /** The results tree names the scenario in the path of our own rows. */
    private static String scenarioName(ResultRow row) {
        int slash = row.file().indexOf('/');
        return slash < 0 ? row.key().scenario() : row.file().substring(0, slash);
    }

    private static String space(String unit) {
        return unit.isEmpty() || unit.equals("/s") ? unit : " " + unit;
    }

    private static String number(double value) {
        BigDecimal exact = BigDecimal.valueOf(value);
        BigDecimal rounded = Math.abs(value) >= 10_000
                ? exact.setScale(0, RoundingMode.HALF_EVEN)
                : exact.round(new MathContext(5, RoundingMode.HALF_EVEN));
        return rounded.signum() == 0 ? "0" : rounded.stripTrailingZeros().toPlainString();
    }
}
