/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.trend;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;

import io.gatebench.report.column.Metric;
import io.gatebench.report.importer.CellKey;
import io.gatebench.report.importer.History;
import io.gatebench.report.importer.ImportedRun;
import io.gatebench.report.importer.ResultRow;
import io.gatebench.report.judge.Verdicts;
import io.gatebench.report.trend.ChangePoints.ChangePoint;
import io.gatebench.report.verdict.Level;
import io.gatebench.report.verdict.Rule;
import io.gatebench.report.verdict.Verdict;

/**
 * Follows a figure over many runs, each test case by itself, and finds where its level changed.
 *
 * <p>Runs with errors of 1 % or more, or with any other invalid verdict, and runs without the figure are left out and
 * listed. A pure function of its arguments.
 */
public final class TrendAnalyzer {

    private static final List<String> VERSIONS = List.of("Version", "Release", "Tag", "Build");
    private static final List<String> COMMITS = List.of("Commit", "Revision", "SHA", "Git Commit");

    /** The chance that a trend without a change shows one, in whichever of its series. */
    public static final double DEFAULT_FALSE_ALARM_RATE = 0.05;

    /** Smaller changes are of no interest. */
    public static final double DEFAULT_SMALLEST_CHANGE_PERCENT = 1;

    /** The search takes time by the square of the runs. */
    private static final int MAX_RUNS = 20_000;

    private final double falseAlarmRate;
    private final double smallestChangePercent;

    /** A row with its time. */
    private record Run(ResultRow row, String time, OptionalDouble at, Verdict verdict) {}

    /** Makes an analyzer with the defaults. */
    public TrendAnalyzer() {
        this(DEFAULT_FALSE_ALARM_RATE, DEFAULT_SMALLEST_CHANGE_PERCENT);
    }

    /**
     * Makes an analyzer.
     *
     * @param falseAlarmRate the chance that a trend without a change shows one in any of its series, above 0 and below 1
     * @param smallestChangePercent smaller changes are not reported, 0 or more
     * @throws IllegalArgumentException if a figure is out of range
     */
    public TrendAnalyzer(double falseAlarmRate, double smallestChangePercent) {
        if (!(falseAlarmRate > 0 && falseAlarmRate < 1)) {
            throw new IllegalArgumentException(
                    "the false alarm rate must be above 0 and below 1 but was " + falseAlarmRate);
        }
        if (!(smallestChangePercent >= 0)) {
            throw new IllegalArgumentException(
                    "the smallest change must not be negative but was " + smallestChangePercent);
        }
        this.falseAlarmRate = falseAlarmRate;
        this.smallestChangePercent = smallestChangePercent;
    }

    /**
     * Follows a column of one long file in which every row is a run of a test case.
     *
     * @param value a column name or the short name of a metric
     * @param time a column name; empty for the order of the file
     * @throws IllegalArgumentException if no row has such a column
     */
    public Trend analyze(ImportedRun file, String value, Optional<String> time) {
        checkColumn(file.rows(), value);
        time.ifPresent(column -> checkColumn(file.rows(), column));
        List<Verdict> verdicts = verdictsOfRuns(file.rows());
        List<Run> runs = new ArrayList<>();
        for (int i = 0; i < file.rows().size(); i++) {
            ResultRow row = file.rows().get(i);
            String at = time.flatMap(column -> cell(row, column)).orElse("");
            runs.add(new Run(row, at, at.isBlank() ? OptionalDouble.empty() : TimeOrder.parse(at), verdicts.get(i)));
        }
        return analyze(runs, value, time.isPresent(), new ArrayList<>());
    }

    /**
     * Follows a column over the runs of a directory, in natural order of their names.
     *
     * @param value a column name or the short name of a metric
     * @throws IllegalArgumentException if no row has such a column
     */
    public Trend analyze(History history, String value) {
        List<Run> runs = new ArrayList<>();
        List<ResultRow> all = new ArrayList<>();
        int number = 0;
        for (ImportedRun result : history.runs()) {
            number++;
            List<Verdict> verdicts = Verdicts.ofRows(result.rows());
            for (int i = 0; i < result.rows().size(); i++) {
                ResultRow row = result.rows().get(i);
                all.add(row);
                runs.add(new Run(row, result.name(), OptionalDouble.of(number), verdicts.get(i)));
            }
        }
        checkColumn(all, value);
        List<String> notes = new ArrayList<>();
        notes.add("runs are in natural order of their names");
        // Each file of another tool lacks the same.
        history.problems().stream()
                .collect(Collectors.groupingBy(ImportedRun.Problem::text, LinkedHashMap::new, Collectors.toList()))
                .values()
                .forEach(alike -> notes.add(alike.get(0) + (alike.size() > 1 ? " (" + alike.size() + " times)" : "")));
        return analyze(runs, value, true, notes);
    }

