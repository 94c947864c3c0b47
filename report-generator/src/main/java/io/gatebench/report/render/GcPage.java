/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.render;

import static io.gatebench.report.render.GcEvents.rounded;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import io.gatebench.model.GcFinding;
import io.gatebench.model.GcPauseKind;
import io.gatebench.model.GcSummary;
import io.gatebench.model.MeasuredValue;
import io.gatebench.model.ResponseTimes;
import io.gatebench.report.column.Numbers;
import io.gatebench.report.page.Page;

/** One page for one or several GC logs: figures, the heap as the sawtooth that it is with the pauses, pauses by kind. */
public final class GcPage {

    private static final double MEBIBYTE = 1 << 20;
    private static final int MAX_DRAWN = 2000;
    /** So that a point before a collection and one after it stand at different places. */
    private static final double INSTANT = 1e-6;

    private static final double[] BINS = {0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000};

    private GcPage() {}

    /**
     * A collection.
     *
     * @param second when it began, in seconds since the start of the log
     * @param kind its kind
     * @param pauseMillis how long the application stood still; empty for a concurrent cycle
     * @param beforeBytes heap used before
     * @param afterBytes heap used after
     * @param sizeBytes heap size after
     */
    public record Event(
            double second,
            String kind,
            OptionalDouble pauseMillis,
            OptionalLong beforeBytes,
            OptionalLong afterBytes,
            OptionalLong sizeBytes) {}

    /**
     * A log.
     *
     * @param name its name
     * @param summary its figures
     * @param events its collections, in order of time
     */
    public record Log(String name, GcSummary summary, List<Event> events) {

        /** Copies the list. */
        public Log {
            events = List.copyOf(events);
        }
    }

    /** Returns the page. */
    public static String text(List<Log> logs) {
        Map<String, Object> model = new HashMap<>();
        String names = logs.stream().map(Log::name).collect(Collectors.joining(", "));
        model.put("title", logs.size() == 1 ? "GC of " + names : "GC of " + logs.size() + " logs");
        model.put("names", names);
        List<Map<String, Object>> models = new ArrayList<>();
        for (Log log : logs) {
            models.add(model("log-" + (models.size() + 1), log));
        }
        model.put("logs", models);
        return Page.of("gc.html.ftlh", model);
    }

    private static Map<String, Object> model(String id, Log log) {
        List<Event> drawn = GcEvents.longest(
                log.events(),
                MAX_DRAWN,
                Event::second,
                event -> event.pauseMillis().orElse(-1));
        Map<String, Object> model = new LinkedHashMap<>();
        model.put("id", id);
        model.put("name", log.name());
        model.put("figures", figures(log.summary()));
        model.put(
                "drawn",
                drawn.size() == log.events().size()
                        ? ""
                        : "Of " + log.events().size() + " collections the longest of each of " + MAX_DRAWN
                                + " stretches of time is drawn over time; figures and histogram are of all.");
        model.put("wide", drawn.isEmpty() ? List.of() : List.of(Page.json(heap(id, drawn))));
        List<String> charts = new ArrayList<>();
        if (log.events().stream().anyMatch(event -> event.pauseMillis().isPresent())) {
            charts.add(Page.json(pauses(id, drawn)));
            charts.add(Page.json(histogram(id, log.events())));
        }
        model.put("charts", charts);
        model.put(
                "kinds", log.summary().pausesByKind().stream().map(GcPage::kind).toList());
        model.put(
                "findings",
                log.summary().findings().stream()
                        .map(finding -> Map.of(
                                "severity",
                                finding.severity().name().toLowerCase(Locale.ROOT),
                                "kind",
                                badge(finding.severity()),
                                "text",
                                finding.text()))
                        .toList());
        model.put("notes", log.summary().notes());
        return model;
    }

    private static String badge(GcFinding.Severity severity) {
        return switch (severity) {
            case INFO -> "same";
            case WARNING -> "doubtful";
        };
    }

