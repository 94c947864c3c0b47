/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.judge;

import static io.gatebench.report.verdict.Text.number;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;

import io.gatebench.model.MessageLevel;
import io.gatebench.model.RunManifest;
import io.gatebench.model.TestCaseResult;
import io.gatebench.report.column.Metric;
import io.gatebench.report.importer.CellKey;
import io.gatebench.report.importer.ResultRow;
import io.gatebench.report.importer.RunResultRows;
import io.gatebench.report.results.ResultsDirectory;
import io.gatebench.report.results.StoredResult;
import io.gatebench.report.verdict.Finding;
import io.gatebench.report.verdict.Level;
import io.gatebench.report.verdict.Rule;
import io.gatebench.report.verdict.RunRules;
import io.gatebench.report.verdict.Verdict;

/**
 * Judges rows by the rules of {@link Rule}.
 *
 * <p>Pure functions of their arguments: the same results give the same verdicts. Rules whose figures a row lacks say
 * nothing.
 */
public final class Verdicts {

    private static final double MESSAGE_FACTOR = 100;
    private static final double USERS_FACTOR = 2;
    private static final int PLATEAU_CELLS = 6;

    private Verdicts() {}

    /**
     * Returns a verdict for each row, in their order, with what was found of its run before; rows that do not tell their
     * load model are taken for results of a closed one without think time.
     */
    public static List<Verdict> ofRows(List<ResultRow> rows) {
        return judge(rows, rows.stream().map(Verdicts::isClosed).toList()).stream()
                .map(Verdict::of)
                .toList();
    }

    /**
     * Returns a verdict for each run result, in their order.
     *
     * <p>A case that failed or was skipped is invalid. Little's law and the search for a limiter are for the closed model without
     * think time, pacing or changing users.
     */
    public static List<Verdict> ofResults(RunManifest info, List<TestCaseResult> results) {
        return ofJudged(
                results.stream().map(result -> JudgedResult.of(info, result)).toList());
    }

    /** Returns a verdict for each run result, in their order, each of which was judged by itself before. */
    public static List<Verdict> ofJudged(List<JudgedResult> results) {
        List<ResultRow> rows = new ArrayList<>();
        List<Boolean> closed = new ArrayList<>();
        List<List<Finding>> owners = new ArrayList<>();
        List<List<Finding>> findings = new ArrayList<>();
        for (JudgedResult judged : results) {
            List<Finding> own = new ArrayList<>(judged.findings());
            findings.add(own);
            if (judged.result() instanceof TestCaseResult.Completed completed
                    && !completed.load().measurement().isEmpty()) {
                for (ResultRow row : judged.rows()) {
                    rows.add(row);
                    closed.add(completed.load().closedWithoutThinkTime());
                    owners.add(own);
                }
            }
        }
        List<List<Finding>> ofRows = judge(rows, closed);
        for (int i = 0; i < ofRows.size(); i++) {
            List<Finding> all = owners.get(i);
            for (Finding finding : ofRows.get(i)) {
                if (!all.contains(finding)) {
                    all.add(finding);
                }
            }
        }
        return findings.stream().map(Verdict::of).toList();
    }

    /** Returns a verdict for each stored result, in their order, which also says whether it was changed afterwards. */
    public static List<Verdict> ofStored(RunManifest info, ResultsDirectory directory, List<StoredResult> stored) {
        return ofStored(
                directory,
                stored.stream().map(result -> JudgedResult.of(info, result)).toList());
    }

    /** Returns a verdict for each stored result, in their order, each of which was judged by itself before. */
    public static List<Verdict> ofStored(ResultsDirectory directory, List<JudgedResult> stored) {
        List<String> ofHead = directory.infoChanges();
        List<Verdict> verdicts = ofJudged(stored);
        List<Verdict> all = new ArrayList<>();
        for (int i = 0; i < stored.size(); i++) {
            List<Finding> findings = new ArrayList<>(verdicts.get(i).findings());
            findings.addAll(RunRules.changed(ofHead, stored.get(i).changes()));
            all.add(Verdict.of(findings));
        }
        return all;
    }

    private static boolean isClosed(ResultRow row) {
        return row.cells()
                .getOrDefault(RunResultRows.LOAD_MODEL, RunResultRows.CLOSED)
                .equals(RunResultRows.CLOSED);
    }

