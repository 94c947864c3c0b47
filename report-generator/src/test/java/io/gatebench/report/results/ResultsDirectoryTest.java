/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.gatebench.model.BackendTraffic;
import io.gatebench.model.DataSize;
import io.gatebench.model.GatewayCpus;
import io.gatebench.model.JvmResources;
import io.gatebench.model.LoadResult;
import io.gatebench.model.MessageLevel;
import io.gatebench.model.NodeRole;
import io.gatebench.model.PerfPlan;
import io.gatebench.model.RunManifest;
import io.gatebench.model.TestCase;
import io.gatebench.model.TestCaseResult;
import io.gatebench.report.SampleRuns;

class ResultsDirectoryTest {

    @TempDir
    private Path temporary;

    @Test
    void readsBackExactlyWhatWasWritten() {
        RunManifest info = SampleRuns.local();
        ResultsDirectory directory = ResultsDirectory.create(temporary.resolve("results"), info);
        List<TestCaseResult> results = SampleRuns.results();

        results.forEach(directory::write);

        ResultsDirectory opened = ResultsDirectory.open(temporary.resolve("results"));
        assertThat(opened.info()).isEqualTo(info);
        assertThat(opened.results()).containsExactlyInAnyOrderElementsOf(results);
        assertThat(opened.result(results.get(0).testCase(), 1)).contains(results.get(0));
        assertThat(opened.result(SampleRuns.testCase("passthrough", 500, 50), 1))
                .isEmpty();
    }

    @Test
    void sortsByPathAsPublishedTablesAre() {
        ResultsDirectory directory = ResultsDirectory.create(temporary.resolve("results"), SampleRuns.local());
        for (int users : List.of(1000, 50, 200)) {
            for (int bytes : List.of(10240, 50, 1024)) {
                directory.write(SampleRuns.completed(SampleRuns.testCase("passthrough", users, bytes), 1000, 0));
            }
        }

        assertThat(directory.results())
                .extracting(result -> result.testCase().users() + "x"
                        + result.testCase().message().value())
                .containsExactly(
                        "50x50",
                        "50x1024",
                        "50x10240",
                        "200x50",
                        "200x1024",
                        "200x10240",
                        "1000x50",
                        "1000x1024",
                        "1000x10240");
    }

    @Test
    void keepsEachRepeatInADirectoryOfItsOwn() {
        RunManifest info = SampleRuns.local();
        PerfPlan plan = info.plan();
        PerfPlan repeated = new PerfPlan(
                plan.product(),
                plan.profile(),
                plan.scenarios(),
                plan.matrix(),
                plan.timing(),
                3,
                false,
                plan.backendHeap(),
                plan.loadGeneratorHeap());
        ResultsDirectory directory = ResultsDirectory.create(
                temporary.resolve("results"),
                SampleRuns.info("Gateway", RunManifest.Variant.GATEWAY, repeated, "local"));
        TestCase testCase = SampleRuns.testCase("passthrough", 50, 50);

        directory.write(SampleRuns.completed(testCase, 1, 1000, 0));
        directory.write(SampleRuns.completed(testCase, 2, 1100, 0));

        assertThat(directory.caseDirectory(testCase, 2))
                .isEqualTo(temporary.resolve("results/passthrough/2G_heap/50_users/50B/0ms_sleep/repeat_2"));
        assertThat(directory.results()).extracting(TestCaseResult::repeat).containsExactly(1, 2);
    }

    @Test
    void findsRepeatsOfCasesWithEachLimit() {
        PerfPlan plan = SampleRuns.local().plan();
        PerfPlan repeated = new PerfPlan(
                plan.product(),
                plan.profile(),
                plan.scenarios(),
                plan.matrix(),
                plan.timing(),
                2,
                false,
                plan.backendHeap(),
                plan.loadGeneratorHeap());
        ResultsDirectory directory = ResultsDirectory.create(
                temporary.resolve("results"),
                SampleRuns.info("Gateway", RunManifest.Variant.GATEWAY, repeated, "local"));
        TestCase limited = new TestCase(
                "passthrough",
                DataSize.parse("2G"),
                50,
                MessageLevel.bytes(50),
                Duration.ZERO,
                GatewayCpus.of(0.5),
                Optional.of(DataSize.parse("512M")),
                1);

        directory.write(SampleRuns.completed(limited, 1, 1000, 0));
        directory.write(SampleRuns.completed(limited, 2, 1000, 0));

        assertThat(directory.results()).extracting(TestCaseResult::testCase).containsExactly(limited, limited);
    }

