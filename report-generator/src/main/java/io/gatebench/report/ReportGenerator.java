/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.gatebench.model.RunManifest;
import io.gatebench.model.TestCaseResult;
import io.gatebench.report.chart.Chart;
import io.gatebench.report.chart.Charts;
import io.gatebench.report.compare.Comparison;
import io.gatebench.report.compare.ComparisonOptions;
import io.gatebench.report.compare.RunComparator;
import io.gatebench.report.importer.ResultsImporter;
import io.gatebench.report.judge.JudgedResult;
import io.gatebench.report.judge.VerdictColumns;
import io.gatebench.report.judge.Verdicts;
import io.gatebench.report.options.ReportOptions;
import io.gatebench.report.page.ForeignText;
import io.gatebench.report.render.Checksums;
import io.gatebench.report.render.CsvSummary;
import io.gatebench.report.render.DocumentationPage;
import io.gatebench.report.render.ExtendedColumns;
import io.gatebench.report.render.HtmlReport;
import io.gatebench.report.render.JsonLines;
import io.gatebench.report.render.JunitXml;
import io.gatebench.report.render.MarkdownReport;
import io.gatebench.report.render.MarkdownTable;
import io.gatebench.report.render.RowsPage;
import io.gatebench.report.render.StepSummary;
import io.gatebench.report.results.AtomicFiles;
import io.gatebench.report.results.ReportException;
import io.gatebench.report.results.ResultsDirectory;
import io.gatebench.report.summary.FailedRows;
import io.gatebench.report.summary.SummaryRows;
import io.gatebench.report.summary.SummaryTable;
import io.gatebench.report.threshold.MissedThreshold;
import io.gatebench.report.verdict.Level;
import io.gatebench.report.verdict.Rule;
import io.gatebench.report.verdict.Verdict;

/**
 * Makes everything that is published about a run from its results directory alone.
 *
 * <p>A pure function of the directory's content: no clock, no network, no locale of the machine; the same input gives
 * the same bytes (of the PNG charts: with the same fonts). Safe to call from several threads as long as they write to
 * different directories.
 *
 * @since 0.1
 */
public final class ReportGenerator {

    private static final String CHARTS = "charts/";
    private static final String CHARTS_INDEX = "charts.csv";
    private static final int MAX_NAMED = 10;
    private static final Pattern CHART_FILE = Pattern.compile("[\\w.-]+\\.(?:png|svg)");

    private ReportGenerator() {}

    /**
     * Writes all forms of the report.
     *
     * @param results the results directory
     * @param out where to write, created if missing; may be the results directory itself
     * @param options how
     * @throws ReportException if the results cannot be read or a file cannot be written
     */
    public static Report generate(ResultsDirectory results, Path out, ReportOptions options) {
        RunManifest head = results.info();
        List<String> changes = options.baseline()
                .map(baseline -> changes(baseline, results.root()))
                .orElse(List.of());
        Writer writer = new Writer(out);
        List<ReadCase> cases = new ArrayList<>();
        writer.write(
                "result.json",
                file -> cases.addAll(
                        results.writeWhole(head, file, (stored, count) -> ReadCase.of(head, stored, count))));
        ReadRun run = new ReadRun(cases);
        List<TestCaseResult> all = run.results();
        List<String> missing = missing(head, all);
        RunManifest info = head.withNotes(missing);
        List<Verdict> verdicts = Verdicts.ofStored(results, run.judged());
        List<TestCaseResult> shown = options.failedRows() ? FailedRows.shown(all) : all;
        SummaryTable table = SummaryRows.of(info, shown, options);
        // The page lists what failed by itself.
        SummaryTable ofPage = options.failedRows() ? SummaryRows.of(info, all, options) : table;
        List<Verdict> ofRows = VerdictColumns.ofRows(shown, verdicts, table);
        SummaryTable judged = VerdictColumns.appended(table, ofRows);
        SummaryTable wide = options.columns() == ReportOptions.Columns.ALL
                ? ExtendedColumns.appended(info, shown, judged, run)
                : judged;
        List<MissedThreshold> thresholds = MissedThreshold.ofJudged(info, run.judged());
        List<String> missed = thresholds.stream().map(MissedThreshold::text).toList();
        writer.warnings.addAll(missing);
        writer.warnings.addAll(changed(all, verdicts));
        List<Chart> charts = chartsOf(wide, options);
        List<String> drawn = charts.stream().map(Chart::fileName).toList();
        List<Runnable> forms = new ArrayList<>(List.of(
                () -> writer.write(
                        "index.html",
                        HtmlReport.text(info, all, run.data(), ofPage, verdicts, missed, changes, run, false, options)),
                () -> writer.write("summary.md", MarkdownReport.text(info, shown, table, ofRows, missed, run, options)),
                () -> writer.write(
                        "documentation.md",
                        DocumentationPage.text(info, shown, run.rows(shown), table, drawn, run, options)),
                () -> writer.write("summary.csv", CsvSummary.text(wide, wide.columns(), options.rawCsv())),
                () -> writer.write("summary.jsonl", JsonLines.text(wide, ofRows)),
                () -> writer.write("junit.xml", JunitXml.text(info, all, verdicts, thresholds)),
                () -> writer.write("step-summary.md", StepSummary.text(info, all, verdicts, missed))));
        write(forms, charts, options, writer);
        writer.write(Checksums.FILE, Checksums.text(results.root(), out, writer.files));
        return new Report(
                out,
                writer.files.stream().sorted().toList(),
                count(all, TestCaseResult.Completed.class),
                count(all, TestCaseResult.Failed.class),
                count(all, TestCaseResult.Skipped.class),
                writer.warnings);
    }

