/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.render;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.Collectors;

import io.gatebench.model.RunManifest;
import io.gatebench.model.TestCaseResult;
import io.gatebench.report.column.Metric;
import io.gatebench.report.column.Numbers;
import io.gatebench.report.column.SummaryColumns;
import io.gatebench.report.compare.CellDifferences;
import io.gatebench.report.compare.ComparisonOptions;
import io.gatebench.report.importer.CellKey;
import io.gatebench.report.importer.ResultRow;
import io.gatebench.report.judge.Overheads;
import io.gatebench.report.options.ReportOptions;
import io.gatebench.report.page.Templates;
import io.gatebench.report.summary.SummaryTable;
import io.gatebench.report.summary.SummaryTable.Row;

/**
 * The page that a product's documentation carries: deployment, charts for one message size and heap with key
 * observations under each, percentiles, GC throughput, comparison charts.
 *
 * <p>Every observation is written from figures that no verdict doubts, names their rows, and follows the statistics of {@link
 * CellDifferences}: what noise can explain, or what is undecided, is no observation. Where such rows do not suffice there is
 * no sentence.
 */
public final class DocumentationPage {

    private static final String PREFERRED_SIZE = "1024";
    /** Largest difference that is called none, if the noise rules out more. */
    private static final double SAME_PERCENT = ComparisonOptions.DEFAULT_MARGIN_PERCENT;

    private static final double GOOD_GC_THROUGHPUT = 90;
    private static final int[] LIMITS = {10, 20, 50, 100, 200, 400, 500, 1000, 2000, 5000};

    private final RunManifest info;
    private final SummaryTable table;
    private final RunFacts facts;
    private final Map<String, CellKey> keys = new HashMap<>();
    private final CellDifferences differences;
    private final String heap;
    private final String message;
    private final String delay;

    private DocumentationPage(RunManifest info, SummaryTable table, RunFacts facts, List<ResultRow> measured) {
        this.info = info;
        this.facts = facts;
        this.table = table;
        measured.forEach(row -> keys.put(nameOf(row.file(), row.cells().getOrDefault("Label", "")), row.key()));
        // Each row is at most held against the one of the most and of the fewest users, and of the first scenario.
        differences = new CellDifferences(
                measured,
                List.of(Metric.THROUGHPUT, Metric.MEAN, Metric.P99, Metric.GC_THROUGHPUT),
                3 * table.rows().size());
        heap = first(table.distinct(SummaryColumns.HEAP), "");
        List<String> messages = table.distinct(table.messageColumn());
        message = messages.contains(PREFERRED_SIZE) ? PREFERRED_SIZE : first(messages, "");
        delay = first(table.distinct(SummaryColumns.DELAY), "0");
    }

    /**
     * Returns the page.
     *
     * @param info the head of the run
     * @param results all results
     * @param measured their rows with what the rules say of them
     * @param table the rows
     * @param charts the names of the charts that the page may show
     * @param overheads those of the results
     * @param options where the user's templates are
     */
    public static String text(
            RunManifest info,
            List<? extends TestCaseResult> results,
            List<ResultRow> measured,
            SummaryTable table,
            List<String> charts,
            Overheads overheads,
            ReportOptions options) {
        return new DocumentationPage(info, table, new RunFacts(info, results), measured)
                .page(
                        new Templates(options.templates()),
                        charts,
                        MarkdownReport.model(info, results, table, overheads));
    }

    private static String nameOf(String file, String label) {
        return file + " " + label;
    }

    private CellKey key(Row row) {
        return keys.get(nameOf(row.id() + "/result.json", row.text(SummaryColumns.LABEL)));
    }

