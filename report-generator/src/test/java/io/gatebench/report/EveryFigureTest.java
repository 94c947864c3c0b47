/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.gatebench.model.RunManifest;
import io.gatebench.model.TestCaseResult;
import io.gatebench.report.chart.Chart;
import io.gatebench.report.chart.Charts;
import io.gatebench.report.column.Metric;
import io.gatebench.report.column.Unit;
import io.gatebench.report.compare.Comparison;
import io.gatebench.report.compare.ComparisonOptions;
import io.gatebench.report.compare.RunComparator;
import io.gatebench.report.importer.ImportedRun;
import io.gatebench.report.importer.ResultRow;
import io.gatebench.report.importer.ResultsImporter;
import io.gatebench.report.importer.RunResultRows;
import io.gatebench.report.options.ReportOptions;
import io.gatebench.report.render.ExtendedColumns;
import io.gatebench.report.results.ResultsDirectory;
import io.gatebench.report.summary.SummaryRows;
import io.gatebench.report.summary.SummaryTable;
import io.gatebench.report.threshold.Thresholds;
import io.gatebench.report.trend.TrendAnalyzer;

/** What the list of figures holds is in every form of the report and can be read back, compared, limited and followed. */
class EveryFigureTest {

    private static final RunManifest RUN = SampleRuns.local();

    @TempDir
    private static Path temporary;

    @BeforeAll
    static void writeReport() {
        ResultsDirectory results = ResultsDirectory.create(temporary.resolve("results"), RUN);
        SampleRuns.results().forEach(results::write);
        ReportGenerator.generate(
                results,
                temporary.resolve("report"),
                ReportOptions.defaults().withColumns(ReportOptions.Columns.ALL).withCharts(ReportOptions.Charts.NONE));
    }

    @ParameterizedTest
    @EnumSource(Metric.class)
    void isInTheFormsOfAReport(Metric metric) throws Exception {
        ImportedRun csv = new ResultsImporter().read(temporary.resolve("report/summary.csv"));
        assertThat(csv.rows()).allSatisfy(row -> assertThat(row.number(metric)).isPresent());
        String line =
                Files.readAllLines(temporary.resolve("report/summary.jsonl")).get(0);
        String own = csv.rows().get(0).column(metric).orElseThrow();
        assertThat(own).endsWith(metric.column());
        assertThat(new ObjectMapper().readTree(line).path(own).isNumber())
                .as(own)
                .isTrue();
    }

    @Test
    void isDrawnIfItIsATime() {
        List<TestCaseResult> results = SampleRuns.results();
        SummaryTable table = ExtendedColumns.appended(
                RUN,
                results,
                SummaryRows.of(RUN, results, ReportOptions.defaults()),
                (result, label) -> Optional.empty());
        assertThat(Charts.of(table, true).stream().map(Chart::title))
                .containsAll(Arrays.stream(Metric.values())
                        .filter(metric -> metric.unit() == Unit.MILLISECONDS)
                        .map(metric -> metric.column() + " vs Concurrent Users")
                        .toList());
    }

    @ParameterizedTest
    @EnumSource(Metric.class)
    void isLimitedByItsNames(Metric metric) {
        List<ResultRow> rows = rows();
        for (String name : metric.allNames()) {
            assertThat(Thresholds.parse(name + " >= 0").evaluate(rows))
                    .isNotEmpty()
                    .allSatisfy(outcome -> assertThat(outcome.actual()).isPresent());
        }
    }

    @ParameterizedTest
    @EnumSource(Metric.class)
    void isComparedAndFollowed(Metric metric) throws Exception {
        ImportedRun run = new ResultsImporter().read(temporary.resolve("results"));
        Comparison comparison =
                new RunComparator(ComparisonOptions.defaults().withMetrics(List.of(metric))).compare(List.of(run, run));
        assertThat(comparison.candidates().get(0).cells())
                .isNotEmpty()
                .allSatisfy(cell -> assertThat(cell.metric()).isEqualTo(metric));
        assertThat(new TrendAnalyzer()
                        .analyze(run, metric.shortName(), Optional.empty())
                        .series())
                .anySatisfy(series -> assertThat(series.points()).isNotEmpty());
    }

    @ParameterizedTest
    @EnumSource(Metric.class)
    void isReadUnderEachOfItsNames(Metric metric) throws Exception {
        Path file = temporary.resolve(metric.shortName() + ".csv");
        for (String column : Stream.concat(Stream.of(metric.column()), metric.asColumn().aliases().stream())
                .toList()) {
            String header = metric.ofProcess() ? "Gateway " + column.strip() : column;
            Files.writeString(file, "Scenario Name,Concurrent Users," + header + "\nEcho,50,12.5\n");
            assertThat(new ResultsImporter().read(file).rows().get(0).number(metric))
                    .as(header)
                    .hasValue(12.5);
        }
    }

    private static List<ResultRow> rows() {
        return SampleRuns.results().stream()
                .filter(TestCaseResult.Completed.class::isInstance)
                .flatMap(result -> RunResultRows.of(RUN, result).stream())
                .toList();
    }
}
