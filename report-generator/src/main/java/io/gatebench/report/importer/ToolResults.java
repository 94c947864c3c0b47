/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.importer;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import io.gatebench.report.column.Cells;
import io.gatebench.report.column.Metric;
import io.gatebench.report.column.Numbers;
import io.gatebench.report.importer.ImportedRun.Problem;
import io.gatebench.report.verdict.Finding;
import io.gatebench.report.verdict.Level;
import io.gatebench.report.verdict.Rule;

/**
 * Reads what other load generators write: JMeter's sample files, the summaries of k6, vegeta, oha, Hyperfoil and Gatling as
 * JSON, and the text of wrk and wrk2.
 *
 * <p>A file is known by what it holds, not by its name. What a tool does not say stands among the problems. Each tool has
 * a load model of its own, as each takes response times in another way: only results of one tool are compared.
 */
final class ToolResults {

    private static final int HEAD_BYTES = 4096;
    private static final Pattern WRK = Pattern.compile("Running [\\d.]+\\w+ test @ (\\S+)");
    private static final Pattern WRK_CONNECTIONS = Pattern.compile("\\d+ threads and (\\d{1,9}) connections");
    private static final Pattern WRK_LATENCY = Pattern.compile("(?m)^ *Latency +(\\S+) +(\\S+) +(\\S+) ");
    private static final Pattern WRK_PERCENTILE = Pattern.compile("(?m)^ *([\\d.]+)% +([\\d.]+)(us|ms|s|m|h) *$");
    private static final Pattern WRK_MEAN = Pattern.compile("#\\[Mean += +([\\d.]+), StdDev(?:iation)? += +([\\d.]+)]");
    private static final Pattern WRK_REQUESTS = Pattern.compile("(\\d+) requests in ");
    private static final Pattern WRK_SOCKET_ERRORS =
            Pattern.compile("Socket errors: connect (\\d+), read (\\d+), write (\\d+), timeout (\\d+)");
    private static final Pattern WRK_STATUS = Pattern.compile("Non-2xx or 3xx responses: (\\d+)");
    private static final Pattern WRK_RATE = Pattern.compile("Requests/sec: +([\\d.]+)");
    private static final Pattern TIME = Pattern.compile("([\\d.]+)(us|ms|s|m|h)");
    private static final double NANOS = 1e-6;
    private static final double SECONDS = 1000;
    private static final String ALL = "all requests";

    private final String file;
    private final List<ResultRow> rows = new ArrayList<>();
    private final List<Problem> problems = new ArrayList<>();

    private ToolResults(String file) {
        this.file = file;
    }

    /**
     * Returns the results of a file that one of the tools has written, or empty if none of them has.
     *
     * @throws IOException if it cannot be read, or is larger than is read of its kind
     */
    static Optional<ImportedRun> read(Path path, String name) throws IOException {
        String head = head(path);
        ToolResults results = new ToolResults(name);
        if (head.startsWith("timeStamp") && head.contains("elapsed")) {
            results.jmeter(path);
        } else if (head.startsWith("{")) {
            results.json(path);
        } else if (WRK.matcher(head).find()) {
            results.wrk(new String(bytes(path), StandardCharsets.UTF_8));
        }
        return results.rows.isEmpty()
                ? Optional.empty()
                : Optional.of(new ImportedRun(
                        name,
                        ImportedRun.Format.OTHER_TOOL,
                        KeyColumns.unique(results.rows),
                        results.problems,
                        List.of()));
    }

    private static String head(Path path) throws IOException {
        try (InputStream in = Files.newInputStream(path)) {
            String head = new String(in.readNBytes(HEAD_BYTES), StandardCharsets.UTF_8);
            return (head.startsWith("\uFEFF") ? head.substring(1) : head).stripLeading();
        }
    }

    private static byte[] bytes(Path path) throws IOException {
        try (InputStream in = ReadLimits.limited(
                Files.newInputStream(path), ReadLimits.JSON_BYTES, String.valueOf(path.getFileName()))) {
            return in.readAllBytes();
        }
    }