    private static List<Map<String, String>> figures(GcSummary gc) {
        List<Map<String, String>> figures = new ArrayList<>();
        add(figures, "GC throughput", gc.exact().gcThroughputPercent(), 1, 2, " %");
        add(figures, "Pauses", gc.exact().pauseCount(), 1, 0, "");
        add(figures, "Sum of pauses", gc.exact().pauseTotalSeconds(), 1, 3, " s");
        pause(figures, gc, "99 % of pauses within", ResponseTimes::p99Millis);
        pause(figures, gc, "Longest pause", ResponseTimes::maxMillis);
        add(figures, "Full collections", gc.exact().fullGcCount(), 1, 0, "");
        add(figures, "Largest heap", gc.exact().footprintBytes(), MEBIBYTE, 1, " MiB");
        add(figures, "Heap after full GC", gc.exact().footprintAfterFullGcMeanBytes(), MEBIBYTE, 1, " MiB");
        add(figures, "Allocation", gc.heap().allocationRateBytesPerSecond(), MEBIBYTE, 1, " MiB/s");
        add(figures, "Promotion", gc.heap().promotionRateBytesPerSecond(), MEBIBYTE, 2, " MiB/s");
        add(figures, "Run time", gc.exact().runTimeSeconds(), 1, 1, " s");
        figures.add(figure("Collector", gc.collector().orElse("N/A")));
        figures.add(figure("JDK", gc.jdk().orElse("N/A")));
        return figures;
    }

    private static void pause(
            List<Map<String, String>> figures, GcSummary gc, String name, Function<ResponseTimes, Double> value) {
        figures.add(figure(
                name,
                gc.pauses()
                        .map(pauses -> Numbers.text(value.apply(pauses), 2) + " ms")
                        .orElse("N/A")));
    }

    private static void add(
            List<Map<String, String>> figures,
            String name,
            MeasuredValue figure,
            double unit,
            int decimals,
            String after) {
        figures.add(figure(name, figure.fold(value -> Numbers.text(value / unit, decimals) + after, reason -> "N/A")));
    }

    private static Map<String, String> figure(String name, String value) {
        return Map.of("name", name, "value", value);
    }

    private static List<String> kind(GcPauseKind kind) {
        ResponseTimes pauses = kind.pauses();
        return List.of(
                kind.kind(),
                Long.toString(pauses.count()),
                Numbers.text(kind.totalSeconds(), 3),
                Numbers.text(pauses.meanMillis(), 2),
                Numbers.text(pauses.p50Millis(), 2),
                Numbers.text(pauses.p99Millis(), 2),
                Numbers.text(pauses.maxMillis(), 2));
    }

    /** The longest pause of each stretch of time, so that no long one is lost. */
    private static Map<String, Object> heap(String id, List<Event> events) {
        List<Double> seconds = new ArrayList<>();
        List<@Nullable Double> used = new ArrayList<>();
        List<@Nullable Double> size = new ArrayList<>();
        List<@Nullable Double> pauses = new ArrayList<>();
        for (Event event : events) {
            add(seconds, event.second());
            add(seconds, event.second());
            used.add(mebibytes(event.beforeBytes()));
            used.add(mebibytes(event.afterBytes()));
            size.add(mebibytes(event.sizeBytes()));
            size.add(mebibytes(event.sizeBytes()));
            pauses.add(
                    event.pauseMillis().isPresent()
                            ? rounded(event.pauseMillis().getAsDouble())
                            : null);
            pauses.add(null);
        }
        Map<String, Object> chart = chart(id, "heap", "Heap before and after each collection, and pauses", seconds);
        chart.put("y", Map.of("label", "MiB"));
        chart.put("right", Map.of("label", "Pause (ms)"));
        chart.put("height", 340);
        // In an order of its own, here and below: that of Map.of is another one in each JVM.
        chart.put(
                "series",
                List.of(
                        new TreeMap<>(Map.of("name", "heap used (MiB)", "values", used, "fill", 0.18)),
                        new TreeMap<>(Map.of(
                                "name",
                                "heap size (MiB)",
                                "values",
                                size,
                                "color",
                                "--s7",
                                "stepped",
                                true,
                                "dash",
                                List.of(4, 3))),
                        new TreeMap<>(Map.of(
                                "name",
                                "pause (ms)",
                                "values",
                                pauses,
                                "right",
                                true,
                                "bars",
                                4,
                                "color",
                                "--s1",
                                "fill",
                                0.9))));
        return chart;
    }

