/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gc;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import io.gatebench.model.Figure;
import io.gatebench.model.GcSummary;

/**
 * Two GC logs side by side, figure by figure.
 *
 * @param before the file of the first log
 * @param after the file of the second log
 * @param rows the figures
 */
public record GcComparison(String before, String after, List<Row> rows) {

    /** Copies the list. */
    public GcComparison {
        rows = List.copyOf(rows);
    }

    /** Compares two logs by their exact figures. */
    public static GcComparison of(GcSummary before, GcSummary after) {
        List<Row> rows = new ArrayList<>();
        rows.add(row(
                "gcThroughputPercent",
                before.exact().gcThroughputPercent(),
                after.exact().gcThroughputPercent(),
                true));
        rows.add(row(
                "pauseTotalSeconds",
                before.exact().pauseTotalSeconds(),
                after.exact().pauseTotalSeconds(),
                false));
        rows.add(row("pauseCount", before.exact().pauseCount(), after.exact().pauseCount(), false));
        rows.add(row("pauseMeanMillis", pause(before, 0), pause(after, 0), false));
        rows.add(row("pauseP99Millis", pause(before, 99), pause(after, 99), false));
        rows.add(row("pauseMaxMillis", pause(before, 100), pause(after, 100), false));
        rows.add(row("fullGcCount", before.exact().fullGcCount(), after.exact().fullGcCount(), false));
        rows.add(row(
                "footprintAfterFullGcMeanBytes",
                before.exact().footprintAfterFullGcMeanBytes(),
                after.exact().footprintAfterFullGcMeanBytes(),
                false));
        rows.add(row(
                "footprintBytes", before.exact().footprintBytes(), after.exact().footprintBytes(), false));
        rows.add(row("concurrentSeconds", before.concurrentSeconds(), after.concurrentSeconds(), false));
        rows.add(row(
                "safepointSeconds",
                before.safepoints().totalSeconds(),
                after.safepoints().totalSeconds(),
                false));
        rows.add(row(
                "allocationRateBytesPerSecond",
                before.heap().allocationRateBytesPerSecond(),
                after.heap().allocationRateBytesPerSecond(),
                false));
        rows.add(row(
                "evacuationFailures",
                before.counts().evacuationFailures(),
                after.counts().evacuationFailures(),
                false));
        return new GcComparison(last(before.files()), last(after.files()), rows);
    }

    private static String last(List<String> files) {
        return files.get(files.size() - 1);
    }

    private static Figure pause(GcSummary summary, int percentile) {
        return summary.pauses()
                .map(p -> Figure.of(
                        switch (percentile) {
                            case 0 -> p.meanMillis();
                            case 99 -> p.p99Millis();
                            default -> p.maxMillis();
                        }))
                .orElseGet(() -> Figure.absent("there were no pauses, or they cannot be added up"));
    }

    private static Row row(String name, Figure before, Figure after, boolean moreIsBetter) {
        if (before.value().isEmpty() || after.value().isEmpty()) {
            String reason = before.value().isEmpty() ? "first log: " + reason(before) : "second log: " + reason(after);
            return new Row(name, before, after, Figure.absent(reason), "not comparable");
        }
        double a = before.value().getAsDouble();
        double b = after.value().getAsDouble();
        Figure change = a == 0
                ? Figure.absent(b == 0 ? "both are 0" : "the first is 0")
                : Figure.of(100 * (b - a) / Math.abs(a));
        String verdict = a == b ? "equal" : b > a == moreIsBetter ? "better" : "worse";
        return new Row(name, before, after, change, verdict);
    }

    private static String reason(Figure figure) {
        return figure.fold(value -> "", reason -> reason);
    }

    /** Returns text for people. */
    public String table() {
        StringBuilder out = new StringBuilder();
        out.append("first  ").append(before).append('\n');
        out.append("second ").append(after).append('\n');
        out.append(String.format(Locale.ROOT, "  %-34s %18s %18s %10s  %s\n", "", "first", "second", "change %", ""));
        for (Row row : rows) {
            out.append(String.format(
                    Locale.ROOT,
                    "  %-34s %18s %18s %10s  %s\n",
                    row.name(),
                    GcReport.text(row.before(), "%.3f", 1),
                    GcReport.text(row.after(), "%.3f", 1),
                    GcReport.text(row.changePercent(), "%+.1f", 1),
                    row.verdict()));
        }
        return out.toString();
    }

    /** Returns one JSON object, ending with a line feed. */
    public String json() {
        Json json = new Json();
        json.begin();
        json.key("before").text(before);
        json.key("after").text(after);
        json.key("rows").array(rows, row -> {
            json.begin();
            json.key("name").text(row.name());
            value(json.key("before"), row.before());
            value(json.key("after"), row.after());
            value(json.key("changePercent"), row.changePercent());
            json.key("verdict").text(row.verdict());
            json.end();
        });
        json.end();
        return json + "\n";
    }

    private static void value(Json json, Figure figure) {
        figure.fold(json::number, reason -> json.nothing());
    }

    /** Returns CSV with a header; what is absent is {@code N/A}. */
    public String csv() {
        StringBuilder out = new StringBuilder("name,before,after,changePercent,verdict\n");
        for (Row row : rows) {
            out.append(row.name());
            for (Figure figure : List.of(row.before(), row.after(), row.changePercent())) {
                out.append(',').append(figure.fold(Json::plain, reason -> "N/A"));
            }
            out.append(',').append(row.verdict()).append('\n');
        }
        return out.toString();
    }

    /**
     * One figure of both logs.
     *
     * @param name its name
     * @param before in the first log
     * @param after in the second log
     * @param changePercent change from the first to the second
     * @param verdict {@code better}, {@code worse}, {@code equal} or {@code not comparable}; says nothing about noise
     */
    public record Row(String name, Figure before, Figure after, Figure changePercent, String verdict) {}
}