    private Trend analyze(List<Run> runs, String value, boolean timed, List<String> notes) {
        boolean ordered = timed
                && runs.stream()
                        .allMatch(run -> run.at().isPresent() || run.time().isBlank());
        if (!ordered) {
            notes.add(
                    timed
                            ? "not all times can be read: runs are in the order of the file"
                            : "runs are in the order of the file");
        }
        Map<CellKey, List<Run>> cells = new LinkedHashMap<>();
        runs.forEach(run -> cells.computeIfAbsent(run.row().key().matching(), any -> new ArrayList<>())
                .add(run));
        List<Trend.Series> followed = new ArrayList<>();
        List<Trend.Excluded> excluded = new ArrayList<>();
        Optional<Metric> metric = metric(runs, value);
        for (List<Run> cell : cells.values()) {
            String name = cell.get(0).row().key().text();
            List<Run> sorted = new ArrayList<>(cell);
            if (ordered) {
                sorted.sort(Comparator.comparingDouble(run -> run.at().orElse(Double.NEGATIVE_INFINITY)));
            }
            List<Trend.Point> points = new ArrayList<>();
            int number = 0;
            for (Run run : sorted) {
                number++;
                String text = cell(run.row(), value).orElse("");
                OptionalDouble figure = figure(run.row(), value);
                String reason = reason(run, figure, timed, metric.isPresent());
                if (reason.isEmpty()) {
                    points.add(new Trend.Point(
                            number,
                            run.time(),
                            figure.orElseThrow(),
                            run.row().where(),
                            named(run.row(), VERSIONS),
                            named(run.row(), COMMITS)));
                } else {
                    excluded.add(new Trend.Excluded(
                            name, number, run.time(), text, run.row().where(), reason));
                }
            }
            if (points.size() > MAX_RUNS) {
                notes.add(name + ": only the last " + MAX_RUNS + " of " + points.size() + " runs were followed");
                points = points.subList(points.size() - MAX_RUNS, points.size());
            }
            followed.add(new Trend.Series(name, points, List.of(), Optional.empty()));
        }
        int tested = (int) followed.stream()
                .filter(series -> series.points().size() > ChangePoints.HELD)
                .count();
        List<Trend.Series> judged = followed.stream()
                .map(series -> series(series.name(), series.points(), metric, tested))
                .toList();
        return new Trend(value, judged, excluded, notes);
    }

    /** A figure that is none of ours, such as a ratio of a benchmark, needs no gateway that was measured beside it. */
    private static String reason(Run run, OptionalDouble figure, boolean timed, boolean ours) {
        if (figure.isEmpty()) {
            return "the row holds no number for the figure";
        }
        if (timed && run.time().isBlank()) {
            return "the row holds no time";
        }
        return run.verdict().findings().stream()
                .filter(finding -> finding.level() == Level.INVALID)
                .filter(finding -> ours || finding.rule() != Rule.NOT_MEASURED)
                .findFirst()
                .map(finding -> "invalid: " + finding.text())
                .orElse("");
    }

    private Trend.Series series(String name, List<Trend.Point> points, Optional<Metric> metric, int tested) {
        double[] values = points.stream().mapToDouble(Trend.Point::value).toArray();
        boolean positive = Arrays.stream(values).allMatch(value -> value > 0);
        double[] scaled = positive ? Arrays.stream(values).map(Math::log).toArray() : values;
        ChangePoints.Found all = ChangePoints.find(scaled, falseAlarmRate, tested);
        int end = all.early().map(ChangePoint::index).orElse(values.length);
        List<ChangePoint> found = new ArrayList<>(all.changes());
        List<Trend.Change> changes = new ArrayList<>();
        for (int i = 0; i < found.size(); i++) {
            changes.add(change(points, values, found, i, end, metric));
        }
        while (!changes.isEmpty()) {
            int smallest = 0;
            for (int i = 1; i < changes.size(); i++) {
                if (percent(changes.get(i)) < percent(changes.get(smallest))) {
                    smallest = i;
                }
            }
            if (percent(changes.get(smallest)) >= smallestChangePercent) {
                break;
            }
            found.remove(smallest);
            changes.remove(smallest);
            // Only the levels beside it are others now.
            for (int i = Math.max(0, smallest - 1); i < Math.min(found.size(), smallest + 1); i++) {
                changes.set(i, change(points, values, found, i, end, metric));
            }
        }
        int last = found.isEmpty() ? 0 : found.get(found.size() - 1).index();
        Optional<Trend.Change> early = all.early()
                .map(point -> change(points, values, last, point, values.length, metric))
                .filter(change -> percent(change) >= smallestChangePercent);
        return new Trend.Series(name, points, changes, early);
    }

