/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.trend;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gatebench.report.page.ForeignText;
import io.gatebench.report.page.Page;

/** Writes a trend as JSON, Markdown or one HTML file; the same trend gives the same bytes. Thread-safe. */
public final class TrendWriter {

    private static final String TOO_EARLY = "too early to tell";

    private static final Pattern URL = Pattern.compile("https?://\\S+");
    private static final String COMMIT = "{commit}";

    private final Optional<String> commitUrl;

    /** Makes a writer whose pages link commits only where the file names a URL. */
    public TrendWriter() {
        this(Optional.empty());
    }

    /**
     * Makes a writer.
     *
     * @param commitUrl the URL of a commit, with {@code {commit}} in the place of its name
     * @throws IllegalArgumentException if it is no such URL
     */
    public TrendWriter(Optional<String> commitUrl) {
        commitUrl
                .filter(url -> !URL.matcher(url).matches() || !url.contains(COMMIT))
                .ifPresent(url -> {
                    throw new IllegalArgumentException("the URL of a commit must begin with http and hold " + COMMIT
                            + ", e.g. https://example.org/repository/commit/" + COMMIT + ", but was '" + url + "'");
                });
        this.commitUrl = commitUrl;
    }

    /** Returns date and version of a run. */
    static String place(Trend.Point point) {
        return point.date()
                + point.version()
                        .map(version -> (point.date().isEmpty() ? "" : ", ") + version)
                        .orElse("");
    }

    private String link(Trend.Point point) {
        return point.commit()
                .map(commit -> URL.matcher(commit).matches()
                        ? commit
                        : commit.matches("[\\w.-]{1,100}")
                                ? commitUrl
                                        .map(url -> url.replace(COMMIT, commit))
                                        .orElse("")
                                : "")
                .orElse("");
    }

    /** Runs that follow each other and do not count for one reason. */
    private record Gap(Trend.Excluded first, Trend.Excluded last) {

        private String runs() {
            return first.number() == last.number()
                    ? Integer.toString(first.number())
                    : first.number() + "-" + last.number();
        }

        private String times() {
            String from = TimeOrder.readable(first.time());
            String to = TimeOrder.readable(last.time());
            return from.equals(to) ? from : from + " to " + to;
        }

        private String where() {
            return first.where().equals(last.where()) ? first.where() : first.where() + " to " + last.where();
        }

        private String value() {
            return first == last ? first.value() : "";
        }
    }

    private static List<Gap> gaps(List<Trend.Excluded> excluded) {
        List<Gap> gaps = new ArrayList<>();
        for (Trend.Excluded run : excluded) {
            Gap before = gaps.isEmpty() ? null : gaps.get(gaps.size() - 1);
            if (before != null
                    && before.last().number() + 1 == run.number()
                    && before.last().series().equals(run.series())
                    && before.last().reason().equals(run.reason())) {
                gaps.set(gaps.size() - 1, new Gap(before.first(), run));
            } else {
                gaps.add(new Gap(run, run));
            }
        }
        return gaps;
    }

    /**
     * Writes {@code trend.json}, {@code trend.md}, {@code trend.html} and the charts as SVG into a directory, which is made
     * if it does not exist.
     *
     * @throws IOException if a file cannot be written
     */
    public void writeAll(Trend trend, Path directory) throws IOException {
        Path charts = Files.createDirectories(directory.resolve("charts"));
        Files.writeString(directory.resolve("trend.json"), json(trend), StandardCharsets.UTF_8);
        Files.writeString(directory.resolve("trend.md"), markdown(trend), StandardCharsets.UTF_8);
        Files.writeString(directory.resolve("trend.html"), html(trend), StandardCharsets.UTF_8);
        int number = 0;
        for (Trend.Series series : trend.series()) {
            number++;
            if (!series.points().isEmpty()) {
                Files.writeString(
                        charts.resolve("trend-" + number + ".svg"),
                        TrendChart.of(trend.value(), series).file(),
                        StandardCharsets.UTF_8);
            }
        }
    }