    private static List<List<Finding>> judge(List<ResultRow> rows, List<Boolean> closedModel) {
        Map<CellKey, Double> usersInSystem = usersInSystem(rows);
        List<List<Finding>> findings = new ArrayList<>();
        for (int i = 0; i < rows.size(); i++) {
            ResultRow row = rows.get(i);
            List<Finding> all = new ArrayList<>(row.findings());
            all.addAll(RowRules.judge(
                    row, closedModel.get(i), usersInSystem.getOrDefault(cellAndRepeat(row), Double.NaN)));
            findings.add(all);
        }
        plateaus(rows, closedModel, findings);
        return findings;
    }

    /** Sums throughput times mean over the labels of one test case and repeat: its users are spread over them. */
    private static Map<CellKey, Double> usersInSystem(List<ResultRow> rows) {
        Map<CellKey, Double> sums = new HashMap<>();
        for (ResultRow row : rows) {
            OptionalDouble throughput = row.number(Metric.THROUGHPUT);
            OptionalDouble mean = row.number(Metric.MEAN);
            if (throughput.isPresent() && mean.isPresent()) {
                sums.merge(cellAndRepeat(row), throughput.getAsDouble() * mean.getAsDouble() / 1000, Double::sum);
            }
        }
        return sums;
    }

    private static CellKey cellAndRepeat(ResultRow row) {
        boolean byLabel = row.key().variant().equals(row.cells().getOrDefault("Label", ""));
        String variant = (byLabel ? "" : row.key().variant()) + "#" + row.repeat();
        return row.key().matching().withVariant(variant);
    }

    /** Marks all test cases of a scenario whose throughput does not care for users and messages. */
    private static void plateaus(List<ResultRow> rows, List<Boolean> closedModel, List<List<Finding>> findings) {
        Map<CellKey, List<Integer>> groups = new HashMap<>();
        for (int i = 0; i < rows.size(); i++) {
            ResultRow row = rows.get(i);
            // A rate that was asked for, or a think time, limits the throughput by plan.
            boolean usable = closedModel.get(i)
                    && row.number(Metric.THROUGHPUT).isPresent()
                    && row.key().users().isPresent()
                    && row.key().message().isPresent()
                    && row.errorPercent().orElse(0) < Rule.ERRORS.invalid().orElseThrow();
            if (usable) {
                CellKey key = row.key().matching();
                CellKey group = new CellKey(
                        key.scenario(),
                        key.heap(),
                        OptionalInt.empty(),
                        Optional.empty(),
                        key.delayMillis(),
                        key.variant());
                groups.computeIfAbsent(group, any -> new ArrayList<>()).add(i);
            }
        }
        groups.values()
                .forEach(group -> plateau(group.stream().map(rows::get).toList())
                        .ifPresent(finding ->
                                group.forEach(index -> findings.get(index).add(finding))));
    }

    private static Optional<Finding> plateau(List<ResultRow> group) {
        Set<CellKey> cells = group.stream().map(row -> row.key().matching()).collect(Collectors.toSet());
        int[] users = group.stream()
                .mapToInt(row -> row.key().users().orElseThrow())
                .sorted()
                .toArray();
        Set<MessageLevel> messages = new HashSet<>();
        group.forEach(row -> messages.add(row.key().message().orElseThrow()));
        if (cells.size() < PLATEAU_CELLS
                || users[users.length - 1] < USERS_FACTOR * users[0]
                || !messagesDiffer(messages)) {
            return Optional.empty();
        }
        double[] throughputs = group.stream()
                .mapToDouble(row -> row.number(Metric.THROUGHPUT).orElseThrow())
                .sorted()
                .toArray();
        double smallest = throughputs[0];
        double largest = throughputs[throughputs.length - 1];
        double median = Arrays.stream(throughputs)
                .skip((throughputs.length - 1) / 2)
                .limit(2 - throughputs.length % 2)
                .average()
                .orElseThrow();
        if (median <= 0
                || 100 * (largest - smallest) / median > Rule.PLATEAU.doubtful().orElseThrow()) {
            return Optional.empty();
        }
        return Optional.of(new Finding(
                Rule.PLATEAU,
                Level.DOUBTFUL,
                "throughput is between " + number(smallest) + " and " + number(largest) + " per second in all "
                        + cells.size() + " test cases, whatever the users and messages: something limits it"));
    }

    private static boolean messagesDiffer(Set<MessageLevel> messages) {
        if (messages.stream().anyMatch(level -> level.kind() == MessageLevel.Kind.GRAPHQL_QUERY)) {
            return messages.size() > 1;
        }
        int least = messages.stream().mapToInt(MessageLevel::value).min().orElseThrow();
        int most = messages.stream().mapToInt(MessageLevel::value).max().orElseThrow();
        return most >= MESSAGE_FACTOR * least;
    }
}
