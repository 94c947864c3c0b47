/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.gatebench.model.RunInfo;
import io.gatebench.model.RunResult;
import io.gatebench.report.render.CsvSummary;
import io.gatebench.report.render.MarkdownReport;
import io.gatebench.report.render.MarkdownTable;
import io.gatebench.report.results.AtomicFiles;
import io.gatebench.report.results.ResultsDirectory;
import io.gatebench.report.summary.SummaryRows;
import io.gatebench.report.summary.SummaryTable;

/**
 * Makes everything that is published about a run from its results directory alone.
 *
 * <p>A pure function of the directory's content: no clock, no network, no locale of the machine; the same input gives
 * the same bytes. Safe to call from several threads as long as they write to different directories.
 */
public final class ReportGenerator {

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
        RunInfo info = results.info();
        List<RunResult> all = results.results();
        SummaryTable table = SummaryRows.of(info, all, options);
        List<Path> files = new ArrayList<>();
        write(out, "summary.md", MarkdownReport.text(info, all, table, List.of(), options), files);
        write(out, "summary.csv", CsvSummary.text(table, table.columns()), files);
        write(out, "result.json", results.wholeJson(), files);
        return new Report(
                out,
                files.stream().sorted().toList(),
                count(all, RunResult.Completed.class),
                count(all, RunResult.Failed.class),
                count(all, RunResult.Skipped.class),
                List.of());
    }

    /** Returns the published Markdown table of a run alone. */
    public static String table(ResultsDirectory results, ReportOptions options) {
        return MarkdownTable.text(SummaryRows.of(results.info(), results.results(), options));
    }

    private static int count(List<RunResult> results, Class<? extends RunResult> type) {
        return (int) results.stream().filter(type::isInstance).count();
    }

    private static void write(Path out, String name, String content, List<Path> files) {
        AtomicFiles.write(out.resolve(name), content);
        files.add(Path.of(name));
    }
}