    /** Returns the trend as one HTML file: changes, a chart per series, those with changes first, and excluded runs. */
    public String html(Trend trend) {
        List<Trend.Series> sorted = trend.series().stream()
                .sorted(Comparator.comparing(
                                (Trend.Series series) -> series.changes().isEmpty())
                        .thenComparing(series -> series.early().isEmpty()))
                .toList();
        List<Map<String, String>> rows = new ArrayList<>();
        for (Trend.Series series : sorted) {
            if (series.changes().isEmpty() && series.early().isEmpty()) {
                rows.add(unchanged(series));
            }
            series.changes()
                    .forEach(change -> rows.add(
                            row(series, change, change.direction().name().toLowerCase(Locale.ROOT), between(change))));
            series.early().ifPresent(change -> rows.add(row(series, change, TOO_EARLY, held(series, change))));
        }
        Map<String, Object> model = new LinkedHashMap<>();
        model.put("value", trend.value());
        model.put("series", Integer.toString(trend.series().size()));
        model.put(
                "changeCount",
                Integer.toString(trend.series().stream()
                        .mapToInt(series -> series.changes().size())
                        .sum()));
        model.put("rows", rows);
        model.put(
                "meanings",
                rows.stream().map(row -> row.get("meaning")).distinct().toList());
        model.put("notes", trend.notes());
        model.put(
                "charts",
                sorted.stream()
                        .filter(series -> !series.points().isEmpty())
                        .map(series -> Map.of(
                                "title",
                                series.name(),
                                "svg",
                                TrendChart.of(trend.value(), series).inPage()))
                        .toList());
        model.put(
                "excluded",
                gaps(trend.excluded()).stream()
                        .map(gap -> Map.of(
                                "series",
                                gap.first().series(),
                                "runs",
                                gap.runs(),
                                "time",
                                gap.times(),
                                "value",
                                gap.value(),
                                "where",
                                gap.where(),
                                "reason",
                                gap.first().reason()))
                        .toList());
        model.put("excludedRuns", Integer.toString(trend.excluded().size()));
        return Page.of("trend.html.ftlh", model);
    }

    /** Between which runs the change was. */
    private static String between(Trend.Change change) {
        return change.earliest().equals(change.latest())
                ? "this run"
                : place(change.earliest()) + " to " + place(change.latest());
    }

    /** For how many runs the last figures have held, of those that make a level. */
    private static String held(Trend.Series series, Trend.Change change) {
        int runs = series.points().size() - change.index();
        return runs + " of " + ChangePoints.HELD + " runs";
    }

    private Map<String, String> row(Trend.Series series, Trend.Change change, String meaning, String between) {
        return Map.ofEntries(
                Map.entry("series", series.name()),
                Map.entry("runs", Integer.toString(series.points().size())),
                Map.entry("at", at(change.point())),
                Map.entry("link", link(change.point())),
                Map.entry("between", between),
                Map.entry("before", figure(change.before())),
                Map.entry("after", figure(change.after())),
                Map.entry("change", percent(change)),
                Map.entry("meaning", meaning),
                Map.entry("kind", meaning.equals(TOO_EARLY) ? "doubtful" : meaning),
                Map.entry("p", change.p() < 0.0001 ? "< 0.0001" : String.format(Locale.ROOT, "%.4f", change.p())));
    }

    private static Map<String, String> unchanged(Trend.Series series) {
        Map<String, String> row = new LinkedHashMap<>();
        List.of("at", "link", "between", "before", "after", "change", "p").forEach(cell -> row.put(cell, ""));
        row.put("series", series.name());
        row.put("runs", Integer.toString(series.points().size()));
        row.put("meaning", "no change");
        row.put("kind", "same");
        return row;
    }

    private static String at(Trend.Point point) {
        return place(point)
                + point.commit()
                        .filter(commit -> !URL.matcher(commit).matches())
                        .map(commit -> ", " + commit)
                        .orElse("")
                + " (" + point.where() + ")";
    }

    /** Four significant digits, never in powers of ten. */
    static String figure(double value) {
        return new BigDecimal(value, new MathContext(4)).stripTrailingZeros().toPlainString();
    }

    static String percent(Trend.Change change) {
        return change.before() == 0
                ? ""
                : String.format(Locale.ROOT, "%+.1f %%", 100 * (change.after() / change.before() - 1));
    }