    private String page(Templates templates, List<String> charts, Map<String, Object> common) {
        Map<String, Object> model = new HashMap<>(common);
        String size = messageName(message);
        String tail = "-" + heap + "-" + fileMessage() + "-" + delayName();
        String app = table.applicationName();
        boolean manyMessages = table.distinct(table.messageColumn()).size() > 1;
        model.put("rowsPresent", !table.rows().isEmpty());
        model.put("size", size);
        model.put("heap", heap);
        model.put("delayName", delayName());
        model.put("users", sentence(table.distinct(SummaryColumns.USERS)));
        model.put(
                "sizes",
                sentence(table.distinct(table.messageColumn()).stream()
                        .map(this::messageName)
                        .toList()));
        model.put("versionLines", versionLines());
        model.put("charts", charts);
        model.put("throughputChart", "lineplot-throughput" + tail);
        model.put("timeChart", "lineplot-average-response-time" + tail);
        model.put("percentileChart", "response_time_" + delay + "ms");
        model.put("gcChart", "gc_" + delay + "ms");
        model.put(
                "gcPresent",
                table.rows().stream()
                        .anyMatch(row -> row.text(SummaryColumns.DELAY).equals(delay)
                                && row.number(SummaryColumns.gcThroughput(app)).isPresent()));
        model.put("manyMessages", manyMessages);
        model.put("messageFile", table.graphQl() ? "graphql-query-number" : "message-size");
        model.put("throughputObservations", throughput());
        model.put("timeObservations", responseTime());
        model.put("percentileObservations", percentiles());
        model.put("percentileExample", percentileExample());
        model.put("gcObservations", gc(app));
        model.put("left", leftOut());
        return templates.render("documentation.md.ftl", model);
    }

    private List<String> throughput() {
        List<String> sentences = new ArrayList<>();
        Map<String, List<Row>> byScenario = usable(Metric.THROUGHPUT);
        byScenario.forEach((scenario, rows) -> {
            if (rows.size() < 2) {
                return;
            }
            Row peak = rows.stream()
                    .max(Comparator.comparingDouble(row -> number(row, Metric.THROUGHPUT.column())))
                    .orElseThrow();
            Row last = rows.get(rows.size() - 1);
            Row other = peak == last ? rows.get(rows.size() - 2) : last;
            String highest = "The throughput of " + scenario + " is highest with " + users(peak) + " ("
                    + peak.text(Metric.THROUGHPUT.column()) + " requests/s)";
            double most = number(peak, Metric.THROUGHPUT.column());
            double end = number(last, Metric.THROUGHPUT.column());
            String of = " (rows: " + cells(List.of(peak, other)) + ")";
            if (differences.differ(key(peak), key(other), Metric.THROUGHPUT)) {
                sentences.add(highest
                        + (peak == last
                                ? ", the largest number of users that was tested: it had not stopped rising."
                                : " and falls by " + Numbers.text(100 * (1 - end / most), 1) + " % to "
                                        + last.text(Metric.THROUGHPUT.column()) + " requests/s with " + users(last)
                                        + ".")
                        + of);
            } else if (differences.areWithin(key(peak), key(other), Metric.THROUGHPUT, SAME_PERCENT)) {
                sentences.add("The throughput of " + scenario + " with " + users(peak) + " ("
                        + peak.text(Metric.THROUGHPUT.column()) + " requests/s) and with " + users(other)
                        + " is the same within " + Numbers.text(SAME_PERCENT, 0) + " %." + of);
            }
        });
        pairs(byScenario, Metric.THROUGHPUT, "throughput", sentences);
        return sentences;
    }

    private List<String> responseTime() {
        List<String> sentences = new ArrayList<>();
        Map<String, List<Row>> byScenario = usable(Metric.MEAN);
        byScenario.forEach((scenario, rows) -> {
            if (rows.size() < 2) {
                return;
            }
            Row from = rows.get(0);
            Row to = rows.get(rows.size() - 1);
            double a = number(from, Metric.MEAN.column());
            double b = number(to, Metric.MEAN.column());
            if (a > 0 && b > a && differences.differ(key(from), key(to), Metric.MEAN)) {
                sentences.add("The average response time of " + scenario + " grows from "
                        + from.text(Metric.MEAN.column()) + " ms with " + users(from) + " to "
                        + to.text(Metric.MEAN.column()) + " ms with " + users(to) + ", " + Numbers.text(b / a, 1)
                        + " times as much for " + Numbers.text(userCount(to) / userCount(from), 1)
                        + " times as many users. (rows: " + cells(List.of(from, to)) + ")");
            }
        });
        pairs(byScenario, Metric.MEAN, "average response time", sentences);
        return sentences;
    }

