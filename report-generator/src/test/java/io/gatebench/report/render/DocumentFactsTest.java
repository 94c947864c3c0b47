/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.render;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.gatebench.model.DataSize;
import io.gatebench.model.MessageLevel;
import io.gatebench.model.NodeRole;
import io.gatebench.model.ParameterMatrix;
import io.gatebench.model.PayloadKind;
import io.gatebench.model.ProcessReport;
import io.gatebench.model.RunManifest;
import io.gatebench.model.SystemInformation;
import io.gatebench.model.SystemInformation.Row;
import io.gatebench.model.TestCase;
import io.gatebench.model.TestCaseResult;
import io.gatebench.report.PublishedTable;
import io.gatebench.report.ReportGenerator;
import io.gatebench.report.SampleRuns;
import io.gatebench.report.importer.RunResultRows;
import io.gatebench.report.options.ReportOptions;
import io.gatebench.report.summary.SummaryRows;
import io.gatebench.report.summary.SummaryTable;

/** Sentences that depend on how a run was made appear when they are true. */
class DocumentFactsTest {

    @Test
    void namesTheContainerItsLimitsAndTheOtherMachines() {
        RunManifest info = info(
                "hosts",
                new SystemInformation(
                        "gw",
                        List.of(
                                new Row("System", "Processor", "CPU(s)", "4"),
                                new Row("Container", "Gateway", "Container CPU limit", "0.5, 2"),
                                new Row("Container", "Gateway", "Container memory limit", "1G"))),
                new SystemInformation("be", List.of(new Row("System", "Processor", "CPU(s)", "8"))));
        List<TestCaseResult> results = List.of(SampleRuns.withProcesses(
                SampleRuns.completed(SampleRuns.testCase("size", 50, 1024), 500, 0),
                List.of(
                        process(NodeRole.GATEWAY, "gw", "podman", "run", "image", "java", "-XX:+UseG1GC", "-Xlog:gc*"),
                        process(NodeRole.BACKEND, "be", "java"),
                        process(NodeRole.LOAD_GENERATOR, "l1", "java"))));

        assertThat(summary(info, results))
                .contains("ran on the machine gw (4 CPUs). The back end ran on be, the load generator on l1."
                        + " And WSO2 API Manager was started in the **podman** environment with **--cpus = 0.5** or"
                        + " **--cpus = 2** and **--memory = 1G** condition.\n")
                .contains("| Container CPU Limit | The number of CPUs that the container of the application may use |"
                        + " 0.5, 2 |\n")
                .contains("System information for be.");
        assertThat(documentation(info, results))
                .contains("| Back end | be | - | 8 | - |\n")
                .contains("| gateway | gw | - | 4 | - |\n")
                .contains("- Token type: JWT\n");
        assertThat(new RunFacts(info, results).gcFlags()).isEqualTo("-XX:+UseG1GC -Xlog:gc*");
    }

    @Test
    void saysNothingOfAContainerWhereThereWasNone() {
        assertThat(summary(SampleRuns.local(), List.of()))
                .doesNotContain("--cpus")
                .doesNotContain("Container");
    }

    @Test
    void makesOneTablePerKindOfMessageAndReadsThemAgain(@TempDir Path directory) throws Exception {
        RunManifest info = info("local");
        List<TestCaseResult> results = List.of(
                SampleRuns.completed(SampleRuns.testCase("size", 50, 1024), 500, 0),
                SampleRuns.completed(
                        new TestCase("query", DataSize.parse("2G"), 50, MessageLevel.query(2), Duration.ZERO), 100, 0));
        String summary = summary(info, results);

        assertThat(summary)
                .containsPattern("Message Size \\(Bytes\\) \\|.*\\n\\|---.*\\n\\|  Size \\| 2G \\| 50 \\| 1024 \\|")
                .containsPattern("GraphQL Query Number \\|.*\\n\\|---.*\\n\\|  Query \\| 2G \\| 50 \\| 2 \\|");
        Path file = Files.writeString(directory.resolve("summary.md"), summary);
        PublishedTable read = ReportGenerator.table(file);
        assertThat(summary).contains(read.markdown());
    }

    private static String summary(RunManifest info, List<TestCaseResult> results) {
        return MarkdownReport.text(
                info,
                results,
                table(info, results),
                List.of(),
                List.of(),
                (result, label) -> Optional.empty(),
                ReportOptions.defaults());
    }

    private static String documentation(RunManifest info, List<TestCaseResult> results) {
        return DocumentationPage.text(
                info,
                results,
                results.stream()
                        .flatMap(result -> RunResultRows.of(info, result).stream())
                        .toList(),
                table(info, results),
                List.of(),
                (result, label) -> Optional.empty(),
                ReportOptions.defaults());
    }

    private static SummaryTable table(RunManifest info, List<TestCaseResult> results) {
        return SummaryRows.of(info, results, ReportOptions.defaults());
    }

    private static ProcessReport process(NodeRole role, String host, String... command) {
        return new ProcessReport(
                role,
                role.name().toLowerCase(Locale.ROOT),
                host,
                List.of(command),
                DataSize.parse("2G"),
                "d",
                Optional.empty(),
                Optional.empty(),
                Map.of(),
                new ArrayList<>());
    }

    private static RunManifest info(String environment, SystemInformation... systems) {
        return SampleRuns.info(
                "WSO2 API Manager",
                RunManifest.Variant.GATEWAY,
                SampleRuns.plan(
                        List.of(
                                SampleRuns.scenario("size", "Size", "Sizes.", PayloadKind.JSON_ARRAY),
                                SampleRuns.scenario("query", "Query", "Queries.", PayloadKind.GRAPHQL_QUERY)),
                        new ParameterMatrix(
                                List.of(DataSize.parse("2G")),
                                List.of(50),
                                List.of(1024),
                                List.of(2),
                                List.of(),
                                List.of(Duration.ZERO)),
                        60,
                        10),
                environment,
                systems);
    }
}
