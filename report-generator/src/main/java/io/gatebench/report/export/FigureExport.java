/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.export;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gatebench.report.column.Metric;
import io.gatebench.report.column.Numbers;
import io.gatebench.report.column.Spread;
import io.gatebench.report.importer.CellKey;
import io.gatebench.report.importer.ImportedRun;
import io.gatebench.report.importer.ResultRow;
import io.gatebench.report.judge.Verdicts;
import io.gatebench.report.verdict.Level;
import io.gatebench.report.verdict.Verdict;

/**
 * The figures of results of any origin in the forms of other tools: means over the repeats of a test case, without rows
 * that are invalid.
 *
 * <p>The same results give the same bytes. Immutable.
 */
public final class FigureExport {

    private static final List<Metric> TIMES = List.of(Metric.MEAN, Metric.P50, Metric.P95, Metric.P99);
    private static final int DECIMALS = 3;
    private static final int DECIMALS_OF_SECONDS = 6;

    private final Map<CellKey, List<ResultRow>> cells = new LinkedHashMap<>();
    private final List<String> leftOut = new ArrayList<>();

    /** Takes the rows of an input. */
    public FigureExport(ImportedRun results) {
        List<Verdict> verdicts = Verdicts.ofRows(results.rows());
        for (int i = 0; i < verdicts.size(); i++) {
            ResultRow row = results.rows().get(i);
            if (verdicts.get(i).level() == Level.INVALID) {
                leftOut.add(
                        row.key().text() + " is left out: " + verdicts.get(i).text());
            } else {
                cells.computeIfAbsent(row.key(), key -> new ArrayList<>()).add(row);
            }
        }
    }

    /** Returns a sentence for each row that is invalid and therefore in no form. */
    public List<String> leftOut() {
        return List.copyOf(leftOut);
    }

    /**
     * Returns the response times and the errors as the JSON that github-action-benchmark reads with {@code tool:
     * customSmallerIsBetter}.
     */
    public String timesForGithubActionBenchmark() {
        ArrayNode root = JsonNodeFactory.instance.arrayNode();
        cells.forEach((key, rows) -> {
            for (Metric metric : TIMES) {
                entry(root, key, rows, metric, "ms");
            }
            entry(root, key, rows, Metric.ERROR_PERCENT, "%");
        });
        return root.toPrettyString() + "\n";
    }

    /** Returns the throughput as the JSON that github-action-benchmark reads with {@code tool: customBiggerIsBetter}. */
    public String throughputForGithubActionBenchmark() {
        ArrayNode root = JsonNodeFactory.instance.arrayNode();
        cells.forEach((key, rows) -> entry(root, key, rows, Metric.THROUGHPUT, "requests/s"));
        return root.toPrettyString() + "\n";
    }

    private static void entry(ArrayNode root, CellKey key, List<ResultRow> rows, Metric metric, String unit) {
        double[] values = values(rows, metric);
        if (values.length == 0) {
            return;
        }
        ObjectNode node = root.addObject();
        node.put("name", key.text() + " " + metric.shortName());
        node.put("unit", unit);
        node.put("value", Double.parseDouble(Numbers.text(Spread.mean(values), DECIMALS)));
        if (values.length > 1) {
            node.put("range", "± " + Numbers.text(deviation(values), DECIMALS));
            node.put("extra", values.length + " repeats");
        }
    }

    /** Returns the figures as OpenMetrics text, which GitLab's metrics reports and Prometheus read. */
    public String openMetrics() {
        StringBuilder text = new StringBuilder();
        family(text, "gatebench_throughput", "Requests per second, failed ones included.", Metric.THROUGHPUT);
        text.append("# TYPE gatebench_response_time_seconds gauge\n")
                .append("# UNIT gatebench_response_time_seconds seconds\n")
                .append("# HELP gatebench_response_time_seconds Response time in the window.\n");
        cells.forEach((key, rows) -> {
            for (Metric metric : TIMES) {
                double[] values = values(rows, metric);
                if (values.length > 0) {
                    text.append("gatebench_response_time_seconds")
                            .append(labels(key, Optional.of(metric)))
                            .append(' ')
                            .append(Numbers.text(Spread.mean(values) / 1000, DECIMALS_OF_SECONDS))
                            .append('\n');
                }
            }
        });
        family(text, "gatebench_failed_percent", "Failed requests in percent.", Metric.ERROR_PERCENT);
        family(text, "gatebench_gc_throughput_percent", "Time of the gateway outside of pauses.", Metric.GC_THROUGHPUT);
        return text.append("# EOF\n").toString();
    }

    private void family(StringBuilder text, String name, String help, Metric metric) {
        StringBuilder samples = new StringBuilder();
        cells.forEach((key, rows) -> {
            double[] values = values(rows, metric);
            if (values.length > 0) {
                samples.append(name)
                        .append(labels(key, Optional.empty()))
                        .append(' ')
                        .append(Numbers.text(Spread.mean(values), DECIMALS))
                        .append('\n');
            }
        });
        if (!samples.isEmpty()) {
            text.append("# TYPE ").append(name).append(" gauge\n");
            text.append("# HELP ").append(name).append(' ').append(help).append('\n');
            text.append(samples);
        }
    }

    private static String labels(CellKey key, Optional<Metric> figure) {
        Map<String, String> labels = new LinkedHashMap<>();
        labels.put("scenario", key.scenario());
        labels.put("variant", key.variant());
        key.heap().ifPresent(heap -> labels.put("heap", heap.toString()));
        key.users().ifPresent(users -> labels.put("users", Integer.toString(users)));
        key.message().ifPresent(message -> labels.put("message", message.directoryName()));
        key.delayMillis().ifPresent(delay -> labels.put("delay_ms", Long.toString(delay)));
        figure.ifPresent(metric -> labels.put("figure", metric.shortName()));
        List<String> parts = new ArrayList<>();
        labels.forEach((name, value) -> {
            if (!value.isEmpty()) {
                parts.add(String.format(
                        Locale.ROOT,
                        "%s=\"%s\"",
                        name,
                        value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n")));
            }
        });
        return parts.isEmpty() ? "" : "{" + String.join(",", parts) + "}";
    }

    private static double[] values(List<ResultRow> rows, Metric metric) {
        return rows.stream()
                .flatMapToDouble(row ->
                        metric == Metric.ERROR_PERCENT ? row.errorPercent().stream() : row.number(metric).stream())
                .toArray();
    }

    private static double deviation(double[] values) {
        return Math.sqrt(Spread.squares(values) / (values.length - 1));
    }
}