    private void jmeter(Path path) throws IOException {
        try (InputStream in = ReadLimits.limited(Files.newInputStream(path), ReadLimits.SAMPLE_BYTES, file)) {
            SampleFile.summarize(in, file, -1, OptionalLong.empty(), problems)
                    .forEach((label, cells) ->
                            add("JMeter", label, OptionalInt.empty(), new LinkedHashMap<>(cells), List.of()));
        }
        doubt("JMeter", "whole milliseconds are rounded to two digits");
    }

    private void json(Path path) throws IOException {
        JsonNode root;
        try {
            root = new ObjectMapper().readTree(bytes(path));
        } catch (JsonProcessingException e) {
            throw new IOException("is no JSON: " + e.getOriginalMessage(), e);
        }
        if (root.path("metrics").has("http_req_duration")) {
            k6(root.path("metrics"));
        } else if (root.has("latencies") && root.has("status_codes")) {
            vegeta(root);
        } else if (root.has("latencyPercentiles") && root.path("summary").has("requestsPerSec")) {
            oha(root);
        } else if (root.path("stats").path(0).path("total").path("summary").has("percentileResponseTime")) {
            hyperfoil(root.path("stats"));
        } else if (root.path("stats").has("meanNumberOfRequestsPerSecond")) {
            gatling(root);
        } else {
            throw new IOException("is JSON, but not of k6, vegeta, oha, Hyperfoil or Gatling");
        }
    }

    private void k6(JsonNode metrics) {
        JsonNode times = values(metrics, "http_req_duration");
        JsonNode failed = values(metrics, "http_req_failed");
        Map<String, String> cells = new LinkedHashMap<>();
        double samples = values(metrics, "http_reqs").path("count").asDouble();
        put(cells, Metric.SAMPLES, samples, 1);
        put(cells, Metric.THROUGHPUT, number(values(metrics, "http_reqs"), "rate"), 1);
        // k6 counts a failed request as a pass of this rate.
        OptionalDouble share = number(failed, "value").isPresent() ? number(failed, "value") : number(failed, "rate");
        share.ifPresent(value -> put(cells, Metric.ERRORS, Math.rint(value * samples), 1));
        put(cells, Metric.MEAN, number(times, "avg"), 1);
        put(cells, Metric.MIN, number(times, "min"), 1);
        put(cells, Metric.P50, number(times, "med"), 1);
        put(cells, Metric.P75, number(times, "p(75)"), 1);
        put(cells, Metric.P90, number(times, "p(90)"), 1);
        put(cells, Metric.P95, number(times, "p(95)"), 1);
        put(cells, Metric.P99, number(times, "p(99)"), 1);
        put(cells, Metric.P999, number(times, "p(99.9)"), 1);
        put(cells, Metric.MAX, number(times, "max"), 1);
        JsonNode users = values(metrics, "vus_max");
        boolean steady = users.has("max") && users.path("max").equals(users.path("min"));
        add("k6", ALL, steady ? OptionalInt.of(users.path("max").asInt()) : OptionalInt.empty(), cells, List.of());
        if (!times.has("p(99)")) {
            missing(
                    "the 99th percentile",
                    "k6 writes it with summaryTrendStats: ['avg', 'min', 'med', 'max', 'p(99)']");
        }
        doubt("k6", "all requests of the script are one row");
    }

    /** The export of k6 holds the values of a metric itself, the data of handleSummary below {@code values}. */
    private static JsonNode values(JsonNode metrics, String name) {
        JsonNode metric = metrics.path(name);
        return metric.has("values") ? metric.path("values") : metric;
    }

    private void vegeta(JsonNode root) {
        JsonNode times = root.path("latencies");
        Map<String, String> cells = new LinkedHashMap<>();
        double samples = root.path("requests").asDouble();
        put(cells, Metric.SAMPLES, samples, 1);
        number(root, "success").ifPresent(share -> put(cells, Metric.ERRORS, Math.rint((1 - share) * samples), 1));
        // Its rate is what was sent; its throughput leaves out what failed, which ours counts.
        double seconds = (root.path("duration").asDouble() + root.path("wait").asDouble()) / 1e9;
        if (seconds > 0) {
            put(cells, Metric.THROUGHPUT, samples / seconds, 1);
        }
        put(cells, Metric.MEAN, number(times, "mean"), NANOS);
        put(cells, Metric.MIN, number(times, "min"), NANOS);
        put(cells, Metric.P50, number(times, "50th"), NANOS);
        put(cells, Metric.P90, number(times, "90th"), NANOS);
        put(cells, Metric.P95, number(times, "95th"), NANOS);
        put(cells, Metric.P99, number(times, "99th"), NANOS);
        put(cells, Metric.MAX, number(times, "max"), NANOS);
        add("vegeta", ALL, OptionalInt.empty(), cells, List.of());
        doubt("vegeta", "it sends at a given rate, which its report does not tell: compare runs of one rate");
    }

