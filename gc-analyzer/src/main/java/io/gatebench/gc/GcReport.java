/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gc;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

import io.gatebench.model.GcFinding;
import io.gatebench.model.GcPauseKind;
import io.gatebench.model.GcStatistics;
import io.gatebench.model.GcSummary;
import io.gatebench.model.MeasuredValue;
import io.gatebench.model.ResponseTimes;

/**
 * Writes summaries as JSON, CSV or text; every absent value carries its reason.
 *
 * @since 0.1
 */
public final class GcReport {

    private static final double MEBIBYTE = 1 << 20;

    /** A line of the table. */
    private record Row(String name, Function<GcStatistics, MeasuredValue> of, String format, double unit) {}

    private static final List<Row> ROWS = List.of(
            new Row("GC throughput (%)", GcStatistics::gcThroughputPercent, "%.3f", 1),
            new Row("run time (s)", GcStatistics::runTimeSeconds, "%.3f", 1),
            new Row("accumulated pause (s)", GcStatistics::pauseTotalSeconds, "%.6f", 1),
            new Row("pauses", GcStatistics::pauseCount, "%.0f", 1),
            new Row("full GCs", GcStatistics::fullGcCount, "%.0f", 1),
            new Row("footprint after full GC (MiB)", GcStatistics::footprintAfterFullGcMeanBytes, "%.3f", MEBIBYTE),
            new Row(
                    "  its standard deviation (MiB)",
                    GcStatistics::footprintAfterFullGcDeviationBytes,
                    "%.3f",
                    MEBIBYTE),
            new Row("footprint (MiB)", GcStatistics::footprintBytes, "%.3f", MEBIBYTE));

    private GcReport() {}

    /**
     * Returns a JSON array with one object for each summary, indented, ending with a line feed.
     *
     * <p>Absent values are {@code null}, with the reason in {@code reasons} of the same object under the same key.
     */
    public static String json(List<GcSummary> summaries) {
        Json json = new Json();
        json.array(summaries, summary -> summary(json, summary));
        return json + "\n";
    }

    private static void summary(Json json, GcSummary s) {
        Map<String, String> reasons = new TreeMap<>();
        json.begin();
        json.key("file").text(s.files().get(s.files().size() - 1));
        json.key("files").array(s.files(), json::text);
        optional(json, reasons, "collector", s.collector(), "the log does not name the collector");
        optional(json, reasons, "jdk", s.jdk(), "the log does not tell the JVM's version");
        figure(json, reasons, "coverage", s.coveragePercent());
        if (s.window().isPresent()) {
            json.key("window").begin();
            json.key("from").text(s.window().get().start().toString());
            json.key("to").text(s.window().get().end().toString());
            json.end();
        } else {
            json.key("window").nothing();
            reasons.put("window", "no window by instants was asked for");
        }
        json.key("exact");
        figures(json, s.exact());
        json.key("compat");
        figures(json, s.compat());
        distribution(json, reasons, "pauses", s.pauses(), "there were no pauses, or they cannot be added up");
        json.key("pausesByKind").array(s.pausesByKind(), kind -> kind(json, kind));
        figure(json, reasons, "concurrentSeconds", s.concurrentSeconds());
        json.key("safepoints");
        safepoints(json, s);
        json.key("heap");
        heap(json, s);
        json.key("counts");
        counts(json, s);
        json.key("findings").array(s.findings(), finding -> finding(json, finding));
        json.key("notes").array(s.notes(), json::text);
        reasons(json, reasons);
        json.end();
    }

    private static void figures(Json json, GcStatistics figures) {
        Map<String, String> reasons = new TreeMap<>();
        json.begin();
        byName(figures).forEach((name, figure) -> figure(json, reasons, name, figure));
        reasons(json, reasons);
        json.end();
    }

    /** Returns the figures under their names, in the order of the columns. */
    static Map<String, MeasuredValue> byName(GcStatistics figures) {
        Map<String, MeasuredValue> names = new LinkedHashMap<>();
        names.put("gcThroughputPercent", figures.gcThroughputPercent());
        names.put("runTimeSeconds", figures.runTimeSeconds());
        names.put("pauseTotalSeconds", figures.pauseTotalSeconds());
        names.put("pauseCount", figures.pauseCount());
        names.put("fullGcCount", figures.fullGcCount());
        names.put("footprintAfterFullGcMeanBytes", figures.footprintAfterFullGcMeanBytes());
        names.put("footprintAfterFullGcDeviationBytes", figures.footprintAfterFullGcDeviationBytes());
        names.put("footprintBytes", figures.footprintBytes());
        return names;
    }

    private static void kind(Json json, GcPauseKind kind) {
        json.begin();
        json.key("kind").text(kind.kind());
        json.key("totalSeconds").number(kind.totalSeconds());
        times(json, kind.pauses());
        json.end();
    }

    private static void distribution(
            Json json, Map<String, String> reasons, String name, Optional<ResponseTimes> times, String reason) {
        json.key(name);
        if (times.isPresent()) {
            json.begin();
            times(json, times.get());
            json.end();
        } else {
            json.nothing();
            reasons.put(name, reason);
        }
    }

