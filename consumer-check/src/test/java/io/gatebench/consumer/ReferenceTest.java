/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.gatebench.model.HostMetric;
import io.gatebench.orchestrator.cli.ExitStatus;
import io.gatebench.report.column.GcColumn;
import io.gatebench.report.column.SummaryColumns;
import io.gatebench.report.verdict.Rule;
import io.gatebench.runner.plan.PlanKey;

/** Names that the program prints and people look up stand in the reference. */
class ReferenceTest {

    private static final Path REFERENCE = Documents.REFERENCE;

    @ParameterizedTest
    @EnumSource(Rule.class)
    void explainsEveryRuleOfTheVerdicts(Rule rule) throws IOException {
        assertThat(Files.readAllLines(REFERENCE.resolve("verdicts.md")))
                .contains("| `" + rule.id() + "` | " + rule.formula().replace("|", "\\|") + " | "
                        + number(rule.doubtful()) + " | " + number(rule.invalid()) + " | " + rule.why() + " |");
    }

    @ParameterizedTest
    @EnumSource(Rule.class)
    void saysWhatToDoAboutEveryRuleOfTheVerdicts(Rule rule) throws IOException {
        assertThat(rule.remedy()).isNotBlank().doesNotEndWith(".");
        assertThat(Files.readAllLines(REFERENCE.resolve("verdicts.md")))
                .contains("| `" + rule.id() + "` | " + rule.remedy() + " |");
    }

    private static String number(OptionalDouble value) {
        return value.isEmpty()
                ? ""
                : BigDecimal.valueOf(value.getAsDouble()).stripTrailingZeros().toPlainString();
    }

    @ParameterizedTest
    @EnumSource(ExitStatus.class)
    void explainsEveryExitCode(ExitStatus status) throws IOException {
        for (Path document : List.of(Documents.ROOT.resolve("README.md"), REFERENCE.resolve("exit-codes.md"))) {
            assertThat(Files.readAllLines(document))
                    .as(document.toString())
                    .anyMatch(line -> line.startsWith("| " + status.code() + " | "));
        }
    }

    @Test
    void explainsEveryKeyOfAPlan() throws IOException {
        assertThat(Documents.firstCells(REFERENCE.resolve("plan.md")))
                .containsAll(Arrays.stream(PlanKey.values()).map(PlanKey::key).toList());
    }

    @Test
    void explainsEveryPublishedColumn() throws IOException {
        String process = "<process>";
        List<String> published = Stream.of(
                        Stream.of(
                                SummaryColumns.SCENARIO,
                                SummaryColumns.HEAP,
                                SummaryColumns.USERS,
                                SummaryColumns.MESSAGE_SIZE,
                                SummaryColumns.QUERY,
                                SummaryColumns.ELEMENTS,
                                SummaryColumns.DELAY),
                        Arrays.stream(GcColumn.values()).map(column -> column.header(process)),
                        SummaryColumns.LOAD_COLUMNS.stream(),
                        Arrays.stream(HostMetric.values()).map(HostMetric::header))
                .flatMap(names -> names)
                .toList();

        assertThat(Documents.firstCells(REFERENCE.resolve("columns.md")))
                .containsAll(published)
                .doesNotHaveDuplicates();
    }
}
