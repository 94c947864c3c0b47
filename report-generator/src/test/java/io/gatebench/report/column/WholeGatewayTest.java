/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.column;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import org.junit.jupiter.api.Test;

import io.gatebench.model.GcSummary;
import io.gatebench.model.MeasuredValue;
import io.gatebench.model.NodeRole;
import io.gatebench.model.ProcessReport;
import io.gatebench.model.RunManifest;
import io.gatebench.model.TestCaseResult;
import io.gatebench.report.SampleRuns;
import io.gatebench.report.importer.ResultRow;
import io.gatebench.report.importer.RunResultRows;
import io.gatebench.report.options.ReportOptions;
import io.gatebench.report.summary.SummaryRows;
import io.gatebench.report.summary.SummaryTable;
import io.gatebench.report.verdict.Level;
import io.gatebench.report.verdict.Rule;

class WholeGatewayTest {

    private static final String APPLICATION = "WSO2 API Manager";

    private static ProcessReport replica(int number, double gcThroughput, double footprint, double cpu, double held) {
        ProcessReport made = SampleRuns.process(
                NodeRole.GATEWAY,
                WholeGateway.replica(APPLICATION, number),
                Optional.of(SampleRuns.gc(gcThroughput, MeasuredValue.of(footprint * (1 << 20)))));
        return new ProcessReport(
                made.role(),
                made.name(),
                "gateway-" + number,
                made.command(),
                made.heap(),
                "gateway-" + number,
                made.gc(),
                made.gcInWindow(),
                Map.of(
                        "Process - CPU (% of one processor)", MeasuredValue.of(cpu),
                        "Task clock", MeasuredValue.of(10 * cpu),
                        "CPU - Limit (processors)", MeasuredValue.of(0.5),
                        "CPU - Throttled (% of time)", MeasuredValue.of(held),
                        "CPU - User (%)", MeasuredValue.of(40)),
                List.of());
    }

    private static final List<ProcessReport> REPLICAS =
            List.of(replica(1, 99, 80, 30, 2), replica(2, 97, 60, 50, 25), replica(3, 98, 90, 40, 8));

    private static Map<String, String> texts(ProcessReport whole) {
        Map<String, String> texts = new TreeMap<>();
        whole.hostMetrics().forEach((name, figure) -> texts.put(name, figure.fold(Double::toString, why -> why)));
        return texts;
    }

    @Test
    void addsUpWhatAddsUpAndTakesTheCollectionsOfTheReplicaThatDidWorst() {
        ProcessReport whole = WholeGateway.of(REPLICAS).orElseThrow();

        assertThat(texts(whole))
                .containsEntry("Process - CPU (% of one processor)", "120.0")
                .containsEntry("Task clock", "1200.0")
                .containsEntry("CPU - Limit (processors)", "1.5")
                .containsEntry("CPU - Throttled (% of time)", "25.0")
                .containsEntry("CPU - User (%)", "the figures of 3 replicas do not add up; each has its own");
        assertThat(whole.gc()).isEqualTo(REPLICAS.get(1).gc());
        assertThat(whole.name()).isEqualTo(APPLICATION);
        assertThat(whole.host()).isEqualTo("gateway-1, gateway-2, gateway-3");
        assertThat(WholeGateway.remark(REPLICAS).orElseThrow()).contains("3 replicas", APPLICATION + " 2");
    }

    @Test
    void doesNotPassTheFigureOfSomeReplicasForThatOfAll() {
        ProcessReport silent = SampleRuns.process(NodeRole.GATEWAY, APPLICATION + " 4", Optional.<GcSummary>empty());
        ProcessReport whole = WholeGateway.of(List.of(REPLICAS.get(0), silent)).orElseThrow();

        assertThat(whole.gc()).isEmpty();
        assertThat(texts(whole))
                .containsEntry("Process - CPU (% of one processor)", APPLICATION + " 4 has no such figure");
    }

    @Test
    void leavesTheOnlyGatewayAsItIs() {
        assertThat(WholeGateway.of(REPLICAS.subList(0, 1))).contains(REPLICAS.get(0));
        assertThat(WholeGateway.remark(REPLICAS.subList(0, 1))).isEmpty();
        assertThat(WholeGateway.of(List.of())).isEmpty();
    }

    @Test
    void isWhatTheColumnsOfTheGatewayShow() {
        RunManifest info = SampleRuns.local();
        TestCaseResult.Completed result = SampleRuns.withProcesses(
                SampleRuns.completed(SampleRuns.testCase("passthrough", 100, 50), 1000, 0), REPLICAS);

        SummaryTable table = SummaryRows.of(info, List.of(result), ReportOptions.defaults());
        assertThat(table.rows())
                .singleElement()
                .satisfies(row -> assertThat(row.cells())
                        .containsEntry(SummaryColumns.gcThroughput(APPLICATION), "97")
                        .containsEntry(SummaryColumns.footprintAfterFullGc(APPLICATION), "60")
                        .containsEntry(SummaryColumns.host(APPLICATION, "Task clock"), "1200")
                        .containsEntry(SummaryColumns.host(APPLICATION, "CPU - User (%)"), "N/A"));
        ResultRow row = RunResultRows.of(info, result).get(0);
        assertThat(row.number(SummaryColumns.gcThroughput(APPLICATION))).hasValue(97);
        assertThat(row.number(SummaryColumns.gcThroughput(APPLICATION + " 3"))).hasValue(98);
        assertThat(row.number(SummaryColumns.host(APPLICATION, "Task clock"))).hasValue(1200);
        assertThat(row.number(SummaryColumns.host(APPLICATION + " 1", "Task clock")))
                .hasValue(300);
        assertThat(row.findings()).anySatisfy(finding -> {
            assertThat(finding.rule()).isEqualTo(Rule.REPLICAS);
            assertThat(finding.level()).isEqualTo(Level.VALID);
        });
        // Each of those that a limit held back is named.
        assertThat(row.findings())
                .filteredOn(finding -> finding.rule() == Rule.THROTTLED)
                .hasSize(3);
    }
}