    /** Compares the second and further scenarios with the first, e.g. mediation with echo, at equal users. */
    private void pairs(Map<String, List<Row>> byScenario, Metric metric, String what, List<String> sentences) {
        List<String> names = new ArrayList<>(byScenario.keySet());
        for (int i = 1; i < names.size(); i++) {
            List<Double> ratios = new ArrayList<>();
            List<Row> rows = new ArrayList<>();
            boolean every = true;
            for (Row base : byScenario.get(names.get(0))) {
                for (Row other : byScenario.get(names.get(i))) {
                    if (base.text(SummaryColumns.USERS).equals(other.text(SummaryColumns.USERS))
                            && number(base, metric.column()) > 0) {
                        ratios.add(number(other, metric.column()) / number(base, metric.column()));
                        every &= differences.differ(key(base), key(other), metric);
                        rows.add(base);
                        rows.add(other);
                    }
                }
            }
            if (ratios.isEmpty()) {
                continue;
            }
            double low = ratios.stream().mapToDouble(Double::doubleValue).min().orElseThrow();
            double high = ratios.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
            boolean below = every && high < 1;
            boolean above = every && low > 1;
            if (below || above) {
                sentences.add("The " + what + " of " + names.get(i) + " is " + (below ? "lower" : "higher")
                        + " than that of "
                        + names.get(0) + " with every number of users that both have: "
                        + (Numbers.text(100 * low, 0).equals(Numbers.text(100 * high, 0))
                                ? ""
                                : Numbers.text(100 * low, 0) + " % to ")
                        + Numbers.text(100 * high, 0) + " % of it. (rows: " + cells(rows) + ")");
            }
        }
    }

    private List<String> percentiles() {
        List<String> sentences = new ArrayList<>();
        Map<String, List<Row>> byScenario = usable(Metric.P99);
        for (int limit : LIMITS) {
            List<Row> within = new ArrayList<>();
            boolean every = !byScenario.isEmpty();
            int upTo = Integer.MAX_VALUE;
            for (List<Row> rows : byScenario.values()) {
                int reached = 0;
                for (Row row : rows) {
                    if (!differences.isBelow(key(row), Metric.P99, limit)) {
                        break;
                    }
                    reached = (int) userCount(row);
                    within.add(row);
                }
                every &= reached > 0;
                upTo = Math.min(upTo, reached);
            }
            if (every) {
                int most = upTo;
                List<Row> rows =
                        within.stream().filter(row -> userCount(row) <= most).toList();
                sentences.add("The 90th, 95th and 99th percentiles stay below " + limit + " ms up to " + upTo + " users"
                        + (byScenario.size() > 1 ? " in all " + byScenario.size() + " scenarios" : "") + ". (rows: "
                        + cells(rows) + ")");
                boolean last = byScenario.values().stream().allMatch(all -> userCount(all.get(all.size() - 1)) <= most);
                if (last || sentences.size() == 3) {
                    break;
                }
            }
        }
        // A looser limit that is met by no more users says nothing new.
        List<String> distinct = new ArrayList<>();
        String before = "";
        for (String sentence : sentences) {
            String users = sentence.substring(sentence.indexOf("up to "), sentence.indexOf(" users"));
            if (!users.equals(before)) {
                distinct.add(sentence);
            }
            before = users;
        }
        return distinct;
    }

    private String percentileExample() {
        return usable(Metric.P99).values().stream()
                .flatMap(List::stream)
                .findFirst()
                .filter(row -> row.number(Metric.P90.column()).isPresent())
                .map(row -> "For example, with " + users(row) + " the 90th percentile of "
                        + row.text(SummaryColumns.SCENARIO) + " is " + row.text(Metric.P90.column())
                        + " ms: one request in ten took longer. Its 99th percentile is " + row.text(Metric.P99.column())
                        + " ms: one request in a hundred took longer.")
                .orElse("");
    }

    private List<String> gc(String app) {
        String column = SummaryColumns.gcThroughput(app);
        List<Row> rows = table.rows().stream()
                .filter(row -> isUsable(row, Metric.GC_THROUGHPUT))
                .filter(row -> row.number(column).isPresent())
                .toList();
        if (rows.isEmpty()) {
            return List.of();
        }
        List<Row> low = rows.stream()
                .filter(row -> number(row, column) < GOOD_GC_THROUGHPUT)
                .toList();
        Row least = rows.stream()
                .min(Comparator.comparingDouble(row -> number(row, column)))
                .orElseThrow();
        if (low.isEmpty()) {
            return List.of(
                    "The GC throughput is above 90 % in all " + rows.size() + " rows that have one; the lowest is "
                            + least.text(column) + " %. (row: " + cells(List.of(least)) + ")");
        }
        return List.of("The GC throughput is under 90 % in " + low.size() + " of " + rows.size() + " rows, down to "
                + least.text(column) + " %: there the heap of " + heap + " is too small for the load. (rows: "
                + cells(low) + ")");
    }