    @Test
    void leavesNoTemporaryFileAndReplacesAResultWhole() throws IOException {
        ResultsDirectory directory = ResultsDirectory.create(temporary.resolve("results"), SampleRuns.local());
        TestCase testCase = SampleRuns.testCase("passthrough", 50, 50);

        directory.write(SampleRuns.failed(testCase));
        directory.write(SampleRuns.completed(testCase, 1000, 0));

        assertThat(directory.results()).hasSize(1).first().isInstanceOf(TestCaseResult.Completed.class);
        try (Stream<Path> files = Files.walk(temporary)) {
            assertThat(files.filter(Files::isRegularFile)
                            .map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder("run.json", "result.json");
        }
    }

    @Test
    void givesEqualBytesForEqualRecords() throws IOException {
        ResultsDirectory first = ResultsDirectory.create(temporary.resolve("a"), SampleRuns.local());
        ResultsDirectory second = ResultsDirectory.create(temporary.resolve("b"), SampleRuns.local());

        SampleRuns.results().forEach(first::write);
        SampleRuns.results().forEach(second::write);

        assertThat(whole(first)).isEqualTo(whole(second)).endsWith("}\n");
        assertThat(temporary.resolve("a/run.json")).hasSameBinaryContentAs(temporary.resolve("b/run.json"));
    }

    @Test
    void writesTheWholeRunAsItsPartsAreWritten() throws IOException {
        ResultsDirectory directory = ResultsDirectory.create(temporary.resolve("results"), SampleRuns.local());
        SampleRuns.results().forEach(directory::write);
        ObjectMapper json = new ObjectMapper();

        String text = whole(directory);

        ObjectNode whole = (ObjectNode) json.readTree(text);
        assertThat(whole.get("run"))
                .isEqualTo(json.readTree(directory.root().resolve("run.json").toFile()));
        assertThat(whole.get("cells")).hasSameSizeAs(SampleRuns.results()).allSatisfy(cell -> {
            Path file = directory.root().resolve(cell.get("id").asText()).resolve("result.json");
            ObjectNode own = ((ObjectNode) json.readTree(file.toFile())).without("schemaVersion");
            assertThat(cell.<ObjectNode>deepCopy().<ObjectNode>without("id")).isEqualTo(own);
        });
        DefaultPrettyPrinter printer = new DefaultPrettyPrinter().withObjectIndenter(new DefaultIndenter("  ", "\n"));
        assertThat(text).isEqualTo(json.writer(printer).writeValueAsString(whole) + "\n");
    }

    @Test
    void writesTheWholeOfARunWithoutResults() throws IOException {
        ResultsDirectory directory = ResultsDirectory.create(temporary.resolve("results"), SampleRuns.local());

        assertThat(whole(directory)).endsWith("\"cells\" : [ ]\n}\n");
    }

    private static String whole(ResultsDirectory directory) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        directory.writeWhole(directory.info(), out, (result, all) -> result);
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void refusesAFileOfANewerVersion() throws IOException {
        ResultsDirectory directory = ResultsDirectory.create(temporary.resolve("results"), SampleRuns.local());
        Path file = directory.root().resolve("run.json");
        Files.writeString(file, Files.readString(file).replace("\"schemaVersion\" : 1", "\"schemaVersion\" : 2"));

        assertThatThrownBy(directory::info)
                .isInstanceOf(ReportException.class)
                .hasMessageContaining("has schema version 2")
                .hasMessageContaining("reads up to 1");
    }

    @Test
    void readsAFileThatAnEarlierVersionWroteWithFewerMembers() throws IOException {
        ResultsDirectory directory = ResultsDirectory.create(temporary.resolve("results"), SampleRuns.local());
        Path file = directory.root().resolve("run.json");
        String text = Files.readString(file);
        int notes = text.indexOf("\"notes\"");
        Files.writeString(file, text.substring(0, notes) + "\"future\" : {\"x\" : 1}\n}\n");

        assertThat(directory.info().notes()).isEmpty();
    }

    @Test
    void leadsTheFactsOfAnEarlierVersionToTheMembersThatRulesRead() throws IOException {
        ResultsDirectory results = ResultsDirectory.create(temporary.resolve("results"), SampleRuns.local());
        TestCase testCase = SampleRuns.testCase("passthrough", 50, 50);
        results.write(SampleRuns.completed(testCase, 1000, 0));
        ObjectMapper json = new ObjectMapper();
        Path file = results.caseDirectory(testCase, 1).resolve("result.json");
        ObjectNode tree = (ObjectNode) json.readTree(file.toFile());
        List.of("backend", "clockOffsets", "processors", "jvm").forEach(tree::remove);
        tree.putObject("facts")
                .put("gateway.url", "https://localhost:8243")
                .put("backend.requests", "120")
                .put("backend.request.bytes", "6000")
                .put("backend.request.bytes.unmediated", "6120")
                .put("clock.offset.load.millis", "-1.500")
                .put("clock.uncertainty.load.millis", "0.200")
                .put("processors.gateway", "0,4")
                .put("jvm.processors", "2")
                .put("jvm.processors.planned", "1")
                .put("jvm.memory", "24105M")
                .put("jvm.memory.planned", "512M")
                .put("jvm.heap", "256M");
        ObjectNode load = (ObjectNode) tree.get("load");
        List.of("method", "startSkew", "probes").forEach(load::remove);
        load.putObject("facts")
                .put("http.client", "fast")
                .put("load.model", "closed, 50 users, think time 2s")
                .put("load.users.wait.by.plan", "true")
                .put("probes.sent", "8")
                .put("probes.wrong", "1")
                .put("probes.first.wrong", "no token: got 200")
                .put("start.skew.millis", "700");
        json.writeValue(file.toFile(), tree);

        TestCaseResult.Completed read =
                (TestCaseResult.Completed) results.result(testCase, 1).orElseThrow();

        assertThat(read.facts()).containsOnlyKeys("gateway.url", "clock.uncertainty.load.millis");
        assertThat(read.backend())
                .contains(new BackendTraffic(120, 1, Optional.of(new BackendTraffic.Bodies(6000, 51, true))));
        assertThat(read.clockOffsets()).isEqualTo(Map.of("load", Duration.ofNanos(-1_500_000)));
        assertThat(read.processors()).isEqualTo(Map.of(NodeRole.GATEWAY, List.of(0, 4)));
        assertThat(read.jvm())
                .contains(new JvmResources(
                        2, 1, DataSize.parse("24105M"), Optional.of(DataSize.parse("512M")), DataSize.parse("256M")));
        assertThat(read.load().method()).contains(new LoadResult.Method("closed, think time 2s", true, true, false));
        assertThat(read.load().startSkew()).contains(Duration.ofMillis(700));
        assertThat(read.load().probes()).contains(new LoadResult.SideProbes(8, 1, Optional.of("no token: got 200")));

        tree.withObjectProperty("facts").put("backend.requests", "?");
        json.writeValue(file.toFile(), tree);
        assertThatThrownBy(() -> results.result(testCase, 1))
                .hasMessageContaining("has a fact backend.requests that is no number: '?'");
    }

    @Test
    void saysWhichFileIsDamaged() throws IOException {
        ResultsDirectory directory = ResultsDirectory.create(temporary.resolve("results"), SampleRuns.local());
        directory.write(SampleRuns.results().get(0));
        Path file = directory
                .caseDirectory(SampleRuns.results().get(0).testCase(), 1)
                .resolve("result.json");
        Files.writeString(file, Files.readString(file).substring(0, 500));

        assertThatThrownBy(directory::results)
                .isInstanceOf(ReportException.class)
                .hasMessageContaining(file.toString());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "load        | null                        | has no member 'load', or null in it",
                "testCase    | null                        | has no member 'testCase', or null in it",
                "samples     | 0                           | figures that no samples have: 'load.measurement",
                "meanMillis  | 1e400                       | figures that no samples have: 'load.measurement"
            })
    void namesTheMemberThatIsDamaged(String member, String value, String said) throws IOException {
        ResultsDirectory directory = ResultsDirectory.create(temporary.resolve("results"), SampleRuns.local());
        directory.write(SampleRuns.results().get(0));
        Path file = directory
                .caseDirectory(SampleRuns.results().get(0).testCase(), 1)
                .resolve("result.json");
        ObjectMapper json = new ObjectMapper();
        ObjectNode result = (ObjectNode) json.readTree(file.toFile());
        ObjectNode statistics = (ObjectNode) result.at("/load/measurement/0");
        ObjectNode holder =
                result.has(member) ? result : statistics.has(member) ? statistics : (ObjectNode) statistics.get("all");
        holder.putRawValue(member, new RawValue(value));
        Files.writeString(file, result.toString());

        assertThatThrownBy(directory::results)
                .isInstanceOf(ReportException.class)
                .hasMessageContaining(file.toString())
                .hasMessageContaining(said)
                .hasMessageEndingWith("the file was damaged, or is of another tool");
    }

