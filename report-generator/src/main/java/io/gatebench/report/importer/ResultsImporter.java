/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.importer;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.ProviderNotFoundException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.ZipError;

import io.gatebench.model.RunManifest;
import io.gatebench.model.TestCaseResult;
import io.gatebench.report.results.NaturalOrder;
import io.gatebench.report.results.ReportException;
import io.gatebench.report.results.ResultsDirectory;
import io.gatebench.report.verdict.Finding;
import io.gatebench.report.verdict.RunRules;

/**
 * Reads results of any origin: a results directory of Gatebench or of the predecessor (also its {@code results.zip}), a
 * CSV with one row per test case, a published Markdown document, or what JMeter, k6, wrk, wrk2, vegeta, oha, Hyperfoil
 * and Gatling write; a directory of such files holds repeats.
 *
 * <p>Every row is read or stands among the problems with its file and line. Sizes are limited, links are not followed,
 * nothing is unpacked under a foreign name. Immutable and thread-safe.
 *
 * @since 0.1
 */
public final class ResultsImporter {

    private static final int MAX_FILES = 1_000;

    private final Optional<GcLogReader> gcLogs;
    private final Optional<String> application;

    /** Makes a reader that leaves GC logs of the predecessor unread. */
    public ResultsImporter() {
        this(Optional.empty(), Optional.empty());
    }

    private ResultsImporter(Optional<GcLogReader> gcLogs, Optional<String> application) {
        this.gcLogs = gcLogs;
        this.application = application;
    }

    /** Returns the name that the gateway has where the input holds none. */
    public Optional<String> givenApplication() {
        return application;
    }

    /** Returns a reader that reads the GC logs of a predecessor's results directory by that function. */
    public ResultsImporter withGcLogs(GcLogReader reader) {
        return new ResultsImporter(Optional.of(reader), application);
    }

    /** Returns a reader that gives the GC and host columns of a predecessor's results directory that name. */
    public ResultsImporter withApplication(String name) {
        return new ResultsImporter(gcLogs, Optional.of(name));
    }

    /**
     * Reads an input.
     *
     * @throws ReportException if it does not exist, cannot be read, or is nothing that holds results
     */
    public ImportedRun read(Path input) {
        try {
            if (Files.isDirectory(input)) {
                return directory(input);
            }
            if (!Files.isRegularFile(input)) {
                throw new ReportException(
                        input + ": " + (Files.exists(input) ? "is neither a file nor a directory" : "does not exist"));
            }
            String name = name(input).toLowerCase(Locale.ROOT);
            if (name.endsWith(".zip")) {
                return archive(input);
            }
            Optional<ImportedRun> ofTool = ToolResults.read(input, name(input));
            if (ofTool.isPresent()) {
                return ofTool.get();
            }
            return name.endsWith(".md")
                            || name.endsWith(".markdown")
                            || !name.endsWith(".csv") && looksLikeMarkdown(input)
                    ? markdown(input)
                    : csv(input);
        } catch (IOException e) {
            throw new ReportException(input + ": cannot be read: " + e.getMessage(), e);
        }
    }

    private ImportedRun directory(Path directory) throws IOException {
        if (ResultsDirectory.isResultsDirectory(directory)) {
            return own(ResultsDirectory.open(directory), name(directory));
        }
        if (Wso2ResultsDirectory.isOne(directory)) {
            return new Wso2ResultsDirectory(directory, gcLogs, application).read(name(directory));
        }
        for (String candidate : new String[] {"summary.csv", "summary.md"}) {
            Path file = directory.resolve(candidate);
            if (Files.isRegularFile(file)) {
                return read(file);
            }
        }
        Path gatling = directory.resolve("js").resolve("stats.json");
        if (Files.isRegularFile(gatling)) {
            return read(gatling);
        }
        return ofTools(directory)
                .orElseThrow(() -> new ReportException(directory + ": "
                        + "holds no results: neither run.json, nor a test case with results-measurement-summary.json or"
                        + " jtls.zip, nor summary.csv or summary.md, nor files of another load generator"));
    }

