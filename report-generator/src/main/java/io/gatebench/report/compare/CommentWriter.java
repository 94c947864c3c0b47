/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.compare;

import static io.gatebench.report.compare.ComparisonText.percent;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

import io.gatebench.report.column.Metric;
import io.gatebench.report.compare.Comparison.Candidate;
import io.gatebench.report.compare.Comparison.Cell;
import io.gatebench.report.compare.Comparison.Outcome;
import io.gatebench.report.compare.Comparison.Overall;
import io.gatebench.report.compare.Comparison.Whole;
import io.gatebench.report.page.ForeignText;

/** Says a comparison as briefly as the page of a change asks for: a comment, and the lines that GitHub marks a job with. */
final class CommentWriter {

    /** Most lines of a comment. */
    static final int MAX_LINES = 50;

    private static final int MAX_SENTENCES = 8;
    /** GitHub shows no more annotations of a kind than these of one step. */
    private static final int MAX_ANNOTATIONS = 10;
    /** Order of outcomes: what changed, what may have changed, what was not seen, what is known to be equal. */
    private static final List<Outcome> ORDER = List.of(
            Outcome.BROKE,
            Outcome.SLOWER,
            Outcome.REPAIRED,
            Outcome.FASTER,
            Outcome.UNDECIDED,
            Outcome.NOT_COMPARABLE,
            Outcome.NO_DIFFERENCE);

    private CommentWriter() {}

    /** Returns Markdown of at most {@value #MAX_LINES} lines, what changed first. */
    static String comment(Comparison comparison) {
        List<String> lines = new ArrayList<>();
        int share = MAX_LINES / Math.max(1, comparison.candidates().size());
        for (Candidate candidate : comparison.candidates()) {
            if (!lines.isEmpty()) {
                lines.add("");
            }
            lines.addAll(comment(comparison, candidate, share - 1));
        }
        if (lines.size() > MAX_LINES) {
            lines = new ArrayList<>(lines.subList(0, MAX_LINES - 2));
            lines.add("");
            lines.add("Of " + comparison.candidates().size() + " runs not all fit here; the report has the rest.");
        }
        return String.join("\n", lines) + "\n";
    }

    private static List<String> comment(Comparison comparison, Candidate candidate, int most) {
        List<String> lines = new ArrayList<>();
        lines.add("### " + ForeignText.markdownLiteral(candidate.name()) + " against "
                + ForeignText.markdownLiteral(comparison.baseline()) + ": "
                + candidate.outcome().word());
        lines.add("");
        candidate.summary().stream()
                .limit(MAX_SENTENCES)
                .forEach(sentence -> lines.add("- " + ForeignText.markdownLiteral(sentence)));
        List<Cell> cells = candidate.cells().stream()
                .sorted(Comparator.comparing((Cell cell) -> ORDER.indexOf(cell.outcome()))
                        .thenComparing(cell -> !cell.suspect()))
                .toList();
        int room = most - lines.size() - 5;
        if (cells.isEmpty() || room <= 0) {
            return lines;
        }
        lines.add("");
        lines.add("| Verdict | Test case | Figure | Before | After | Change | 95 % interval |");
        lines.add("|---|---|---|---:|---:|---:|---|");
        cells.stream().limit(room).forEach(cell -> lines.add(row(cell)));
        if (cells.size() > room) {
            Map<String, Long> rest = cells.subList(room, cells.size()).stream()
                    .collect(Collectors.groupingBy(
                            cell -> cell.outcome().word(), LinkedHashMap::new, Collectors.counting()));
            lines.add("");
            lines.add("Not shown: "
                    + rest.entrySet().stream()
                            .map(entry -> entry.getValue() + " " + entry.getKey())
                            .collect(Collectors.joining(", "))
                    + ".");
        }
        return lines;
    }