    private List<String> leftOut() {
        return table.rows().stream()
                .filter(row -> !isUsable(row, Metric.THROUGHPUT))
                .map(row -> "`" + row.id() + "`")
                .distinct()
                .toList();
    }

    /** Rows of the page's heap, message and delay by scenario, in ascending order of users. */
    private Map<String, List<Row>> usable(Metric metric) {
        Map<String, List<Row>> byScenario = new LinkedHashMap<>();
        table.rows().stream()
                .filter(row -> isUsable(row, metric))
                .filter(row -> row.text(SummaryColumns.HEAP).equals(heap)
                        && row.text(table.messageColumn()).equals(message)
                        && row.text(SummaryColumns.DELAY).equals(delay)
                        && row.number(metric.column()).isPresent()
                        && row.number(SummaryColumns.USERS).isPresent())
                .sorted(Comparator.comparingDouble(DocumentationPage::userCount))
                .forEach(row -> byScenario
                        .computeIfAbsent(row.text(SummaryColumns.SCENARIO), name -> new ArrayList<>())
                        .add(row));
        Map<String, List<Row>> inOrder = new LinkedHashMap<>();
        info.plan().scenarios().forEach(scenario -> {
            List<Row> rows = byScenario.remove(scenario.displayName());
            if (rows != null) {
                inOrder.put(scenario.displayName(), rows);
            }
        });
        inOrder.putAll(byScenario);
        return inOrder;
    }

    private boolean isUsable(Row row, Metric metric) {
        CellKey key = key(row);
        return key != null && differences.isSound(key, metric);
    }

    private List<String> versionLines() {
        List<String> lines = new ArrayList<>();
        facts.tokenTypes().forEach(type -> lines.add("Token type: " + type));
        info.systems().stream()
                .flatMap(system -> RunFacts.value(system, "Release").stream())
                .distinct()
                .forEach(release -> lines.add("Operating system: " + release));
        lines.addAll(facts.jvms());
        new TreeMap<>(info.versions()).forEach((name, version) -> {
            if (name.equals("database")) {
                lines.add("Database: " + version);
            } else if (facts.jvms().isEmpty() || !name.equals("jdk")) {
                lines.add("Version of " + name + ": " + version);
            }
        });
        return lines;
    }

    private String messageName(String level) {
        if (table.graphQl()) {
            return "query " + level;
        }
        if (!table.messageColumn().equals(SummaryColumns.MESSAGE_SIZE) || !level.matches("\\d{1,12}")) {
            return level;
        }
        long bytes = Long.parseLong(level);
        return bytes >= 1024 && bytes % 1024 == 0 ? bytes / 1024 + "KiB" : bytes + "B";
    }

    private String fileMessage() {
        return table.messageColumn().equals(SummaryColumns.MESSAGE_SIZE)
                ? messageName(message).replace(' ', '-')
                : message.replace(' ', '-');
    }

    private String delayName() {
        boolean seconds = delay.matches("[1-9]\\d*000");
        return seconds ? delay.substring(0, delay.length() - 3) + "s" : delay + "ms";
    }

    private static String sentence(List<String> values) {
        return values.size() < 2
                ? String.join("", values)
                : String.join(", ", values.subList(0, values.size() - 1)) + " and " + values.get(values.size() - 1);
    }

    private static String first(List<String> values, String otherwise) {
        return values.isEmpty() ? otherwise : values.get(0);
    }

    private static String users(Row row) {
        return row.text(SummaryColumns.USERS) + " users";
    }

    private static double userCount(Row row) {
        return number(row, SummaryColumns.USERS);
    }

    private static double number(Row row, String column) {
        OptionalDouble number = row.number(column);
        return number.orElseThrow();
    }

    /** Names rows, the first of them. */
    private static String cells(List<Row> rows) {
        List<String> names =
                rows.stream().map(row -> "`" + row.id() + "`").distinct().toList();
        int most = 4;
        String named = names.stream().limit(most).collect(Collectors.joining(", "));
        return names.size() <= most ? named : named + String.format(Locale.ROOT, " and %d more", names.size() - most);
    }
}