    @Test
    void namesAnEnvironmentThatIsNull() throws IOException {
        ResultsDirectory directory = ResultsDirectory.create(temporary.resolve("results"), SampleRuns.local());
        Path file = directory.root().resolve("run.json");
        Files.writeString(
                file, Files.readString(file).replaceFirst("\"environment\" : \"[^\"]*\"", "\"environment\" : null"));

        assertThatThrownBy(directory::info)
                .isInstanceOf(ReportException.class)
                .hasMessage(file + " has no member 'environment', or null in it; the file was damaged, or is of another"
                        + " tool");
    }

    @Test
    void keepsAScenarioNameFromLeavingTheDirectory() {
        ResultsDirectory directory = ResultsDirectory.create(temporary.resolve("results"), SampleRuns.local());
        TestCase outside = new TestCase("../../etc", DataSize.parse("2G"), 1, MessageLevel.bytes(50), Duration.ZERO);

        assertThatThrownBy(() -> directory.caseDirectory(outside, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("leads out of the results directory");
    }

    @Test
    void refusesADirectoryThatHoldsSomething() throws IOException {
        Files.writeString(temporary.resolve("precious.txt"), "x");

        assertThatThrownBy(() -> ResultsDirectory.create(temporary, SampleRuns.local()))
                .isInstanceOf(ReportException.class)
                .hasMessageContaining("exists and is not empty")
                .hasMessageContaining("--resume");
        assertThat(temporary.resolve("precious.txt")).hasContent("x");
    }
}