    /**
     * Returns {@code changePoints[]}, {@code tooEarly[]} with what the last runs show but are too few to tell, and {@code
     * excluded[]}, and the series that they refer to.
     */
    public String json(Trend trend) {
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        root.put("value", trend.value());
        ArrayNode changes = root.putArray("changePoints");
        ArrayNode early = root.putArray("tooEarly");
        ArrayNode excluded = root.putArray("excluded");
        ArrayNode series = root.putArray("series");
        for (Trend.Series one : trend.series()) {
            for (Trend.Change change : one.changes()) {
                put(changes.addObject(), one, change);
            }
            one.early().ifPresent(change -> {
                ObjectNode node = early.addObject();
                put(node, one, change);
                node.put("verdict", TOO_EARLY);
                node.put("held", one.points().size() - change.index());
                node.put("needed", ChangePoints.HELD);
            });
            ObjectNode node = series.addObject();
            node.put("series", one.name());
            node.put("runs", one.points().size());
        }
        for (Trend.Excluded run : trend.excluded()) {
            ObjectNode node = excluded.addObject();
            node.put("series", run.series());
            node.put("run", run.number());
            node.put("time", run.time());
            node.put("value", run.value());
            node.put("where", run.where());
            node.put("reason", run.reason());
        }
        ArrayNode notes = root.putArray("notes");
        trend.notes().forEach(notes::add);
        return root.toPrettyString() + "\n";
    }

    private static void put(ObjectNode node, Trend.Series series, Trend.Change change) {
        node.put("series", series.name());
        node.put("index", change.index());
        node.put("run", change.point().number());
        node.put("time", change.point().time());
        node.put("date", change.point().date());
        change.point().version().ifPresent(version -> node.put("version", version));
        change.point().commit().ifPresent(commit -> node.put("commit", commit));
        node.put("where", change.point().where());
        node.put("earliest", change.earliest().time());
        node.put("latest", change.latest().time());
        node.put("before", change.before());
        node.put("after", change.after());
        if (change.before() != 0) {
            node.put("ratio", change.after() / change.before());
        } else {
            node.putNull("ratio");
        }
        node.put("direction", change.direction().name().toLowerCase(Locale.ROOT));
        node.put("p", change.p());
    }

    /** Returns the changes, the excluded runs and the notes as Markdown. */
    public String markdown(Trend trend) {
        StringBuilder text = new StringBuilder("# Trend of " + ForeignText.markdownLiteral(trend.value()) + "\n\n");
        text.append("| Series | Runs | Changed at | Between | Before | After | Change | Meaning |\n");
        text.append("|---|---:|---|---|---:|---:|---:|---|\n");
        for (Trend.Series series : trend.series()) {
            if (series.changes().isEmpty() && series.early().isEmpty()) {
                text.append("| ")
                        .append(ForeignText.markdownLiteral(series.name()))
                        .append(" | ")
                        .append(series.points().size());
                text.append(" | no change |  |  |  |  |  |\n");
            }
            for (Trend.Change change : series.changes()) {
                text.append(line(
                        series,
                        change,
                        between(change),
                        change.direction().name().toLowerCase(Locale.ROOT)));
            }
            series.early().ifPresent(change -> text.append(line(series, change, held(series, change), TOO_EARLY)));
        }
        if (!trend.excluded().isEmpty()) {
            text.append("\nExcluded runs:\n\n");
            for (Gap gap : gaps(trend.excluded())) {
                text.append("- ").append(ForeignText.markdownLiteral(gap.first().series()));
                text.append(", ")
                        .append(gap.runs().contains("-") ? "runs " : "run ")
                        .append(gap.runs());
                text.append(" (").append(ForeignText.markdownLiteral(gap.times().isEmpty() ? "" : gap.times() + ", "));
                text.append(ForeignText.markdownLiteral(gap.where())).append("): ");
                text.append(ForeignText.markdownLiteral(gap.first().reason())).append('\n');
            }
        }
        trend.notes()
                .forEach(note -> text.append("\nNote: ")
                        .append(ForeignText.markdownLiteral(note))
                        .append('\n'));
        return text.toString();
    }

    private static String line(Trend.Series series, Trend.Change change, String between, String meaning) {
        return String.format(
                Locale.ROOT,
                "| %s | %d | %s | %s | %s | %s | %s | %s |\n",
                ForeignText.markdownLiteral(series.name()),
                series.points().size(),
                ForeignText.markdownLiteral(at(change.point())),
                ForeignText.markdownLiteral(between),
                figure(change.before()),
                figure(change.after()),
                percent(change),
                meaning);
    }
}