    private static Trend.Change change(
            List<Trend.Point> points,
            double[] values,
            List<ChangePoint> found,
            int at,
            int end,
            Optional<Metric> metric) {
        int from = at == 0 ? 0 : found.get(at - 1).index();
        int to = at + 1 == found.size() ? end : found.get(at + 1).index();
        return change(points, values, from, found.get(at), to, metric);
    }

    private static Trend.Change change(
            List<Trend.Point> points, double[] values, int from, ChangePoint found, int to, Optional<Metric> metric) {
        double before = ChangePoints.median(Arrays.copyOfRange(values, from, found.index()));
        double after = ChangePoints.median(Arrays.copyOfRange(values, found.index(), to));
        return new Trend.Change(
                found.index(),
                points.get(found.index()),
                points.get(found.earliest()),
                points.get(found.latest()),
                before,
                after,
                found.p(),
                direction(after > before, metric));
    }

    private static double percent(Trend.Change change) {
        return change.before() == 0 ? Double.POSITIVE_INFINITY : 100 * Math.abs(change.after() / change.before() - 1);
    }

    private static Trend.Direction direction(boolean up, Optional<Metric> metric) {
        if (metric.isEmpty()) {
            return up ? Trend.Direction.UP : Trend.Direction.DOWN;
        }
        boolean better = up == (metric.get().better() == Metric.Better.HIGHER);
        return better ? Trend.Direction.BETTER : Trend.Direction.WORSE;
    }

    private static Optional<String> named(ResultRow row, List<String> columns) {
        return columns.stream()
                .flatMap(column -> cell(row, column).stream())
                .map(String::strip)
                .filter(text -> !text.isEmpty())
                .findFirst();
    }

    private static Optional<Metric> metric(List<Run> runs, String value) {
        Optional<Metric> named = Metric.named(value);
        if (named.isPresent() || runs.isEmpty()) {
            return named;
        }
        ResultRow row = runs.get(0).row();
        return Arrays.stream(Metric.values())
                .filter(metric ->
                        row.column(metric).map(value::equalsIgnoreCase).orElse(false))
                .findFirst();
    }

    /** Rows of a long file are runs of their own: a plateau over all of them would be a steady gateway. */
    private static List<Verdict> verdictsOfRuns(List<ResultRow> rows) {
        return rows.stream().map(row -> Verdicts.ofRows(List.of(row)).get(0)).toList();
    }

    private static OptionalDouble figure(ResultRow row, String value) {
        for (String column : row.cells().keySet()) {
            if (column.equalsIgnoreCase(value.strip())) {
                return row.number(column);
            }
        }
        return Metric.named(value).map(row::number).orElse(OptionalDouble.empty());
    }

    private static Optional<String> cell(ResultRow row, String value) {
        for (Map.Entry<String, String> cell : row.cells().entrySet()) {
            if (cell.getKey().equalsIgnoreCase(value.strip())) {
                return Optional.of(cell.getValue());
            }
        }
        return Metric.named(value).flatMap(row::column).map(row.cells()::get);
    }

    private static void checkColumn(List<ResultRow> rows, String column) {
        if (rows.isEmpty() || rows.stream().anyMatch(row -> cell(row, column).isPresent())) {
            return;
        }
        Set<String> names = new LinkedHashSet<>();
        rows.stream().limit(1).forEach(row -> names.addAll(row.cells().keySet()));
        List<String> some = names.stream().limit(40).toList();
        throw new IllegalArgumentException("no row has a column '" + column + "'; there are " + String.join(", ", some)
                + (names.size() > some.size() ? " and " + (names.size() - some.size()) + " more" : ""));
    }
}
