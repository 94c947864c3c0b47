/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.importer;

import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.file.FileSystems;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import io.gatebench.model.GcStatistics;
import io.gatebench.report.column.Column;
import io.gatebench.report.column.GcColumn;
import io.gatebench.report.column.Metric;
import io.gatebench.report.column.Numbers;
import io.gatebench.report.column.SummaryColumns;
import io.gatebench.report.importer.ImportedRun.Problem;
import io.gatebench.report.results.NaturalOrder;

/**
 * Reads a results directory of the predecessor scripts: per test case a summary JSON or, where it is missing, the
 * zipped samples; GC logs; host reports; display names from the test metadata.
 *
 * <p>Nothing is unpacked to disk under a name from an archive, and no link is followed.
 */
final class Wso2ResultsDirectory {

    private static final String SUMMARY = "results-measurement-summary.json";
    private static final Pattern HEAP = Pattern.compile("(\\d+[a-zA-Z])_heap");
    private static final Pattern USERS = Pattern.compile("(\\d{1,9})_users");
    private static final Pattern SIZE = Pattern.compile("(\\d{1,9})B");
    private static final Pattern QUERY =
            Pattern.compile("(?:query_?(\\d{1,4})|(\\d{1,4})_?query)", Pattern.CASE_INSENSITIVE);
    private static final Pattern ELEMENTS =
            Pattern.compile("(\\d{1,9})_?(?:elements|iterations)", Pattern.CASE_INSENSITIVE);
    private static final Pattern DELAY = Pattern.compile("(-?\\d{1,9})ms_sleep");
    private static final Pattern LOAD_SERVER = Pattern.compile("jmeter(\\d{1,3})");
    private static final Pattern GC_LOG = Pattern.compile("(.+)_gc\\.log");

    private final Path root;
    private final Optional<GcLogReader> gcLogs;
    private final Optional<String> application;
    private final ObjectMapper json = new ObjectMapper();
    private final List<ResultRow> rows = new ArrayList<>();
    private final List<Problem> problems = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private final Map<String, String> displayNames = new LinkedHashMap<>();
    private long warmUpMillis = -1;

    Wso2ResultsDirectory(Path root, Optional<GcLogReader> gcLogs, Optional<String> application) {
        this.root = root;
        this.gcLogs = gcLogs;
        this.application = application;
    }

    /** Returns whether a directory has a test case of the predecessor's tree in it. */
    static boolean isOne(Path directory) throws IOException {
        boolean[] found = {false};
        walk(directory, file -> {
            found[0] = tellsOfCell(file);
            return !found[0];
        });
        return found[0];
    }

    private static boolean tellsOfCell(Path file) {
        String name = fileName(file);
        return name.equals(SUMMARY) || name.equals("jtls.zip") || name.startsWith("results") && name.endsWith(".jtl");
    }

    /**
     * Reads all test cases in natural order of their paths.
     *
     * @throws IOException if the tree cannot be walked
     */
    ImportedRun read(String name) throws IOException {
        metadata();
        List<Path> cells = new ArrayList<>();
        walk(root, file -> {
            Path cell = file.getParent();
            if (tellsOfCell(file) && cell != null && !cells.contains(cell)) {
                cells.add(cell);
            }
            return true;
        });
        cells.sort((a, b) -> NaturalOrder.INSTANCE.compare(relative(a), relative(b)));
        for (Path cell : cells) {
            cell(cell);
        }
        if (cells.isEmpty()) {
            problems.add(new Problem(name, 0, "holds no test case with a summary or samples"));
        }
        return new ImportedRun(
                name, ImportedRun.Format.PREDECESSOR_DIRECTORY, KeyColumns.unique(rows), problems, notes);
    }

    private void metadata() {
        Path file = root.resolve("test-metadata.json");
        if (!Files.isRegularFile(file)) {
            notes.add("no test-metadata.json: scenarios carry the names of their directories");
            return;
        }
        try {
            JsonNode node = json(file);
            for (JsonNode scenario : node.path("test_scenarios")) {
                displayNames.put(
                        scenario.path("name").asText(),
                        scenario.path("display_name").asText());
            }
            OptionalLong seconds = Numbers.whole(node.path("warmup_time").asText());
            if (seconds.isPresent()) {
                warmUpMillis = seconds.getAsLong() * 1000;
            }
        } catch (IOException e) {
            problems.add(new Problem(relative(file), 0, "is not readable: " + e.getMessage()));
        }
    }