    /**
     * Returns the page of a run that is going on: that of the report, with the results so far. It asks {@code state}, beside
     * it on its server, how the run goes on, and nothing else of the network.
     *
     * @throws ReportException if the results cannot be read
     */
    public static String livePage(ResultsDirectory results) {
        ReportOptions options = ReportOptions.defaults();
        RunManifest info = results.info();
        ReadRun run = new ReadRun(results.stored((stored, count) -> ReadCase.of(info, stored, count)));
        return HtmlReport.text(
                info,
                run.results(),
                run.data(),
                SummaryRows.of(info, run.results(), options),
                Verdicts.ofStored(results, run.judged()),
                List.of(),
                List.of(),
                run,
                true,
                options);
    }

    /** Returns the published Markdown table of a run alone. */
    public static String table(ResultsDirectory results, ReportOptions options) {
        List<TestCaseResult> all = results.withoutSeries();
        return MarkdownTable.all(
                SummaryRows.of(results.info(), options.failedRows() ? FailedRows.shown(all) : all, options));
    }

    /**
     * Returns what must be said beside the published table of a run: cases that are missing, and what speaks against
     * results; empty if nothing does.
     *
     * @throws ReportException if the results cannot be read
     */
    public static String notes(ResultsDirectory results) {
        RunManifest info = results.info();
        List<JudgedResult> judged = results.stored((stored, count) -> JudgedResult.of(info, stored));
        List<TestCaseResult> all = judged.stream().map(JudgedResult::result).toList();
        List<Verdict> verdicts = Verdicts.ofStored(results, judged);
        String missing = String.join("\n", missing(info, all));
        String notes = verdicts.stream().allMatch(verdict -> verdict.level() == Level.VALID)
                ? ""
                : VerdictNotes.text(all.stream().map(ReportGenerator::name).toList(), verdicts);
        return missing.isEmpty() ? notes : missing + "\n" + notes;
    }

    /**
     * Returns the published table of a file of results: a wide CSV of any published width, or a published Markdown
     * document.
     *
     * @throws ReportException if the file cannot be read or holds no table of results
     */
    public static PublishedTable table(Path file) {
        return table(file, new ResultsImporter());
    }

    /**
     * Returns the published table of whatever a reader reads, a results directory of the predecessor scripts among them.
     *
     * @throws ReportException if the input cannot be read or holds no results
     */
    public static PublishedTable table(Path input, ResultsImporter reader) {
        return PublishedTable.read(input, reader);
    }

    /**
     * Writes what can be made of a table alone: a page, the Markdown table with the verdicts below it, the CSV, JSON lines and the charts.
     *
     * @param past the table
     * @param out the directory to write into, created if missing
     * @param options which charts
     * @return what was written
     * @throws ReportException if a file cannot be written
     */
    public static Report generate(PublishedTable past, Path out, ReportOptions options) {
        SummaryTable table = VerdictColumns.appended(past.table(), past.verdicts());
        Writer writer = new Writer(out);
        writer.write("index.html", RowsPage.text(past.table(), past.columns(), past.verdicts(), past.problems()));
        writer.write("table.md", past.markdown() + "\n" + past.verdictNotes());
        writer.write("summary.csv", CsvSummary.text(table, table.columns(), options.rawCsv()));
        writer.write("summary.jsonl", JsonLines.text(table, past.verdicts()));
        write(List.of(), chartsOf(table, options), options, writer);
        return new Report(
                out, writer.files.stream().sorted().toList(), table.rows().size(), 0, 0, writer.warnings);
    }

    private static List<Chart> chartsOf(SummaryTable table, ReportOptions options) {
        return options.charts() == ReportOptions.Charts.NONE
                ? List.of()
                : Charts.of(table, options.charts() == ReportOptions.Charts.PUBLISHED);
    }

    /** Writes forms and charts side by side: each takes a moment, and none needs another. */
    private static void write(List<Runnable> forms, List<Chart> charts, ReportOptions options, Writer writer) {
        Set<String> earlier = writer.earlierCharts();
        Set<String> failures = ConcurrentHashMap.newKeySet();
        List<Runnable> tasks = new ArrayList<>(forms);
        charts.forEach(chart -> tasks.add(() -> draw(chart, writer, failures)));
        runAll(tasks);
        if (options.charts() != ReportOptions.Charts.NONE) {
            writer.write(CHARTS_INDEX, index(charts));
        }
        earlier.removeAll(writer.files.stream()
                .map(file -> file.toString().replace('\\', '/'))
                .toList());
        writer.remove(earlier);
        writer.warnings.addAll(failures);
    }