    private void oha(JsonNode root) {
        JsonNode summary = root.path("summary");
        JsonNode times = root.path("latencyPercentiles");
        Map<String, String> cells = new LinkedHashMap<>();
        double answered = 0;
        double failed = 0;
        for (Map.Entry<String, JsonNode> status :
                root.path("statusCodeDistribution").properties()) {
            answered += status.getValue().asDouble();
            failed += status.getKey().startsWith("2") || status.getKey().startsWith("3")
                    ? 0
                    : status.getValue().asDouble();
        }
        for (Map.Entry<String, JsonNode> error : root.path("errorDistribution").properties()) {
            // What is under way when the time is over did not fail.
            if (!error.getKey().equals("aborted due to deadline")) {
                answered += error.getValue().asDouble();
                failed += error.getValue().asDouble();
            }
        }
        put(cells, Metric.SAMPLES, answered, 1);
        put(cells, Metric.ERRORS, failed, 1);
        put(cells, Metric.THROUGHPUT, number(summary, "requestsPerSec"), 1);
        put(cells, Metric.MEAN, number(summary, "average"), SECONDS);
        put(cells, Metric.MIN, number(summary, "fastest"), SECONDS);
        put(cells, Metric.P50, number(times, "p50"), SECONDS);
        put(cells, Metric.P75, number(times, "p75"), SECONDS);
        put(cells, Metric.P90, number(times, "p90"), SECONDS);
        put(cells, Metric.P95, number(times, "p95"), SECONDS);
        put(cells, Metric.P99, number(times, "p99"), SECONDS);
        put(cells, Metric.P999, number(times, "p99.9"), SECONDS);
        put(cells, Metric.P9999, number(times, "p99.99"), SECONDS);
        put(cells, Metric.MAX, number(summary, "slowest"), SECONDS);
        add("oha", ALL, OptionalInt.empty(), cells, List.of());
        doubt("oha", "its report tells neither connections nor rate: compare runs of one command line");
    }

    private void hyperfoil(JsonNode stats) {
        for (JsonNode part : stats) {
            JsonNode summary = part.path("total").path("summary");
            if (part.path("isWarmup").asBoolean()
                    || summary.path("requestCount").asLong() == 0) {
                continue;
            }
            JsonNode times = summary.path("percentileResponseTime");
            Map<String, String> cells = new LinkedHashMap<>();
            JsonNode http = summary.path("extensions").path("http");
            double failed = 0;
            for (String kind : List.of("connectionErrors", "requestTimeouts", "internalErrors", "invalid")) {
                failed += summary.path(kind).asDouble();
            }
            double refused =
                    http.path("status_4xx").asDouble() + http.path("status_5xx").asDouble();
            double samples = summary.path("requestCount").asDouble();
            put(cells, Metric.SAMPLES, samples, 1);
            // An answer with such a status may be invalid, too, and is counted once.
            put(cells, Metric.ERRORS, Math.max(failed, refused), 1);
            double seconds = (summary.path("endTime").asDouble()
                            - summary.path("startTime").asDouble())
                    / 1000;
            if (seconds > 0) {
                put(cells, Metric.THROUGHPUT, summary.path("responseCount").asDouble() / seconds, 1);
            }
            put(cells, Metric.MEAN, number(summary, "meanResponseTime"), NANOS);
            put(cells, Metric.DEVIATION, number(summary, "stdDevResponseTime"), NANOS);
            put(cells, Metric.MIN, number(summary, "minResponseTime"), NANOS);
            put(cells, Metric.P50, number(times, "50.0"), NANOS);
            put(cells, Metric.P90, number(times, "90.0"), NANOS);
            put(cells, Metric.P99, number(times, "99.0"), NANOS);
            put(cells, Metric.P999, number(times, "99.9"), NANOS);
            put(cells, Metric.P9999, number(times, "99.99"), NANOS);
            put(cells, Metric.MAX, number(summary, "maxResponseTime"), NANOS);
            add(
                    "Hyperfoil",
                    part.path("phase").asText() + "/" + part.path("metric").asText("default"),
                    OptionalInt.empty(),
                    cells,
                    List.of());
        }
    }