    private void cell(Path cell) {
        String where = relative(cell);
        CellKey key = key(cell);
        try {
            Map<String, Map<String, String>> labels = labels(cell, where);
            if (labels.isEmpty()) {
                problems.add(new Problem(where, 0, "holds no sample of the measurement"));
            }
            Map<String, String> processes = processes(cell);
            labels.forEach((label, figures) -> {
                Map<String, String> cells = new LinkedHashMap<>();
                cells.put(SummaryColumns.SCENARIO, key.scenario());
                cells.put(SummaryColumns.HEAP, key.heap().map(Object::toString).orElse(Column.NOT_AVAILABLE));
                cells.put(
                        SummaryColumns.USERS,
                        key.users().isPresent() ? "" + key.users().getAsInt() : Column.NOT_AVAILABLE);
                cells.put(
                        key.message()
                                .map(level -> SummaryColumns.messageColumn(level.kind()))
                                .orElse(SummaryColumns.MESSAGE_SIZE),
                        key.message().map(level -> "" + level.value()).orElse(Column.NOT_AVAILABLE));
                cells.put(
                        SummaryColumns.DELAY,
                        key.delayMillis().isPresent() ? "" + key.delayMillis().getAsLong() : Column.NOT_AVAILABLE);
                cells.putAll(figures);
                cells.putAll(processes);
                rows.add(new ResultRow(key, 1, cells, where, 0));
            });
        } catch (IOException e) {
            problems.add(new Problem(where, 0, "is not readable: " + e.getMessage()));
        }
    }

    private CellKey key(Path cell) {
        List<String> parts = List.of(relative(cell).split("/"));
        String scenario = "";
        List<String> others = new ArrayList<>();
        Map<String, String> cells = new LinkedHashMap<>();
        for (int i = 0; i < parts.size(); i++) {
            String part = parts.get(i);
            if (put(cells, "heap", HEAP, part) || put(cells, "users", USERS, part)) {
                continue;
            }
            if (put(cells, "message size", SIZE, part)
                    || put(cells, "query", QUERY, part)
                    || put(cells, "elements", ELEMENTS, part)
                    || put(cells, "delay", DELAY, part)) {
                continue;
            }
            if (i + 1 < parts.size() && HEAP.matcher(parts.get(i + 1)).matches()) {
                scenario = part;
            } else {
                others.add(part);
            }
        }
        if (scenario.isEmpty() && !others.isEmpty()) {
            scenario = others.remove(0);
        }
        String displayName = displayNames.getOrDefault(scenario, scenario);
        cells.put("scenario", displayName);
        if (cells.containsKey("elements")) {
            others.addAll(cells.containsKey("message size") ? List.of(cells.remove("message size") + "B") : List.of());
        }
        CellKey key = KeyColumns.keyOf(cells);
        if (!others.isEmpty()) {
            notes.add(relative(cell) + ": the levels " + others
                    + " are no part of the key and tell test cases apart as they are");
        }
        return key.withVariant(String.join("/", others));
    }

    private static boolean put(Map<String, String> cells, String name, Pattern pattern, String part) {
        Matcher matcher = pattern.matcher(part);
        if (!matcher.matches()) {
            return false;
        }
        String value = matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
        cells.put(name, value);
        return true;
    }

    private Map<String, Map<String, String>> labels(Path cell, String where) throws IOException {
        Path summary = cell.resolve(SUMMARY);
        if (Files.isRegularFile(summary)) {
            try {
                return fromSummary(json(summary));
            } catch (IOException e) {
                problems.add(new Problem(
                        relative(summary),
                        0,
                        "is not readable (" + e.getMessage() + "); the samples were read instead"));
            }
        }
        Path measurement = cell.resolve("results-measurement.jtl");
        if (Files.isRegularFile(measurement)) {
            return ofMeasurement(() -> open(measurement, ReadLimits.SAMPLE_BYTES), relative(measurement));
        }
        Path all = cell.resolve("results.jtl");
        if (Files.isRegularFile(all)) {
            return ofAll(() -> open(all, ReadLimits.SAMPLE_BYTES), relative(all), where);
        }
        Path zip = cell.resolve("jtls.zip");
        if (Files.isRegularFile(zip)) {
            return fromZip(zip, where);
        }
        return Map.of();
    }

    private interface Samples {
        InputStream open() throws IOException;
    }

    private Map<String, Map<String, String>> ofMeasurement(Samples samples, String file) throws IOException {
        try (InputStream in = samples.open()) {
            return SampleFile.summarize(in, file, -1, OptionalLong.empty(), problems);
        }
    }

    /** Reads the samples twice, since only the first of them tells when the warm-up ended. */
    private Map<String, Map<String, String>> ofAll(Samples samples, String file, String where) throws IOException {
        OptionalLong first;
        try (InputStream in = samples.open()) {
            first = SampleFile.firstStart(in);
        }
        if (warmUpMillis < 0) {
            problems.add(new Problem(
                    where, 0, "the warm-up is not known without test-metadata.json; all samples were counted"));
        }
        try (InputStream in = samples.open()) {
            return SampleFile.summarize(in, file, warmUpMillis, first, problems);
        }
    }

