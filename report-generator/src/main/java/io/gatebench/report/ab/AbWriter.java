/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.ab;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;

import io.gatebench.model.TestCase;
import io.gatebench.report.compare.Comparison.Outcome;
import io.gatebench.report.results.AtomicFiles;

/** Writes what came of measuring two gateways in turns: for scripts, for a terminal, and every window. */
public final class AbWriter {

    /** The file with the words, intervals and notes. */
    public static final String RESULT_FILE = "ab.json";
    /** The file with all windows. */
    public static final String WINDOWS_FILE = "windows.csv";

    /** The page for people. */
    public static final String PAGE_FILE = "index.html";

    private static final int SCHEMA_VERSION = 1;

    private final ObjectMapper json = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    /** Returns the words and intervals in the form that scripts rely on. */
    public String json(AbResult result) {
        return text(contract(result));
    }

    /** Writes {@value #RESULT_FILE} and {@value #WINDOWS_FILE}; earlier ones are replaced whole. */
    public void write(AbResult result, Path directory) {
        ObjectNode root = json.createObjectNode();
        root.put("schemaVersion", SCHEMA_VERSION);
        root.setAll(contract(result));
        root.put("a", result.a());
        root.put("b", result.b());
        root.put("falseAlarms", result.judge().falseAlarms());
        root.put("lossPercent", result.judge().lossPercent());
        root.put("smallestChangePercent", result.judge().smallestChangePercent());
        ArrayNode notes = root.putArray("notes");
        result.notes().forEach(notes::add);
        AtomicFiles.write(directory.resolve(WINDOWS_FILE), windows(result));
        AtomicFiles.write(directory.resolve(RESULT_FILE), text(root));
    }

    /** Writes {@value #PAGE_FILE}, the page for people; an earlier one is replaced whole. */
    public void writePage(AbResult result, Path directory) {
        AtomicFiles.write(directory.resolve(PAGE_FILE), AbPage.of(result));
    }

    private ObjectNode contract(AbResult result) {
        ObjectNode root = json.createObjectNode();
        root.put("decided", result.decided());
        root.put("seconds", result.seconds());
        ArrayNode cases = root.putArray("cases");
        for (AbCase measured : result.cases()) {
            ObjectNode node = cases.addObject();
            TestCase testCase = measured.testCase();
            node.putObject("key")
                    .put("scenario", testCase.scenario())
                    .put("users", testCase.users())
                    .put("message", testCase.message().directoryName())
                    .put("backendDelayMillis", testCase.backendDelay().toMillis());
            ArrayNode figures = node.putArray("figures");
            for (AbVerdict verdict : result.judge().judge(measured)) {
                ObjectNode figure = figures.addObject();
                figure.put("name", verdict.figure().word());
                put(figure, "ratio", verdict.ratio());
                put(figure, "low", verdict.low());
                put(figure, "high", verdict.high());
                figure.put("verdict", verdict.word());
            }
        }
        return root;
    }

    private static void put(ObjectNode node, String name, OptionalDouble value) {
        if (value.isPresent()) {
            // What is behind the fifth decimal is noise.
            node.put(name, Math.rint(value.getAsDouble() * 1e5) / 1e5);
        } else {
            node.putNull(name);
        }
    }

