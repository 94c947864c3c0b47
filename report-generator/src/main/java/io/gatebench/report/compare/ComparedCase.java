/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.compare;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.gatebench.report.column.Metric;
import io.gatebench.report.compare.Comparison.Judged;
import io.gatebench.report.importer.CellKey;
import io.gatebench.report.importer.ResultRow;
import io.gatebench.report.importer.RunResultRows;
import io.gatebench.report.judge.VerdictColumns;
import io.gatebench.report.judge.Verdicts;
import io.gatebench.report.verdict.Finding;
import io.gatebench.report.verdict.Level;
import io.gatebench.report.verdict.Rule;
import io.gatebench.report.verdict.Verdict;

/**
 * One test case of one run with all its repeats.
 *
 * @param run the run's name
 * @param key the test case
 * @param sound the repeats that may be compared
 * @param verdicts the verdicts of the sound repeats
 * @param all all repeats
 * @param reason why the test case cannot be compared, empty if it can
 * @param broken whether the reason is a gateway that does not do its work, rather than a measurement that failed
 * @param caveat what to know of it, beginning with a semicolon, or empty
 * @param judged the repeats that are doubtful or invalid
 */
record ComparedCase(
        String run,
        CellKey key,
        List<ResultRow> sound,
        List<Verdict> verdicts,
        List<ResultRow> all,
        String reason,
        boolean broken,
        String caveat,
        List<Judged> judged) {

    /** Reason for which a repeat cannot be compared. */
    private record Objection(String text, boolean ofTheGateway) {}

    /** Returns the test cases of a run by the form of their keys that matches other files. */
    static Map<CellKey, ComparedCase> byCell(String run, List<ResultRow> rows, double largestErrorPercent) {
        List<Verdict> verdicts = Verdicts.ofRows(rows);
        Map<CellKey, List<Integer>> cells = new LinkedHashMap<>();
        for (int i = 0; i < rows.size(); i++) {
            cells.computeIfAbsent(rows.get(i).key().matching(), any -> new ArrayList<>())
                    .add(i);
        }
        Map<CellKey, ComparedCase> sides = new LinkedHashMap<>();
        cells.forEach((key, indexes) -> sides.put(key, of(run, rows, verdicts, indexes, largestErrorPercent)));
        return sides;
    }

    /** Returns the load model of the test case, empty if its results do not tell. */
    String loadModel() {
        return all.get(0).cells().getOrDefault(RunResultRows.LOAD_MODEL, "");
    }

    /** Returns what runs must share, in parts separated by semicolons; empty if the test case's results do not tell. */
    String setUp() {
        return all.get(0).cells().getOrDefault(RunResultRows.SET_UP, "");
    }

    /** Returns whether both sides are steady gateways with processors for themselves, on one machine within a day. */
    boolean isOfTheSameDayAs(ComparedCase other) {
        List<String> machines = Stream.concat(sound.stream(), other.sound.stream())
                .map(row -> row.cells().getOrDefault(RunResultRows.STEADY_ON, ""))
                .distinct()
                .toList();
        return machines.size() == 1
                && !machines.get(0).isEmpty()
                && Duration.between(started(), other.started()).abs().compareTo(Duration.ofDays(1)) <= 0;
    }

    private Instant started() {
        return Instant.parse(sound.get(0).cells().get(RunResultRows.STARTED));
    }

    /** Returns whether the gateway was not started anew for this test case. */
    boolean hasKeptGateway() {
        return all.get(0).cells().containsKey(RunResultRows.KEPT_GATEWAY);
    }

    private static ComparedCase of(
            String run,
            List<ResultRow> rows,
            List<Verdict> verdicts,
            List<Integer> indexes,
            double largestErrorPercent) {
        List<ResultRow> sound = new ArrayList<>();
        List<ResultRow> all = new ArrayList<>();
        List<Objection> objections = new ArrayList<>();
        List<Verdict> ofSound = new ArrayList<>();
        List<Judged> judged = new ArrayList<>();
        for (int index : indexes) {
            ResultRow row = rows.get(index);
            Verdict verdict = verdicts.get(index);
            all.add(row);
            Verdict whole = withItsOwnReport(row, verdict);
            if (whole.level() != Level.VALID) {
                judged.add(new Judged(run, row.key(), row.where(), whole));
            }
            Optional<Objection> objection = objection(row, verdict, largestErrorPercent);
            if (objection.isEmpty()) {
                sound.add(row);
                // What the errors may be was said in the options.
                ofSound.add(Verdict.of(whole.findings().stream()
                        .filter(finding -> finding.rule() != Rule.ERRORS)
                        .toList()));
            } else {
                objections.add(objection.get());
            }
        }
        String reasons = objections.stream().map(Objection::text).distinct().collect(Collectors.joining("; "));
        int unsound = objections.size();
        if (2 * unsound > all.size() || sound.isEmpty()) {
            boolean broken = objections.stream().anyMatch(Objection::ofTheGateway);
            return new ComparedCase(
                    run, rows.get(indexes.get(0)).key(), List.of(), List.of(), all, reasons, broken, "", judged);
        }
        String caveat = "";
        if (unsound > 0) {
            caveat = "; " + unsound + " of " + all.size() + " repeats of " + run + " left out: " + reasons;
        }
        return new ComparedCase(run, rows.get(indexes.get(0)).key(), sound, ofSound, all, "", false, caveat, judged);
    }

    /** A CSV of ours says what its run was found to be, which its cells alone may not show. */
    private static Verdict withItsOwnReport(ResultRow row, Verdict verdict) {
        Verdict stated = VerdictColumns.of(row).orElse(Verdict.VALID);
        List<Finding> findings = new ArrayList<>(verdict.findings());
        stated.findings().stream()
                .filter(finding -> findings.stream().noneMatch(known -> known.rule() == finding.rule()))
                .forEach(findings::add);
        Level level = RunResultRows.verdict(row)
                .filter(Level.INVALID.toString()::equals)
                .map(any -> Level.INVALID)
                .or(() -> RunResultRows.verdict(row)
                        .filter(Level.DOUBTFUL.toString()::equals)
                        .map(any -> Level.DOUBTFUL))
                .orElse(Level.VALID);
        if (level != Level.VALID && findings.isEmpty()) {
            boolean maybeOfErrors =
                    row.errorPercent().orElse(0) > Rule.ERRORS.doubtful().orElseThrow();
            // Earlier versions wrote the reasons without their rules.
            findings.add(new Finding(
                    maybeOfErrors ? Rule.ERRORS : Rule.NOT_MEASURED,
                    level,
                    RunResultRows.verdictReasons(row).orElse("its report says so")));
        }
        return Verdict.of(findings);
    }

    /** Errors up to the accepted percentage do not make a row invalid; any other invalid finding does. */
    private static Optional<Objection> objection(ResultRow row, Verdict verdict, double largestErrorPercent) {
        // What was changed afterwards tells neither of the gateway nor of a failure of it.
        Optional<Objection> changed = verdict.findings().stream()
                .filter(finding -> finding.rule() == Rule.CHANGED)
                .findFirst()
                .map(finding -> new Objection("invalid: " + finding.text(), false));
        if (changed.isPresent()) {
            return changed;
        }
        OptionalDouble errors = row.errorPercent();
        if (errors.isPresent() && errors.getAsDouble() > largestErrorPercent) {
            return Optional.of(new Objection(
                    ComparisonText.number(errors.getAsDouble()) + " % of the samples failed",
                    doesNotDoItsWork(row, errors.getAsDouble())));
        }
        return verdict.findings().stream()
                .filter(finding -> finding.level() == Level.INVALID && finding.rule() != Rule.ERRORS)
                // What the gateway did wrong matters more than what went wrong with measuring it.
                .min(Comparator.comparing(finding -> !finding.rule().indicatesGatewayFault()))
                .map(finding -> new Objection(
                        "invalid: " + finding.text(), finding.rule().indicatesGatewayFault()))
                .or(() -> ofItsOwnReport(row, errors));
    }

    /**
     * A glitch of the network fails each user's request once at most; what fails more of them, or one in a hundred, is the
     * gateway.
     */
    private static boolean doesNotDoItsWork(ResultRow row, double errorPercent) {
        OptionalDouble failed = row.number(Metric.ERRORS);
        return errorPercent >= Rule.ERRORS.invalid().orElseThrow()
                || failed.isPresent()
                        && row.key().users().isPresent()
                        && failed.getAsDouble() > row.key().users().getAsInt();
    }

    /** A CSV of ours holds the verdict that needed the whole run; up to the accepted percentage it may be one of errors. */
    private static Optional<Objection> ofItsOwnReport(ResultRow row, OptionalDouble errors) {
        boolean maybeOfErrors = errors.orElse(0) > Rule.ERRORS.invalid().orElseThrow();
        if (maybeOfErrors || !RunResultRows.verdict(row).equals(Optional.of(Level.INVALID.toString()))) {
            return Optional.empty();
        }
        return Optional.of(
                new Objection("invalid: " + RunResultRows.verdictReasons(row).orElse("its report says so"), false));
    }

    /** Returns whether the repeats that may be compared are too doubtful to build on. */
    boolean isDoubtful(Metric metric) {
        long doubted =
                verdicts.stream().filter(verdict -> doubts(verdict, metric)).count();
        return 2 * doubted >= Math.max(1, sound.size());
    }

    /** Returns what makes a figure doubtful, beginning with a semicolon, or nothing. */
    String doubt(Metric metric) {
        return verdicts.stream()
                .flatMap(verdict -> verdict.findings().stream())
                .filter(finding -> concerns(finding.rule(), metric))
                .findFirst()
                .map(finding -> "; " + run
                        + (isDoubtful(metric) ? " is doubtful: " : " has doubtful repeats, which are left out: ")
                        + finding.text())
                .orElse("");
    }

    private static boolean doubts(Verdict verdict, Metric metric) {
        return verdict.findings().stream().anyMatch(finding -> concerns(finding.rule(), metric));
    }

    /** Some rules doubt a figure of the row and leave the others alone. */
    private static boolean concerns(Rule rule, Metric metric) {
        return switch (rule) {
            case GC_THROUGHPUT, GC_FORMULA -> metric == Metric.GC_THROUGHPUT;
            case FOOTPRINT_UNIT -> metric == Metric.FOOTPRINT;
            case CLOCK_OFFSET -> metric == Metric.GC_THROUGHPUT || metric == Metric.FOOTPRINT;
            case ERROR_COUNT -> metric == Metric.ERRORS || metric == Metric.ERROR_PERCENT;
            case COARSE_TIMES -> metric.ofTimes().isPresent();
            case PERCENTILES -> metric.percentile().isPresent();
            default -> true;
        };
    }

    /** Returns whether this side holds the very figures of another: it is one measurement, read twice. */
    boolean holdsTheFiguresOf(ComparedCase other) {
        if (sound.size() != other.sound.size()) {
            return false;
        }
        for (int i = 0; i < sound.size(); i++) {
            for (Metric metric : Metric.values()) {
                OptionalDouble left = sound.get(i).number(metric);
                OptionalDouble right = other.sound.get(i).number(metric);
                if (left.isPresent() && right.isPresent() && left.getAsDouble() != right.getAsDouble()) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Returns the natural logarithms of the positive figures of the sound repeats, of the doubtful ones only if most are. */
    double[] logs(Metric metric) {
        boolean all = isDoubtful(metric);
        return IntStream.range(0, sound.size())
                .filter(i -> all || !doubts(verdicts.get(i), metric))
                .mapToObj(sound::get)
                .filter(row -> RunComparator.isPositive(row, metric))
                .mapToDouble(row -> Math.log(row.number(metric).orElseThrow()))
                .toArray();
    }

    /** Returns the mean over all repeats, also those that may not be compared. */
    OptionalDouble anyMean(Metric metric) {
        return all.stream()
                .map(row -> row.number(metric))
                .filter(OptionalDouble::isPresent)
                .mapToDouble(OptionalDouble::getAsDouble)
                .average();
    }

    /** Returns whether all sound repeats say how many samples failed. */
    boolean errorsKnown() {
        return sound.stream().allMatch(row -> row.errorPercent().isPresent());
    }

    /** Returns the received KiB per answer, if the rows hold it. */
    OptionalDouble answerSize() {
        return sound.stream()
                .filter(row -> RunComparator.isPositive(row, Metric.RECEIVED)
                        && RunComparator.isPositive(row, Metric.THROUGHPUT))
                .mapToDouble(row -> row.number(Metric.RECEIVED).orElseThrow()
                        / row.number(Metric.THROUGHPUT).orElseThrow())
                .average();
    }

    /** Returns where the first repeat stands. */
    String where() {
        return all.get(0).where();
    }

    /** Returns this side as one that cannot be compared. */
    ComparedCase without(String why) {
        return new ComparedCase(run, key, List.of(), List.of(), all, why, true, "", judged);
    }
}
