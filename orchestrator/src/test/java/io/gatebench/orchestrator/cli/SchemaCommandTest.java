/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.schema.CoreSchema;

import io.gatebench.gateways.ProductRegistry;
import io.gatebench.gateways.http.HttpProduct;
import io.gatebench.hosts.environment.HostsFile;
import io.gatebench.runner.plan.PlanBuilder;
import io.gatebench.runner.plan.PlanFile;
import io.gatebench.settings.JsonSchema;
import io.gatebench.settings.PlanException;

/** Seals the schemas that are published, and holds them against files that the program takes and refuses. */
class SchemaCommandTest {

    private static final Path ROOT = Path.of("..");
    private static final Path SCHEMAS = ROOT.resolve("docs/schemas");
    private static final Set<String> SEEN_BY_THE_PROGRAM_ALONE = Set.of("good.yaml", "cut.yaml");
    private static final List<String> NAMES =
            List.of("plan", "hosts", "aws", "kubernetes", "http", "apim", "mi", "ei", "microgateway");
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern FENCE = Pattern.compile("(?ms)^( *)```yaml\\n(.*?)^ *```");

    /** Reads files as the program does when it is to run by them. */
    private static final Map<String, Consumer<Path>> READERS = Map.of(
            "plan",
            file -> new PlanBuilder(ProductRegistry.load().products()).build(PlanFile.read(file)),
            "hosts",
            file -> HostsFile.read(file, false, Optional.empty()),
            "http",
            file -> new HttpProduct().withConfiguration(file));

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"plan", "hosts", "http", "apim", "mi", "ei", "microgateway"})
    void isThePublishedFile(String name) throws IOException {
        StringWriter out = new StringWriter();
        CommandLineProgram program = CommandLineProgram.forArguments("schema", name);
        program.commandLine().setOut(new PrintWriter(out));
        assertThat(program.execute("schema", name)).isZero();
        Path file = SCHEMAS.resolve(name + ".schema.json");
        if (Boolean.getBoolean("golden.update")) {
            Files.writeString(file, out.toString());
        }
        assertThat(out).hasToString(Files.readString(file));
    }

    @Test
    void saysWhatThereIs() {
        StringWriter err = new StringWriter();
        CommandLineProgram program = CommandLineProgram.forArguments("schema", "host");
        program.commandLine().setErr(new PrintWriter(err));
        assertThat(program.execute("schema", "host")).isEqualTo(ExitStatus.USAGE.code());
        assertThat(err.toString()).startsWith("there is no schema 'host'; did you mean 'hosts'? Known: plan, hosts,");
    }

    static Stream<Path> examples() throws IOException {
        try (Stream<Path> files = Files.walk(ROOT.resolve("docs/examples"))) {
            return files.filter(file -> file.endsWith("gateway.yaml")).toList().stream();
        }
    }

    @ParameterizedTest
    @MethodSource("examples")
    void everyExampleNamesTheSchemaThatItObeys(Path example) throws IOException {
        String line = Files.readAllLines(example).get(0);
        String schema = line.replaceFirst("^# yaml-language-server: \\$schema=", "");
        assertThat(schema).isNotEqualTo(line);
        if (schema.startsWith("https:")) {
            assertThat(line + "\n").isEqualTo(JsonSchema.firstLine("http"));
        } else {
            assertThat(example.resolveSibling(schema)).isRegularFile();
        }
        assertThat(problems("http", Files.readString(example))).isEmpty();
    }

    @Test
    void everySettingsFileInTheDocumentsIsTaken() throws IOException {
        List<Path> documents;
        try (Stream<Path> files = Files.walk(ROOT.resolve("docs"))) {
            documents = files.filter(file -> file.toString().endsWith(".md")).toList();
        }
        int found = 0;
        for (Path document : documents) {
            Matcher fences = FENCE.matcher(Files.readString(document));
            while (fences.find()) {
                // A fragment that shows scenarios alone lacks the name that a whole file has.
                String text = fences.group(2)
                        .replaceAll("(?m)^" + fences.group(1), "")
                        .replaceFirst("^scenarios:", "name: mine\nscenarios:");
                if (text.contains("apiVersion:")) {
                    continue;
                }
                found++;
                List<String> all = new ArrayList<>();
                for (String name : NAMES) {
                    all.add(name + ": " + problems(name, text));
                }
                assertThat(all).as(document + ": " + text).anyMatch(problems -> problems.endsWith(": []"));
            }
        }
        assertThat(found).isGreaterThan(5);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "plan  | {product: apim, users: ['10', 50], heap: 1g, duration: ' 30S ', keep: on, repeat: '+2'}",
                "plan  | {product: [apim], message-size: [50, 10KiB], warm-up: auto, rate: 500, control-run: 'NO'}",
                "plan  | {product: apim, gateway-cpus: [auto, 2], backend-delay: [0, 30ms], thresholds: p99 < 50ms}",
                "hosts | {hosts: {a: , b: 10.0.0.1}, roles: {gateway: a, backend: b, load-generator: [a, b]}}",
                "hosts | {hosts: {a: {address: '[::1]', port: '22', jump: 'u@b:22, c', user: 'D\\a$'}},"
                        + " roles: {gateway: [a], backend: a, load-generator: a}, lease: 12}",
                "http  | {name: 1, version: 2.0, url: 'http://h', uses-backend: False, scenarios: [{name: a, url: /,"
                        + " check: {status: '204', body: any}, probes: [{name: p, status: [404, '410']}]}]}",
                "http  | {name: a, url: 'http://{gateway-address}:{gateway-port}', port: '8080', start: [a, 1, true],"
                        + " files: {}, ready: {timeout: 1m}, scenarios: [{name: a, url: /, payload: none, probes: []}]}",
            })
    void refusesNothingThatTheProgramTakes(String name, String text) throws IOException {
        READERS.get(name).accept(Files.writeString(directory.resolve("settings.yaml"), text + "\n"));
        assertThat(problems(name, text)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"plan, plan", "hosts, hosts", "aws-settings, aws", "gateway-file, http"})
    void refusesTheFilesOfTheFuzzer(String corpus, String name) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.list(ROOT.resolve("fuzz/src/test/corpus").resolve(corpus))) {
            files = all.filter(file -> file.toString().endsWith(".yaml")).toList();
        }
        assertThat(files).isNotEmpty().allSatisfy(file -> {
            if (!SEEN_BY_THE_PROGRAM_ALONE.contains(file.getFileName().toString())) {
                assertThat(problems(name, Files.readString(file, StandardCharsets.ISO_8859_1)))
                        .as(file.toString())
                        .isNotEmpty();
            }
        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "plan  | produkt: apim",
                "plan  | users: [1, many]",
                "plan  | users: 0",
                "plan  | query: 4",
                "plan  | duration: [1m, 2m]",
                "plan  | duration: 1 day",
                "plan  | duration:",
                "plan  | heap: 2X",
                "plan  | restart: sometimes",
                "plan  | keep: maybe",
                "plan  | users: {from: 1}",
                "plan  | [product]",
                "http  | {name: a, url: 'http://h', scenarios: [{name: a, steps: [{name: s}]}]}",
                "hosts | {hosts: {a: 10.0.0.5}}",
                "hosts | {hosts: {a: {adress: b}}, roles: {gateway: a, backend: a, load-generator: a}}",
                "hosts | {hosts: {a: {port: 70000}}, roles: {gateway: a, backend: a, load-generator: a}}",
                "hosts | {hosts: {a: '-oProxyCommand=x'}, roles: {gateway: a, backend: a, load-generator: a}}",
                "hosts | {hosts: {a: b}, roles: {gateway: a, backend: a}}",
                "hosts | {hosts: {a: b}, roles: {gateway: a, backend: a, load-generator: []}}",
                "aws   | regoin: eu-west-1",
                "aws   | region: Frankfurt",
                "aws   | disk: 7",
                "aws   | address: secret",
                "aws   | packages: ['a; rm']",
                "aws   | instances: {gateway: large}",
                "aws   | s3: my-bucket",
                "http  | name: mine",
                "http  | {name: a, scenarios: []}",
                "http  | {name: a, scenarios: [{url: /b}]}",
                "http  | {name: a, scenarios: [{name: b/c, url: /}]}",
                "http  | {name: a, url: 'http://h', scenarios: [{name: b, url: /, payload: json-aray}]}",
                "http  | {name: a, url: 'http://h', scenarios: [{name: b, url: /, check: {status: 99}}]}",
                "http  | {name: a, url: 'http://h', scenarios: [{name: b, url: /, probes: [{status: 404}]}]}",
                "http  | {name: a, url: 'http://h', start: nginx, scenarios: [{name: b, url: /}]}",
                "http  | {name: a, url: 'http://h', container: {image: b, cpus: 0}, scenarios: [{name: b, url: /}]}",
            })
    void refusesWhatTheProgramRefuses(String name, String text) throws IOException {
        Path file = Files.writeString(directory.resolve("settings.yaml"), text + "\n");
        assertThat(problems(name, text)).isNotEmpty();
        if (READERS.containsKey(name)) {
            assertThatThrownBy(() -> READERS.get(name).accept(file)).isInstanceOf(PlanException.class);
        }
    }

    private static List<String> problems(String name, String text) throws IOException {
        try {
            Object document =
                    new Load(LoadSettings.builder().setSchema(new CoreSchema()).build()).loadFromString(text);
            return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                    .getSchema(Files.readString(SCHEMAS.resolve(name + ".schema.json")))
                    .validate(JSON.<JsonNode>valueToTree(document))
                    .stream()
                    .map(Object::toString)
                    .toList();
        } catch (YamlEngineException | IllegalArgumentException e) {
            // An editor marks what is no YAML.
            return List.of(String.valueOf(e.getMessage()));
        }
    }
}