    private void gatling(JsonNode node) {
        if (node.path("type").asText().equals("REQUEST")) {
            JsonNode stats = node.path("stats");
            Map<String, String> cells = new LinkedHashMap<>();
            put(cells, Metric.SAMPLES, total(stats, "numberOfRequests"), 1);
            put(cells, Metric.ERRORS, number(stats.path("numberOfRequests"), "ko"), 1);
            put(cells, Metric.THROUGHPUT, total(stats, "meanNumberOfRequestsPerSecond"), 1);
            OptionalDouble mean = total(stats, "meanResponseTime");
            put(cells, Metric.MEAN, mean, 1);
            put(cells, Metric.DEVIATION, total(stats, "standardDeviation"), 1);
            put(cells, Metric.MIN, total(stats, "minResponseTime"), 1);
            put(cells, Metric.P50, total(stats, "percentiles1"), 1);
            put(cells, Metric.P75, total(stats, "percentiles2"), 1);
            put(cells, Metric.P95, total(stats, "percentiles3"), 1);
            put(cells, Metric.P99, total(stats, "percentiles4"), 1);
            put(cells, Metric.MAX, total(stats, "maxResponseTime"), 1);
            List<Finding> findings = new ArrayList<>();
            mean.ifPresent(millis -> {
                double percent = 100 * 0.5 / Math.max(0.5, millis);
                if (Rule.COARSE_TIMES.levelOf(percent) != Level.VALID) {
                    findings.add(new Finding(
                            Rule.COARSE_TIMES,
                            Rule.COARSE_TIMES.levelOf(percent),
                            "response times are whole milliseconds, which is " + Math.round(percent)
                                    + " % of the mean"));
                }
            });
            add("Gatling", node.path("path").asText(node.path("name").asText()), OptionalInt.empty(), cells, findings);
        }
        node.path("contents").forEach(this::gatling);
        if (node.path("pathFormatted").asText().startsWith("group_missing-name")) {
            doubt(
                    "Gatling",
                    "the 50th, 75th, 95th and 99th percentiles are taken for those of its four indicators,"
                            + " which gatling.conf can change");
        }
    }

    private static OptionalDouble total(JsonNode stats, String name) {
        return number(stats.path(name), "total");
    }

    private void wrk(String text) {
        Matcher parts = WRK.matcher(text);
        // A file of several runs holds several rows.
        List<Integer> starts = new ArrayList<>();
        while (parts.find()) {
            starts.add(parts.start());
        }
        for (int i = 0; i < starts.size(); i++) {
            wrkRun(text.substring(starts.get(i), i + 1 < starts.size() ? starts.get(i + 1) : text.length()));
        }
    }

