/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import io.gatebench.model.DataSize;
import io.gatebench.model.GatewayCpus;
import io.gatebench.model.MessageLevel;
import io.gatebench.model.TestCase;
import io.gatebench.model.TestCaseResult;
import io.gatebench.report.SampleRuns;
import io.gatebench.report.options.ReportOptions;
import io.gatebench.report.summary.SummaryRows;

class LimitChartsTest {

    private static TestCaseResult.Completed measured(double cpus, String memory, double throughput, long errors) {
        TestCase cell = new TestCase(
                "passthrough",
                DataSize.parse("2G"),
                50,
                MessageLevel.bytes(50),
                Duration.ZERO,
                GatewayCpus.of(cpus),
                Optional.of(DataSize.parse(memory)),
                1);
        return SampleRuns.completed(cell, 1, throughput, errors);
    }

    private static List<Chart> charts(TestCaseResult.Completed... results) {
        return LimitCharts.of(SummaryRows.of(SampleRuns.local(), List.of(results), ReportOptions.defaults()));
    }

    @Test
    void drawsFiguresAgainstEachLimitOfWhichThereAreSeveral() {
        List<Chart> charts = charts(
                measured(1, "512M", 900, 0),
                measured(0.5, "512M", 500, 0),
                measured(0.5, "1G", 510, 0),
                measured(1, "1G", 920, 250));

        assertThat(charts)
                .extracting(Chart::fileName)
                .containsExactly("limits-cpus-passthrough-2g-50b-0ms", "limits-memory-passthrough-2g-50b-0ms");
        Chart cpus = charts.get(0);
        assertThat(cpus.title()).isEqualTo("Throughput and 99th Percentile vs Processors of the Gateway");
        assertThat(cpus.leftOut())
                .containsExactly("passthrough/2G_heap/50_users/50B/0ms_sleep/1_cpus/1G_memory (250 errors)");
        Chart.Panel perProcessor = cpus.panels().get(1);
        assertThat(perProcessor.title()).isEqualTo("Throughput per Processor");
        assertThat(perProcessor.series()).extracting(Chart.Series::name).containsExactly("50, 512M", "50, 1G");
        assertThat(perProcessor.series().get(0).points())
                .extracting(Chart.Point::x, Chart.Point::y)
                .containsExactly(tuple(0.5, 1000.0), tuple(1.0, 900.0));
        assertThat(charts.get(1).panels().get(0).series())
                .extracting(Chart.Series::name)
                .containsExactly("50, 1 CPUs", "50, 0.5 CPUs");
    }

    @Test
    void hasNoneForASingleLimit() {
        assertThat(charts(measured(1, "512M", 900, 0))).isEmpty();
    }
}