    private static void times(Json json, ResponseTimes t) {
        json.key("count").number(t.count());
        json.key("meanMillis").number(t.meanMillis());
        json.key("standardDeviationMillis").number(t.standardDeviationMillis());
        json.key("minMillis").number(t.minMillis());
        json.key("p50Millis").number(t.p50Millis());
        json.key("p90Millis").number(t.p90Millis());
        json.key("p95Millis").number(t.p95Millis());
        json.key("p99Millis").number(t.p99Millis());
        json.key("p999Millis").number(t.p999Millis());
        json.key("maxMillis").number(t.maxMillis());
    }

    private static void safepoints(Json json, GcSummary s) {
        Map<String, String> reasons = new TreeMap<>();
        json.begin();
        figure(json, reasons, "count", s.safepoints().count());
        figure(json, reasons, "totalSeconds", s.safepoints().totalSeconds());
        figure(json, reasons, "timeToSafepointSeconds", s.safepoints().timeToSafepointSeconds());
        distribution(json, reasons, "stops", s.safepoints().stops(), "the log tells of no safepoint");
        distribution(
                json, reasons, "timeToSafepoint", s.safepoints().timeToSafepoint(), "the log tells of no safepoint");
        reasons(json, reasons);
        json.end();
    }

    private static void heap(Json json, GcSummary s) {
        Map<String, String> reasons = new TreeMap<>();
        Map<String, MeasuredValue> figures = new LinkedHashMap<>();
        figures.put("initialBytes", s.heap().initialBytes());
        figures.put("maximumBytes", s.heap().maximumBytes());
        figures.put("allocationRateBytesPerSecond", s.heap().allocationRateBytesPerSecond());
        figures.put("promotionRateBytesPerSecond", s.heap().promotionRateBytesPerSecond());
        figures.put("afterGcTrendBytesPerHour", s.heap().afterGcTrendBytesPerHour());
        figures.put("liveSetEstimateBytes", s.heap().liveSetEstimateBytes());
        json.begin();
        figures.forEach((name, figure) -> figure(json, reasons, name, figure));
        optional(
                json,
                reasons,
                "liveSetEstimateBasis",
                s.heap().liveSetEstimateBasis(),
                "the live set is not estimated here");
        json.key("afterFullGcBytes").array(s.heap().afterFullGcBytes(), json::number);
        reasons(json, reasons);
        json.end();
    }

    private static void counts(Json json, GcSummary s) {
        Map<String, String> reasons = new TreeMap<>();
        Map<String, MeasuredValue> figures = new LinkedHashMap<>();
        figures.put("systemGc", s.counts().systemGc());
        figures.put("evacuationFailures", s.counts().evacuationFailures());
        figures.put("humongousCollections", s.counts().humongousCollections());
        figures.put("concurrentModeFailures", s.counts().concurrentModeFailures());
        figures.put("allocationStalls", s.counts().allocationStalls());
        json.begin();
        figures.forEach((name, figure) -> figure(json, reasons, name, figure));
        json.key("fullGcCauses").begin();
        s.counts().fullGcCauses().forEach((cause, number) -> json.key(cause).number(number));
        json.end();
        reasons(json, reasons);
        json.end();
    }

    private static void finding(Json json, GcFinding finding) {
        json.begin();
        json.key("rule").text(finding.rule());
        json.key("severity").text(finding.severity().name());
        json.key("text").text(finding.text());
        json.key("source").text(finding.source());
        json.end();
    }

    private static void figure(Json json, Map<String, String> reasons, String name, MeasuredValue figure) {
        json.key(name);
        figure.fold(json::number, reason -> {
            reasons.put(name, reason);
            return json.nothing();
        });
    }

    private static void optional(
            Json json, Map<String, String> reasons, String name, Optional<String> value, String reason) {
        json.key(name);
        if (value.isPresent()) {
            json.text(value.get());
        } else {
            json.nothing();
            reasons.put(name, reason);
        }
    }

    private static void reasons(Json json, Map<String, String> reasons) {
        json.key("reasons").begin();
        reasons.forEach((name, reason) -> json.key(name).text(reason));
        json.end();
    }

    /**
     * Returns CSV: a header, then two lines for each summary, one with the exact figures and one with the published
     * formulas; what is absent is {@code N/A}.
     */
    public static String csv(List<GcSummary> summaries) {
        StringBuilder out = new StringBuilder("file,collector,jdk,coverage,block,gcThroughputPercent,runTimeSeconds,"
                + "pauseTotalSeconds,pauseCount,fullGcCount,footprintAfterFullGcMeanBytes,"
                + "footprintAfterFullGcDeviationBytes,footprintBytes\n");
        for (GcSummary s : summaries) {
            line(out, s, "exact", s.exact());
            line(out, s, "compat", s.compat());
        }
        return out.toString();
    }

    private static void line(StringBuilder out, GcSummary s, String block, GcStatistics figures) {
        out.append(quoted(s.files().get(s.files().size() - 1)))
                .append(',')
                .append(quoted(s.collector().orElse("N/A")))
                .append(',')
                .append(quoted(s.jdk().orElse("N/A")))
                .append(',')
                .append(plain(s.coveragePercent()))
                .append(',')
                .append(block);
        byName(figures).values().forEach(figure -> out.append(',').append(plain(figure)));
        out.append('\n');
    }