    private static String row(Cell cell) {
        String change = cell.ratio().isPresent() ? percent(cell.ratio().getAsDouble()) : "";
        String interval = cell.low().isPresent() && cell.high().isPresent()
                ? percent(cell.low().getAsDouble()) + " to "
                        + percent(cell.high().getAsDouble())
                : "";
        return "| " + (cell.outcome() == Outcome.NO_DIFFERENCE ? "" : "**")
                + cell.outcome().word()
                + (cell.outcome() == Outcome.NO_DIFFERENCE ? "" : "**") + (cell.suspect() ? ", suspect" : "") + " | "
                + ForeignText.markdownLiteral(cell.key().text()) + " | "
                + cell.metric().shortName() + " | " + ComparisonWriter.number(cell.before()) + " | "
                + ComparisonWriter.number(cell.after()) + " | " + change + " | " + interval + " |";
    }

    /**
     * Returns the lines that GitHub turns into marks on a job: an error for what is slower or broke, a warning for what
     * could not be told.
     */
    static String annotations(Comparison comparison) {
        List<String> errors = new ArrayList<>();
        List<String> warnings = new ArrayList<>();
        for (Candidate candidate : comparison.candidates()) {
            candidate
                    .overall()
                    .forEach(overall -> overall.whole()
                            .filter(whole -> whole.outcome() == Outcome.SLOWER)
                            .ifPresent(whole ->
                                    errors.add(whole(candidate, overall.metric().shortName(), whole))));
            List<Metric> metrics =
                    candidate.overall().stream().map(Overall::metric).toList();
            candidate.cells().stream()
                    .filter(cell -> cell.outcome() == Outcome.SLOWER || cell.outcome() == Outcome.BROKE)
                    .sorted(Comparator.comparing(cell -> metrics.indexOf(cell.metric())))
                    .collect(Collectors.groupingBy(Cell::key, LinkedHashMap::new, Collectors.toList()))
                    .forEach((key, cells) -> errors.add(key.text() + ": "
                            + cells.get(0).outcome().word() + ", "
                            + cells.get(0).reason()
                            + cells.stream()
                                    .skip(1)
                                    .map(cell -> "; " + cell.metric().shortName() + " too")
                                    .collect(Collectors.joining())));
            candidate.cells().stream()
                    .filter(Cell::suspect)
                    .forEach(cell -> warnings.add(cell.key().text() + ": suspect, " + cell.reason()));
            counted(candidate, Outcome.UNDECIDED).ifPresent(warnings::add);
            counted(candidate, Outcome.NOT_COMPARABLE).ifPresent(warnings::add);
            candidate
                    .unmatched()
                    .forEach(other ->
                            warnings.add(other.key().text() + ": not compared, it is only in " + other.onlyIn()));
        }
        comparison.problems().forEach(warnings::add);
        StringBuilder text = new StringBuilder();
        append(text, "error", errors);
        append(text, "warning", warnings);
        return text.toString();
    }

    private static Optional<String> counted(Candidate candidate, Outcome outcome) {
        List<Cell> cells = candidate.cells().stream()
                .filter(cell -> cell.outcome() == outcome && !cell.suspect())
                .toList();
        return cells.stream()
                .findFirst()
                .map(first -> cells.size() + (cells.size() == 1 ? " figure is " : " figures are ") + outcome.word()
                        + ", the first: " + first.key().text() + ", " + first.reason());
    }

    private static String whole(Candidate candidate, String metric, Whole whole) {
        return metric + " of " + candidate.name() + " as a whole: " + percent(whole.ratio()) + " (95 % interval "
                + percent(whole.low()) + " to " + percent(whole.high()) + "), slower";
    }

    private static void append(StringBuilder text, String kind, List<String> lines) {
        int shown = lines.size() > MAX_ANNOTATIONS ? MAX_ANNOTATIONS - 1 : lines.size();
        lines.stream().limit(shown).forEach(line -> append(text, kind, line));
        if (shown < lines.size()) {
            append(text, kind, lines.size() - shown + " more of this kind; the report has them");
        }
    }

    private static void append(StringBuilder text, String kind, String line) {
        text.append("::")
                .append(kind)
                .append(" title=Gatebench::")
                .append(ofOneLine(line))
                .append('\n');
    }

    /** A foreign line break would begin a command of its own. */
    private static String ofOneLine(String line) {
        return line.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A");
    }
}