    private static void draw(Chart chart, Writer writer, Set<String> failures) {
        writer.write(CHARTS + chart.fileName() + ".svg", Charts.svg(chart));
        try {
            writer.write(CHARTS + chart.fileName() + ".png", Charts.png(chart));
        } catch (LinkageError | IllegalStateException | NullPointerException e) {
            // A JVM without font files draws no text; the SVG needs none.
            failures.add("PNG charts were not drawn: " + e + "; install fontconfig and a font");
        }
    }

    private static String index(List<Chart> charts) {
        TreeMap<String, String> titles = new TreeMap<>();
        for (Chart chart : charts) {
            titles.put(chart.fileName() + ".png", chart.title());
            titles.put(chart.fileName() + ".svg", chart.title());
        }
        StringBuilder index = new StringBuilder("Filename,Title\n");
        titles.forEach((name, title) ->
                index.append(name).append(',').append(ForeignText.csv(title)).append('\n'));
        return index.toString();
    }

    /** Runs the tasks on all processors, or throws what the first one threw. */
    private static void runAll(List<Runnable> tasks) {
        ExecutorService pool = Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
        try {
            for (Future<?> ended :
                    pool.invokeAll(tasks.stream().map(Executors::callable).toList())) {
                ended.get();
            }
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ReportException("interrupted while the report was written", e);
        } finally {
            pool.shutdownNow();
        }
    }

    private static List<String> missing(RunManifest info, List<TestCaseResult> results) {
        List<String> missing = ResultsDirectory.missing(info, results);
        if (missing.isEmpty()) {
            return List.of();
        }
        int more = missing.size() - MAX_NAMED;
        return List.of("Of the " + (results.size() + missing.size()) + " cases of the plan " + missing.size()
                + " are missing, because they were not measured or were deleted: "
                + String.join(", ", missing.subList(0, Math.min(MAX_NAMED, missing.size())))
                + (more > 0 ? " and " + more + " more" : "") + ".");
    }

    private static List<String> changes(Path baseline, Path results) {
        ResultsImporter reader = new ResultsImporter();
        Comparison comparison = new RunComparator(ComparisonOptions.defaults())
                .compare(List.of(reader.read(baseline).requireFigures(baseline), reader.read(results)));
        return comparison.candidates().get(0).summary();
    }

    private static List<String> changed(List<TestCaseResult> results, List<Verdict> verdicts) {
        List<String> changed = new ArrayList<>();
        for (int i = 0; i < results.size(); i++) {
            TestCaseResult result = results.get(i);
            verdicts.get(i).findings().stream()
                    .filter(finding -> finding.rule() == Rule.CHANGED)
                    .forEach(finding -> changed.add(name(result) + ": " + finding.text()));
        }
        return changed;
    }

    private static String name(TestCaseResult result) {
        return result.testCase().id() + (result.repeat() > 1 ? ", repeat " + result.repeat() : "");
    }

    private static int count(List<TestCaseResult> results, Class<? extends TestCaseResult> type) {
        return (int) results.stream().filter(type::isInstance).count();
    }

    private static final class Writer {
        private final Path out;
        private final List<Path> files = Collections.synchronizedList(new ArrayList<>());
        private final List<String> warnings = new ArrayList<>();

        Writer(Path out) {
            this.out = out;
        }

        /** The charts that an earlier report left here, by its own index: they would be taken for those of this one. */
        Set<String> earlierCharts() {
            Path index = out.resolve(CHARTS_INDEX);
            Set<String> names = new TreeSet<>();
            if (Files.isRegularFile(index)) {
                names.add(CHARTS_INDEX);
                try (Stream<String> lines = Files.lines(index, StandardCharsets.UTF_8)) {
                    lines.map(line -> line.split(",", 2)[0])
                            .filter(name -> CHART_FILE.matcher(name).matches())
                            .forEach(name -> names.add(CHARTS + name));
                } catch (IOException | UncheckedIOException e) {
                    warnings.add("the charts of an earlier report were left: " + index + " cannot be read");
                }
            }
            return names;
        }

        void remove(Set<String> names) {
            for (String name : names) {
                try {
                    Files.deleteIfExists(out.resolve(name));
                } catch (IOException e) {
                    warnings.add("a chart of an earlier report was left: " + out.resolve(name));
                }
            }
        }

        void write(String name, String content) {
            write(name, content.getBytes(StandardCharsets.UTF_8));
        }

        void write(String name, AtomicFiles.Content content) {
            AtomicFiles.writeUnforced(this.out.resolve(name), content);
            files.add(Path.of(name));
        }

        void write(String name, byte[] content) {
            AtomicFiles.writeUnforced(out.resolve(name), content);
            files.add(Path.of(name));
        }
    }
}