    /** Reads the samples straight from the archive; no entry's name is ever used as a path. */
    private Map<String, Map<String, String>> fromZip(Path zip, String where) throws IOException {
        Path file = zip;
        Path copy = null;
        try {
            if (!zip.getFileSystem().equals(FileSystems.getDefault())) {
                copy = Files.createTempFile("gatebench-", ".zip");
                try (InputStream in = open(zip, ReadLimits.SAMPLE_BYTES)) {
                    Files.copy(in, copy, StandardCopyOption.REPLACE_EXISTING);
                }
                file = copy;
            }
            try (ZipFile archive = new ZipFile(file.toFile())) {
                Optional<ZipEntry> measurement = entry(archive, "results-measurement.jtl");
                if (measurement.isPresent()) {
                    return ofMeasurement(() -> open(archive, measurement.get()), where + "/jtls.zip");
                }
                Optional<ZipEntry> all = entry(archive, "results.jtl");
                if (all.isEmpty()) {
                    problems.add(new Problem(
                            where + "/jtls.zip", 0, "holds neither results-measurement.jtl nor results.jtl"));
                    return Map.of();
                }
                return ofAll(() -> open(archive, all.get()), where + "/jtls.zip", where);
            }
        } finally {
            if (copy != null) {
                Files.deleteIfExists(copy);
            }
        }
    }

    private static Optional<ZipEntry> entry(ZipFile archive, String wanted) {
        Enumeration<? extends ZipEntry> entries = archive.entries();
        for (int i = 0; entries.hasMoreElements() && i < ReadLimits.ARCHIVE_ENTRIES; i++) {
            ZipEntry entry = entries.nextElement();
            String name = entry.getName();
            if (!entry.isDirectory()
                    && name.substring(name.lastIndexOf('/') + 1).equals(wanted)) {
                return Optional.of(entry);
            }
        }
        return Optional.empty();
    }

    private static InputStream open(ZipFile archive, ZipEntry entry) throws IOException {
        long packed = Math.max(1, entry.getCompressedSize());
        long limit = Math.min(ReadLimits.SAMPLE_BYTES, Math.max(1 << 20, packed * ReadLimits.UNPACK_RATIO));
        return ReadLimits.limited(archive.getInputStream(entry), limit, entry.getName());
    }

    private Map<String, Map<String, String>> fromSummary(JsonNode node) throws IOException {
        if (!node.isObject()) {
            throw new IOException("not an object");
        }
        Map<String, Map<String, String>> labels = new LinkedHashMap<>();
        if (node.has("samples")) {
            labels.put("", figures("", node));
            return labels;
        }
        for (Map.Entry<String, JsonNode> field : node.properties()) {
            if (field.getValue().has("samples")) {
                labels.put(field.getKey(), figures(field.getKey(), field.getValue()));
            }
        }
        if (labels.isEmpty()) {
            throw new IOException("no label with samples");
        }
        return labels;
    }

    private static Map<String, String> figures(String label, JsonNode node) {
        Map<String, String> cells = new LinkedHashMap<>();
        OptionalDouble throughput = Numbers.parse(text(node, "throughput"));
        OptionalDouble mean = Numbers.parse(text(node, "mean"));
        for (Column<?> column : SummaryColumns.LOAD) {
            cells.put(
                    column.header(),
                    switch (column.header()) {
                        case SummaryColumns.LABEL -> label;
                        case SummaryColumns.USERS_IN_SYSTEM ->
                            throughput.isPresent() && mean.isPresent()
                                    ? Long.toString((long) (throughput.getAsDouble() * mean.getAsDouble() / 1000))
                                    : Column.NOT_AVAILABLE;
                        default ->
                            text(node, field(Metric.named(column.header()).orElseThrow()));
                    });
        }
        return cells;
    }

    /** The names in the statistics files of past releases, where they are not those of the metrics. */
    private static String field(Metric metric) {
        return switch (metric) {
            case ERROR_PERCENT -> "errorPercentage";
            case DEVIATION -> "stddev";
            case RECEIVED -> "receivedKBytesRate";
            case SENT -> "sentKBytesRate";
            default -> metric.shortName();
        };
    }

    private static String text(JsonNode node, String field) {
        JsonNode value = node.path(field);
        if (value.isNumber()) {
            BigDecimal number = value.decimalValue().stripTrailingZeros();
            return Math.abs((long) number.scale()) > 30 ? "N/A" : number.toPlainString();
        }
        return value.isTextual() ? value.asText() : "N/A";
    }

