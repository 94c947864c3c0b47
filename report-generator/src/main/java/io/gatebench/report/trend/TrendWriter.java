/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.trend;

import java.io.UncheckedIOException;
import java.util.Locale;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Writes a trend as JSON or Markdown; the same trend gives the same bytes. Thread-safe. */
public final class TrendWriter {

    private final ObjectMapper json = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    /** Returns {@code changePoints[]} and {@code excluded[]}, and the series that they refer to. */
    public String json(Trend trend) {
        ObjectNode root = json.createObjectNode();
        root.put("value", trend.value());
        ArrayNode changes = root.putArray("changePoints");
        ArrayNode excluded = root.putArray("excluded");
        ArrayNode series = root.putArray("series");
        for (Trend.Series one : trend.series()) {
            for (Trend.Change change : one.changes()) {
                ObjectNode node = changes.addObject();
                node.put("series", one.name());
                node.put("index", change.index());
                node.put("time", change.point().time());
                node.put("where", change.point().where());
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
            ObjectNode node = series.addObject();
            node.put("series", one.name());
            node.put("runs", one.points().size());
        }
        for (Trend.Excluded run : trend.excluded()) {
            ObjectNode node = excluded.addObject();
            node.put("series", run.series());
            node.put("time", run.time());
            node.put("value", run.value());
            node.put("where", run.where());
            node.put("reason", run.reason());
        }
        ArrayNode notes = root.putArray("notes");
        trend.notes().forEach(notes::add);
        try {
            return json.writeValueAsString(root) + "\n";
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the changes, the excluded runs and the notes as Markdown. */
    public String markdown(Trend trend) {
        StringBuilder text = new StringBuilder("# Trend of " + escape(trend.value()) + "\n\n");
        text.append(
                "| Series | Runs | Changed at | Before | After | Change | Meaning |\n|---|---:|---|---:|---:|---:|---|\n");
        for (Trend.Series series : trend.series()) {
            if (series.changes().isEmpty()) {
                text.append("| ")
                        .append(escape(series.name()))
                        .append(" | ")
                        .append(series.points().size());
                text.append(" | no change |  |  |  |  |\n");
            }
            for (Trend.Change change : series.changes()) {
                text.append(String.format(
                        Locale.ROOT,
                        "| %s | %d | %s (%s) | %.4g | %.4g | %s | %s |\n",
                        escape(series.name()),
                        series.points().size(),
                        escape(change.point().time()),
                        escape(change.point().where()),
                        change.before(),
                        change.after(),
                        change.before() == 0
                                ? ""
                                : String.format(Locale.ROOT, "%+.1f %%", 100 * (change.after() / change.before() - 1)),
                        change.direction().name().toLowerCase(Locale.ROOT)));
            }
        }
        if (!trend.excluded().isEmpty()) {
            text.append("\nExcluded runs:\n\n");
            for (Trend.Excluded run : trend.excluded()) {
                text.append("- ").append(escape(run.where())).append(", ").append(escape(run.series()));
                text.append(", ")
                        .append(escape(run.time()))
                        .append(": ")
                        .append(escape(run.reason()))
                        .append('\n');
            }
        }
        trend.notes()
                .forEach(note -> text.append("\nNote: ").append(escape(note)).append('\n'));
        return text.toString();
    }

    private static String escape(String text) {
        return text.replace("\\", "\\\\")
                .replace("|", "\\|")
                .replace("<", "&lt;")
                .replace("\r", " ")
                .replace("\n", " ");
    }
}