    /** The abscissa ascends strictly. */
    private static void add(List<Double> seconds, double second) {
        double last = seconds.isEmpty() ? Double.NEGATIVE_INFINITY : seconds.get(seconds.size() - 1);
        seconds.add(second > last ? second : last + INSTANT);
    }

    private static Map<String, Object> pauses(String id, List<Event> events) {
        List<Event> stops =
                events.stream().filter(event -> event.pauseMillis().isPresent()).toList();
        List<Double> seconds = new ArrayList<>();
        stops.forEach(event -> add(seconds, event.second()));
        List<Object> series = new ArrayList<>();
        stops.stream().map(Event::kind).distinct().forEach(kind -> {
            List<@Nullable Double> values = new ArrayList<>();
            stops.forEach(event -> values.add(
                    event.kind().equals(kind) ? rounded(event.pauseMillis().getAsDouble()) : null));
            series.add(new TreeMap<>(Map.of("name", kind, "values", values, "width", 0, "points", true)));
        });
        Map<String, Object> chart = chart(id, "pauses", "Pauses by kind", seconds);
        chart.put("y", Map.of("label", "ms"));
        chart.put("series", series);
        return chart;
    }

    private static Map<String, Object> histogram(String id, List<Event> events) {
        double[] pauses = events.stream()
                .flatMapToDouble(event -> event.pauseMillis().stream())
                .toArray();
        double longest = Arrays.stream(pauses).max().orElse(0);
        List<Integer> places = new ArrayList<>();
        List<String> labels = new ArrayList<>();
        List<Long> counts = new ArrayList<>();
        double from = 0;
        for (double to : BINS) {
            double low = from;
            long count = Arrays.stream(pauses)
                    .filter(pause -> pause >= low && pause < to)
                    .count();
            if (count > 0 || !counts.isEmpty() && low <= longest) {
                places.add(places.size());
                labels.add("< " + Numbers.text(to, 1));
                counts.add(count);
            }
            from = to;
        }
        double last = from;
        long beyond = Arrays.stream(pauses).filter(pause -> pause >= last).count();
        if (beyond > 0) {
            places.add(places.size());
            labels.add("more");
            counts.add(beyond);
        }
        Map<String, Object> chart = new LinkedHashMap<>();
        chart.put("id", id + "-histogram");
        chart.put("title", "How many pauses are how long");
        chart.put("xs", places);
        chart.put("x", new TreeMap<>(Map.of("label", "Pause (ms)", "labels", labels)));
        chart.put("y", Map.of("label", "Pauses"));
        chart.put(
                "series", List.of(new TreeMap<>(Map.of("name", "pauses", "values", counts, "bars", 60, "fill", 0.6))));
        return chart;
    }

    private static Map<String, Object> chart(String id, String what, String title, List<Double> seconds) {
        Map<String, Object> chart = new LinkedHashMap<>();
        chart.put("id", id + "-" + what);
        chart.put("title", title);
        chart.put("xs", seconds);
        chart.put("x", new TreeMap<>(Map.of("label", "Seconds since the start", "unit", " s")));
        chart.put("group", id);
        return chart;
    }

    private static @Nullable Double mebibytes(OptionalLong bytes) {
        return bytes.isPresent() ? Double.valueOf(rounded(bytes.getAsLong() / MEBIBYTE)) : null;
    }
}