    private String text(ObjectNode node) {
        try {
            return json.writeValueAsString(node) + "\n";
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String windows(AbResult result) {
        StringBuilder text = new StringBuilder();
        CSVFormat format = CSVFormat.DEFAULT.builder().setRecordSeparator('\n').get();
        try (CSVPrinter csv = new CSVPrinter(text, format)) {
            List<Object> head = new ArrayList<>(
                    List.of("case", "start", "fraction", "pair", "side", "alone", "began", "requests", "errors"));
            for (AbFigure figure : AbFigure.values()) {
                head.add(figure.word());
            }
            head.addAll(List.of("other-cpu-percent", "steal-percent", "invalid"));
            csv.printRecord(head);
            for (AbCase measured : result.cases()) {
                int number = 0;
                for (AbCase.Start start : measured.starts()) {
                    number++;
                    for (AbWindow window : start.windows()) {
                        csv.printRecord(record(measured, number, start, window));
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    private static List<Object> record(AbCase measured, int number, AbCase.Start start, AbWindow window) {
        List<Object> cells = new ArrayList<>(List.of(
                measured.testCase().id(),
                number,
                decimal(start.fraction()),
                window.pair(),
                window.side(),
                window.alone(),
                window.began(),
                window.requests(),
                window.errors()));
        for (AbFigure figure : AbFigure.values()) {
            Double value = window.figures()
                    .getOrDefault(
                            figure,
                            start.whole().getOrDefault(window.side(), Map.of()).get(figure));
            cells.add(value == null ? "" : decimal(value));
        }
        cells.add(optional(window.otherCpuPercent()));
        cells.add(optional(window.stealPercent()));
        cells.add(window.invalid().orElse(""));
        return cells;
    }

    private static String optional(OptionalDouble value) {
        return value.isPresent() ? decimal(value.getAsDouble()) : "";
    }

    private static String decimal(double value) {
        return String.format(Locale.ROOT, "%.4f", value);
    }

    /** Returns the table for a terminal, each line ended by a newline. */
    public String table(AbResult result) {
        StringBuilder text = new StringBuilder();
        text.append("A: ").append(result.a()).append("\nB: ").append(result.b()).append('\n');
        for (AbCase measured : result.cases()) {
            long windows = measured.starts().stream()
                    .mapToLong(start -> start.windows().size())
                    .sum();
            long invalid = measured.starts().stream()
                    .flatMap(start -> start.windows().stream())
                    .filter(window -> window.invalid().isPresent())
                    .count();
            text.append('\n')
                    .append(measured.testCase().id())
                    .append(": ")
                    .append(count(measured.starts().size(), "start"))
                    .append(", ")
                    .append(count(windows, "window"))
                    .append(invalid == 0 ? "" : ", " + invalid + " of them invalid")
                    .append('\n');
            text.append(row("figure", "unit", "A", "B", "B / A", "interval", "verdict"));
            for (AbVerdict verdict : result.judge().judge(measured)) {
                text.append(row(
                        verdict.figure().word(),
                        verdict.figure().unit(),
                        level(verdict.a()),
                        level(verdict.b()),
                        ratio(verdict.ratio()),
                        verdict.low().isPresent() ? ratio(verdict.low()) + " to " + ratio(verdict.high()) : "-",
                        verdict.outcome() == Outcome.NO_DIFFERENCE
                                ? "no loss above " + number(result.judge().lossPercent()) + " %"
                                : verdict.word()));
            }
        }
        text.append('\n')
                .append(result.decided() ? "Decided" : "Not decided")
                .append(" after ")
                .append(count(result.seconds(), "second"))
                .append(".\n");
        return text.toString();
    }

    private static String row(
            String figure, String unit, String a, String b, String ratio, String interval, String word) {
        return String.format(
                        Locale.ROOT,
                        "  %-22s %-10s %10s %10s %8s  %-18s  %s",
                        figure,
                        unit,
                        a,
                        b,
                        ratio,
                        interval,
                        word)
                + "\n";
    }

    private static String count(long number, String what) {
        return number + " " + what + (number == 1 ? "" : "s");
    }

    private static String level(OptionalDouble value) {
        return value.isEmpty()
                ? "-"
                : String.format(Locale.ROOT, value.getAsDouble() >= 1000 ? "%.0f" : "%.2f", value.getAsDouble());
    }

    private static String ratio(OptionalDouble value) {
        return value.isEmpty() ? "-" : String.format(Locale.ROOT, "%.3f", value.getAsDouble());
    }

    private static String number(double value) {
        return value == Math.rint(value) ? String.valueOf((long) value) : String.valueOf(value);
    }
}