    private static String quoted(String text) {
        return text.matches("[^,\"\\r\\n]*") ? text : '"' + text.replace("\"", "\"\"") + '"';
    }

    private static String plain(MeasuredValue figure) {
        return figure.fold(Json::plain, reason -> "N/A");
    }

    /** Returns text for people. */
    public static String table(List<GcSummary> summaries) {
        StringBuilder out = new StringBuilder();
        for (GcSummary s : summaries) {
            if (out.length() > 0) {
                out.append('\n');
            }
            out.append(String.join(", ", s.files())).append('\n');
            out.append("  collector ").append(s.collector().orElse("unknown"));
            out.append(", JDK ").append(s.jdk().orElse("unknown"));
            out.append(", coverage ")
                    .append(text(s.coveragePercent(), "%.1f %%", 1))
                    .append('\n');
            s.window()
                    .ifPresent(window -> out.append("  window ")
                            .append(window.start())
                            .append(" to ")
                            .append(window.end())
                            .append('\n'));
            figures(out, s);
            details(out, s);
        }
        return out.toString().replace(System.lineSeparator(), "\n");
    }

    /** The published formulas have a column where they were asked for. */
    private static void figures(StringBuilder out, GcSummary s) {
        boolean compat = SummaryBuilder.compatAsked(s);
        cells(out, "", "exact", compat ? "compat" : "");
        for (Row row : ROWS) {
            cells(
                    out,
                    row.name,
                    text(row.of.apply(s.exact()), row.format, row.unit),
                    compat ? text(row.of.apply(s.compat()), row.format, row.unit) : "");
        }
    }

    private static void cells(StringBuilder out, String name, String exact, String compat) {
        out.append(String.format(Locale.ROOT, "  %-34s %16s %16s", name, exact, compat)
                        .stripTrailing())
                .append('\n');
    }

    private static void details(StringBuilder out, GcSummary s) {
        for (GcPauseKind kind : s.pausesByKind()) {
            ResponseTimes t = kind.pauses();
            out.append(String.format(
                    Locale.ROOT,
                    "  %-20s %6d pauses %10.3f s  mean %.3f  p50 %.3f  p95 %.3f  p99 %.3f  max %.3f ms%n",
                    kind.kind(),
                    t.count(),
                    kind.totalSeconds(),
                    t.meanMillis(),
                    t.p50Millis(),
                    t.p95Millis(),
                    t.p99Millis(),
                    t.maxMillis()));
        }
        detail(out, "concurrent work (s)", s.concurrentSeconds(), "%.3f", 1);
        detail(out, "stopped at safepoints (s)", s.safepoints().totalSeconds(), "%.6f", 1);
        detail(out, "  of it until threads stop (s)", s.safepoints().timeToSafepointSeconds(), "%.6f", 1);
        detail(out, "largest heap (MiB)", s.heap().maximumBytes(), "%.1f", MEBIBYTE);
        detail(out, "allocation rate (MiB/s)", s.heap().allocationRateBytesPerSecond(), "%.3f", MEBIBYTE);
        detail(out, "promotion rate (MiB/s)", s.heap().promotionRateBytesPerSecond(), "%.3f", MEBIBYTE);
        detail(out, "after-GC trend (MiB/h)", s.heap().afterGcTrendBytesPerHour(), "%.3f", MEBIBYTE);
        if (s.heap().liveSetEstimateBytes().value().isPresent()) {
            detail(out, "live set, estimated (MiB)", s.heap().liveSetEstimateBytes(), "%.3f", MEBIBYTE);
            out.append("    from ")
                    .append(s.heap().liveSetEstimateBasis().orElse(""))
                    .append('\n');
        }
        for (GcFinding finding : s.findings()) {
            out.append("  ")
                    .append(finding.severity() == GcFinding.Severity.WARNING ? "WARNING " : "info    ")
                    .append(finding.text())
                    .append('\n');
        }
        s.notes().forEach(note -> out.append("  note    ").append(note).append('\n'));
        reason(out, "exact", s.exact().gcThroughputPercent());
        if (SummaryBuilder.compatAsked(s)) {
            reason(out, "compat", s.compat().gcThroughputPercent());
        }
        reason(out, "footprint after full GC", s.exact().footprintAfterFullGcMeanBytes());
    }

    private static void reason(StringBuilder out, String name, MeasuredValue figure) {
        figure.fold(
                value -> out,
                reason -> out.append("  N/A     ")
                        .append(name)
                        .append(": ")
                        .append(reason)
                        .append('\n'));
    }

    private static void detail(StringBuilder out, String name, MeasuredValue figure, String format, double unit) {
        if (figure.value().isPresent()) {
            out.append(String.format(Locale.ROOT, "  %-34s %16s%n", name, text(figure, format, unit)));
        }
    }

    static String text(MeasuredValue figure, String format, double unit) {
        return figure.fold(value -> String.format(Locale.ROOT, format, value / unit), reason -> "N/A");
    }
}