    private void wrkRun(String text) {
        boolean constantRate = text.contains("Thread calibration") || text.contains("HdrHistogram");
        Matcher begin = find(WRK, text).orElseThrow();
        Map<String, String> cells = new LinkedHashMap<>();
        OptionalDouble samples = group(WRK_REQUESTS, text, 1);
        put(cells, Metric.SAMPLES, samples, 1);
        double failed = group(WRK_STATUS, text, 1).orElse(0);
        for (int i = 1; i <= 4; i++) {
            failed += group(WRK_SOCKET_ERRORS, text, i).orElse(0);
        }
        put(cells, Metric.ERRORS, failed, 1);
        put(cells, Metric.THROUGHPUT, group(WRK_RATE, text, 1), 1);
        find(WRK_LATENCY, text).ifPresent(latency -> {
            put(cells, Metric.MEAN, millis(latency.group(1)), 1);
            put(cells, Metric.DEVIATION, millis(latency.group(2)), 1);
            put(cells, Metric.MAX, millis(latency.group(3)), 1);
        });
        // The exact figures of wrk2 stand below those of its table.
        find(WRK_MEAN, text).ifPresent(mean -> {
            put(cells, Metric.MEAN, Numbers.parse(mean.group(1)), 1);
            put(cells, Metric.DEVIATION, Numbers.parse(mean.group(2)), 1);
        });
        Matcher percentile = WRK_PERCENTILE.matcher(text);
        while (percentile.find()) {
            OptionalDouble percent = Numbers.parse(percentile.group(1));
            for (Metric metric : List.of(Metric.P50, Metric.P75, Metric.P90, Metric.P99, Metric.P999, Metric.P9999)) {
                if (percent.isPresent() && metric.percentile().orElse(-1) == percent.getAsDouble()) {
                    put(cells, metric, millis(percentile.group(2) + percentile.group(3)), 1);
                }
            }
        }
        add(
                constantRate ? "wrk2" : "wrk",
                path(begin.group(1)),
                find(WRK_CONNECTIONS, text)
                        .map(found -> OptionalInt.of(Integer.parseInt(found.group(1))))
                        .orElse(OptionalInt.empty()),
                cells,
                List.of());
        if (!cells.containsKey(Metric.P99.column())) {
            missing("percentiles", "wrk prints them with --latency");
        }
        if (rows.size() == 1) {
            doubt(
                    constantRate ? "wrk2" : "wrk",
                    constantRate
                            ? "its rate is not printed: compare runs of one rate"
                            : "its response times hold times that it has added for what it could not send");
        }
    }

    private static Optional<Matcher> find(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        return matcher.find() ? Optional.of(matcher) : Optional.empty();
    }

    private static OptionalDouble group(Pattern pattern, String text, int group) {
        return find(pattern, text)
                .map(matcher -> Numbers.parse(matcher.group(group)))
                .orElseGet(OptionalDouble::empty);
    }

    private static OptionalDouble millis(String time) {
        Matcher matcher = TIME.matcher(time);
        if (!matcher.matches()) {
            return OptionalDouble.empty();
        }
        double factor = switch (matcher.group(2)) {
            case "us" -> 0.001;
            case "ms" -> 1;
            case "s" -> 1000;
            case "m" -> 60_000;
            default -> 3_600_000;
        };
        OptionalDouble number = Numbers.parse(matcher.group(1));
        return number.isPresent() ? OptionalDouble.of(number.getAsDouble() * factor) : number;
    }

    /** The host and port of two runs may differ where the route is the same. */
    private static String path(String url) {
        int host = url.indexOf("://");
        int path = url.indexOf('/', host < 0 ? 0 : host + 3);
        return path < 0 || path == url.length() - 1 ? ALL : url.substring(path);
    }

    private static OptionalDouble number(JsonNode node, String name) {
        JsonNode value = node.path(name);
        // Old reports of Gatling hold numbers as text.
        return value.isNumber()
                ? OptionalDouble.of(value.asDouble())
                : value.isTextual() ? Numbers.parse(value.asText()) : OptionalDouble.empty();
    }

    private static void put(Map<String, String> cells, Metric metric, OptionalDouble value, double factor) {
        value.ifPresent(number -> put(cells, metric, number, factor));
    }

    private static void put(Map<String, String> cells, Metric metric, double value, double factor) {
        if (Double.isFinite(value) && value >= 0) {
            cells.put(metric.column(), Numbers.text(value * factor, 6));
        }
    }

    private void add(
            String tool, String scenario, OptionalInt users, Map<String, String> cells, List<Finding> findings) {
        cells.put(RunResultRows.LOAD_MODEL, "that of " + tool);
        rows.add(new ResultRow(
                new CellKey(scenario, Optional.empty(), users, Optional.empty(), OptionalLong.empty(), ""),
                1,
                Cells.read(cells),
                file,
                0,
                findings));
    }

    private void missing(String what, String remedy) {
        problems.add(new Problem(file, 0, "holds no " + what + "; " + remedy));
    }

    private void doubt(String tool, String text) {
        problems.add(new Problem(file, 0, "is of " + tool + ": the whole run counts, its beginning included; " + text));
    }
}