    /** Returns the GC and host columns of the test case in published order: GC of all processes, then hosts. */
    private Map<String, String> processes(Path cell) throws IOException {
        Map<String, String> prefixes = prefixes(cell);
        Map<String, String> columns = new LinkedHashMap<>();
        prefixes.forEach((prefix, process) -> gc(cell, prefix, process, columns));
        Path duration = cell.resolve("test_duration.json");
        if (Files.isRegularFile(duration)) {
            JsonNode node = json(duration);
            OptionalLong start = Numbers.whole(node.path("start_timestamp").asText());
            OptionalLong end = Numbers.whole(node.path("end_timestamp").asText());
            if (start.isPresent() && end.isPresent()) {
                for (Map.Entry<String, String> entry : prefixes.entrySet()) {
                    columns.putAll(HostReports.read(
                            cell, entry.getKey(), entry.getValue(), start.getAsLong(), end.getAsLong()));
                }
            } else {
                problems.add(new Problem(relative(duration), 0, "holds no start and end; host reports were not read"));
            }
        }
        return columns;
    }

    /**
     * Returns the processes of the test case in the order of the published columns: prefix of their files, column name.
     */
    private Map<String, String> prefixes(Path cell) throws IOException {
        List<String> found = new ArrayList<>();
        try (Stream<Path> files = Files.list(cell)) {
            files.map(Wso2ResultsDirectory::fileName)
                    .map(name -> name.endsWith("/") ? name.substring(0, name.length() - 1) : name)
                    .sorted(NaturalOrder.INSTANCE)
                    .forEach(name -> {
                        Matcher matcher = GC_LOG.matcher(name);
                        if (matcher.matches()) {
                            found.add(matcher.group(1));
                        } else if (Files.isRegularFile(cell.resolve(name).resolve(name + "_sar_report_cpu.csv"))) {
                            found.add(name);
                        }
                    });
        }
        Map<String, String> prefixes = new LinkedHashMap<>();
        found.stream()
                .filter(prefix -> !prefix.equals("netty") && !prefix.startsWith("jmeter"))
                .forEach(prefix -> prefixes.put(prefix, application.orElse(prefix)));
        found.stream().filter("netty"::equals).forEach(prefix -> prefixes.put(prefix, "Netty Service"));
        found.stream().filter("jmeter"::equals).forEach(prefix -> prefixes.put(prefix, "JMeter Client"));
        found.forEach(prefix -> {
            Matcher matcher = LOAD_SERVER.matcher(prefix);
            if (matcher.matches()) {
                prefixes.put(prefix, "JMeter Server " + matcher.group(1));
            }
        });
        return prefixes;
    }

    private void gc(Path cell, String prefix, String process, Map<String, String> columns) {
        Path log = cell.resolve(prefix + "_gc.log");
        Optional<GcStatistics> figures = Optional.empty();
        if (gcLogs.isPresent() && Files.isRegularFile(log)) {
            try {
                figures = Optional.of(gcLogs.get().read(List.of(log)).compat());
            } catch (RuntimeException e) {
                problems.add(new Problem(relative(log), 0, "is not readable as a GC log: " + e.getMessage()));
            }
        }
        for (GcColumn column : GcColumn.values()) {
            // An absent figure of a log that was read is an empty cell, as published documents have it.
            columns.put(
                    column.header(process),
                    figures.map(f -> column.of(f).<String>fold(column::text, reason -> ""))
                            .orElse(Column.NOT_AVAILABLE));
        }
    }

    private JsonNode json(Path file) throws IOException {
        try (InputStream in = open(file, ReadLimits.JSON_BYTES)) {
            JsonNode node = json.readTree(in);
            if (node == null) {
                throw new IOException("the file is empty");
            }
            return node;
        } catch (JacksonException e) {
            throw new IOException("not JSON: " + e.getOriginalMessage(), e);
        }
    }

    private InputStream open(Path file, long limit) throws IOException {
        return ReadLimits.limited(Files.newInputStream(file), limit, relative(file));
    }

    private String relative(Path path) {
        String text = root.relativize(path).toString().replace('\\', '/');
        return text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
    }

    private static String fileName(Path path) {
        Path name = path.getFileName();
        return name == null ? "" : name.toString();
    }

    /** Decides on each file whether the walk goes on. */
    private interface OnFile {
        boolean goOn(Path file);
    }

    private static void walk(Path root, OnFile onFile) throws IOException {
        int[] seen = {0};
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                if (++seen[0] > ReadLimits.TREE_ENTRIES) {
                    throw new IOException("the tree holds more than " + ReadLimits.TREE_ENTRIES + " files");
                }
                return !attributes.isRegularFile() || onFile.goOn(file)
                        ? FileVisitResult.CONTINUE
                        : FileVisitResult.TERMINATE;
            }
        });
    }
}