    /** Files that a tool wrote one after the other are repeats of one another. */
    private static Optional<ImportedRun> ofTools(Path directory) throws IOException {
        List<Path> files;
        try (Stream<Path> children = Files.list(directory)) {
            files = children.filter(Files::isRegularFile)
                    .sorted((a, b) -> NaturalOrder.INSTANCE.compare(name(a), name(b)))
                    .limit(MAX_FILES)
                    .toList();
        }
        List<ResultRow> rows = new ArrayList<>();
        List<ImportedRun.Problem> problems = new ArrayList<>();
        for (Path file : files) {
            try {
                ToolResults.read(file, name(file)).ifPresent(results -> {
                    rows.addAll(results.rows());
                    // What holds for each file of a tool is said once.
                    results.problems().stream()
                            .filter(problem -> problems.stream()
                                    .noneMatch(known -> known.text().equals(problem.text())))
                            .forEach(problems::add);
                });
            } catch (IOException e) {
                problems.add(new ImportedRun.Problem(name(file), 0, "was not read: " + e.getMessage()));
            }
        }
        return rows.isEmpty()
                ? Optional.empty()
                : Optional.of(new ImportedRun(
                        name(directory), ImportedRun.Format.OTHER_TOOL, KeyColumns.unique(rows), problems, List.of()));
    }

    private static ImportedRun own(ResultsDirectory directory, String name) {
        record Read(TestCaseResult result, List<ResultRow> rows) {}
        RunManifest info = directory.info();
        List<String> ofHead = directory.infoChanges();
        List<Read> read = directory.stored((stored, all) -> {
            List<Finding> changed = RunRules.changed(ofHead, stored.changes());
            return new Read(
                    stored.result().withoutSeries(),
                    RunResultRows.of(info, stored.result()).stream()
                            .map(row -> row.with(changed))
                            .toList());
        });
        List<ResultRow> rows =
                read.stream().flatMap(result -> result.rows().stream()).toList();
        List<String> notes = rows.isEmpty() ? List.of(name + " holds no result yet") : List.of();
        List<ImportedRun.Problem> missing =
                ResultsDirectory.missing(info, read.stream().map(Read::result).toList()).stream()
                        .map(testCase -> new ImportedRun.Problem(
                                name,
                                0,
                                "the case " + testCase + " of the plan is missing: it was not measured, or deleted"))
                        .toList();
        return new ImportedRun(name, ImportedRun.Format.RESULTS_DIRECTORY, rows, missing, notes);
    }

    private ImportedRun archive(Path file) throws IOException {
        try (FileSystem zip = FileSystems.newFileSystem(file, Map.of("accessMode", "readOnly"))) {
            Path root = zip.getPath("/");
            Path inner = root.resolve("results");
            Path start = Files.isDirectory(inner) ? inner : root;
            if (!Wso2ResultsDirectory.isOne(start)) {
                throw new ReportException(file + ": is an archive without a test case of results");
            }
            return new Wso2ResultsDirectory(start, gcLogs, application).read(name(file));
        } catch (ProviderNotFoundException | ZipError e) {
            throw new ReportException(file + ": is not a zip archive", e);
        }
    }

    private static ImportedRun csv(Path file) throws IOException {
        try (BufferedReader reader = reader(file)) {
            ImportedRun results = new CsvResults(name(file)).read(reader);
            if (results.rows().isEmpty()
                    && results.problems().isEmpty()
                    && results.notes().isEmpty()) {
                throw new ReportException(file + ": is empty");
            }
            return results;
        }
    }

    private static ImportedRun markdown(Path file) throws IOException {
        try (BufferedReader reader = reader(file)) {
            return new MarkdownResults(name(file)).read(reader);
        }
    }

    private static BufferedReader reader(Path file) throws IOException {
        if (Files.size(file) > ReadLimits.TABLE_BYTES) {
            throw new IOException("larger than " + ReadLimits.TABLE_BYTES + " bytes");
        }
        InputStream in = ReadLimits.limited(Files.newInputStream(file), ReadLimits.TABLE_BYTES, name(file));
        return new BufferedReader(new InputStreamReader(
                in,
                StandardCharsets.UTF_8
                        .newDecoder()
                        .onMalformedInput(CodingErrorAction.REPLACE)
                        .onUnmappableCharacter(CodingErrorAction.REPLACE)));
    }

    private static boolean looksLikeMarkdown(Path file) throws IOException {
        try (BufferedReader reader = reader(file);
                Stream<String> lines = reader.lines()) {
            return lines.limit(500).anyMatch(line -> line.strip().matches("\\|?\\s*:?-+:?\\s*\\|[-:|\\s]*"));
        }
    }

    private static String name(Path path) {
        Path name = path.toAbsolutePath().normalize().getFileName();
        return name == null ? path.toString() : name.toString();
    }
}
