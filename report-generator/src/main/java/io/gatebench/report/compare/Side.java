/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.compare;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

import io.gatebench.report.judge.Verdicts;
import io.gatebench.report.past.CellKey;
import io.gatebench.report.past.Metric;
import io.gatebench.report.past.OwnRows;
import io.gatebench.report.past.PastRow;
import io.gatebench.report.verdict.Level;
import io.gatebench.report.verdict.Rule;
import io.gatebench.report.verdict.Verdict;

/**
 * One cell of one run with all its repeats.
 *
 * @param run the run's name
 * @param key the cell
 * @param sound the repeats that may be compared
 * @param all all repeats
 * @param reason why the cell cannot be compared, empty if it can
 * @param broken whether the reason is a gateway that does not do its work, rather than a measurement that failed
 * @param caveat what to know of it, beginning with a semicolon, or empty
 */
record Side(
        String run, CellKey key, List<PastRow> sound, List<PastRow> all, String reason, boolean broken, String caveat) {

    /** Why a repeat cannot be compared. */
    private record Objection(String text, boolean ofTheGateway) {}

    /** Returns the cells of a run by the form of their keys that matches other files. */
    static Map<CellKey, Side> byCell(String run, List<PastRow> rows, double largestErrorPercent) {
        List<Verdict> verdicts = Verdicts.ofRows(rows);
        Map<CellKey, List<Integer>> cells = new LinkedHashMap<>();
        for (int i = 0; i < rows.size(); i++) {
            cells.computeIfAbsent(rows.get(i).key().matching(), any -> new ArrayList<>())
                    .add(i);
        }
        Map<CellKey, Side> sides = new LinkedHashMap<>();
        cells.forEach((key, indexes) -> sides.put(key, of(run, rows, verdicts, indexes, largestErrorPercent)));
        return sides;
    }

    /** Returns the load model of the cell, empty if its results do not tell. */
    String loadModel() {
        return all.get(0).cells().getOrDefault(OwnRows.LOAD_MODEL, "");
    }

    private static Side of(
            String run, List<PastRow> rows, List<Verdict> verdicts, List<Integer> indexes, double largestErrorPercent) {
        List<PastRow> sound = new ArrayList<>();
        List<PastRow> all = new ArrayList<>();
        List<Objection> objections = new ArrayList<>();
        String doubt = "";
        for (int index : indexes) {
            PastRow row = rows.get(index);
            Verdict verdict = verdicts.get(index);
            all.add(row);
            Optional<Objection> objection = objection(row, verdict, largestErrorPercent);
            if (objection.isEmpty()) {
                sound.add(row);
                if (doubt.isEmpty() && verdict.level() == Level.DOUBTFUL) {
                    doubt = "; " + run + " is doubtful: "
                            + verdict.findings().get(0).text();
                }
            } else {
                objections.add(objection.get());
            }
        }
        String reasons = objections.stream().map(Objection::text).distinct().collect(Collectors.joining("; "));
        int unsound = objections.size();
        if (2 * unsound > all.size() || sound.isEmpty()) {
            boolean broken = objections.stream().anyMatch(Objection::ofTheGateway);
            return new Side(run, rows.get(indexes.get(0)).key(), List.of(), all, reasons, broken, "");
        }
        if (unsound > 0) {
            doubt += "; " + unsound + " of " + all.size() + " repeats of " + run + " left out: " + reasons;
        }
        return new Side(run, rows.get(indexes.get(0)).key(), sound, all, "", false, doubt);
    }

    /** Errors up to the accepted percentage do not make a row invalid; any other invalid finding does. */
    private static Optional<Objection> objection(PastRow row, Verdict verdict, double largestErrorPercent) {
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
            return Optional.of(new Objection(Words.number(errors.getAsDouble()) + " % of the samples failed", true));
        }
        return verdict.findings().stream()
                .filter(finding -> finding.level() == Level.INVALID && finding.rule() != Rule.ERRORS)
                // What the gateway did wrong matters more than what went wrong with measuring it.
                .min(Comparator.comparing(finding -> !finding.rule().tellsOfTheGateway()))
                .map(finding -> new Objection(
                        "invalid: " + finding.text(), finding.rule().tellsOfTheGateway()))
                .or(() -> ofItsOwnReport(row, errors));
    }

    /** A CSV of ours holds the verdict that needed the whole run; up to the accepted percentage it may be one of errors. */
    private static Optional<Objection> ofItsOwnReport(PastRow row, OptionalDouble errors) {
        boolean maybeOfErrors = errors.orElse(0) > Rule.ERRORS.invalid().orElseThrow();
        if (maybeOfErrors || !OwnRows.verdict(row).equals(Optional.of(Level.INVALID.toString()))) {
            return Optional.empty();
        }
        return Optional.of(
                new Objection("invalid: " + OwnRows.verdictReasons(row).orElse("its report says so"), false));
    }

    /** Returns the natural logarithms of the positive figures of the sound repeats. */
    double[] logs(Metric metric) {
        return sound.stream()
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
    Side without(String why) {
        return new Side(run, key, List.of(), all, why, true, "");
    }
}
