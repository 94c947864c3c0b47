/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.gatebench.gateways.container.ContainerSpec;
import io.gatebench.model.DataSize;
import io.gatebench.model.PayloadKind;
import io.gatebench.model.Probe;
import io.gatebench.model.ScenarioSteps;
import io.gatebench.model.TestScenario;
import io.gatebench.model.TokenKind;
import io.gatebench.runner.plan.PlanBuilder;
import io.gatebench.runner.plan.PlanInput;
import io.gatebench.runner.plan.PlanKey;
import io.gatebench.runner.plan.RunPlan;
import io.gatebench.settings.PlanException;
import io.gatebench.settings.SecretHeaders;

class HttpGatewayFileTest {

    private static final String MINIMUM = """
            name: mine
            url: http://127.0.0.1:8080
            scenarios:
              - name: echo
                url: /echo
            """;

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"nginx", "haproxy", "java"})
    void readsTheExamples(String name) {
        HttpGatewayConfig config = HttpGatewayFile.read(Path.of("../docs/examples/http", name, "gateway.yaml"));

        assertThat(config.start()).isPresent();
        assertThat(config.usesHeap()).isEqualTo(name.equals("java"));
        assertThat(config.gcLog().isPresent()).isEqualTo(name.equals("java"));
        assertThat(config.scenarios()).isNotEmpty();
    }

    @Test
    void fillsInWhatTheFileLeavesOut() throws IOException {
        HttpGatewayConfig config = read(MINIMUM);

        TestScenario scenario = config.scenarios().get(0).scenario();
        assertThat(config.start()).isEmpty();
        assertThat(config.scenarios().get(0).base()).isEqualTo("http://127.0.0.1:8080");
        assertThat(scenario.path()).isEqualTo("/echo");
        assertThat(scenario.method()).isEqualTo("POST");
        assertThat(scenario.payload()).isEqualTo(PayloadKind.JSON_ARRAY);
        assertThat(scenario.token()).isEqualTo(TokenKind.NONE);
        assertThat(scenario.probes()).isEmpty();
        assertThat(scenario.check().status()).isEqualTo(200);
    }

    @Test
    void letsAScenarioHaveAUrlOfItsOwn() throws IOException {
        HttpGatewayConfig config = read("""
                name: mine
                url: http://127.0.0.1:8080/base/
                scenarios:
                  - {name: a, url: /x?y=1}
                  - {name: b, url: "https://127.0.0.1:9443/z", payload: none}
                """);

        assertThat(config.scenarios().get(0).scenario().path()).isEqualTo("/base/x?y=1");
        assertThat(config.scenarios().get(1).base()).isEqualTo("https://127.0.0.1:9443");
        assertThat(config.scenarios().get(1).ownBase()).isTrue();
        assertThat(config.scenarios().get(1).scenario().tls()).isTrue();
        assertThat(config.scenarios().get(1).scenario().method()).isEqualTo("GET");
    }

    @Test
    void provesThatASecuredScenarioRefusesUnlessTheFileSaysOtherwise() throws IOException {
        List<Probe> probes = read("""
                name: mine
                url: http://127.0.0.1:8080
                tokens: {jwt: {audience: a}}
                scenarios:
                  - {name: echo, url: /echo, token: jwt}
                """).scenarios().get(0).scenario().probes();

        assertThat(probes)
                .extracting(Probe::token)
                .containsExactly(
                        Probe.Token.NONE, Probe.Token.FOREIGN, Probe.Token.EXPIRED, Probe.Token.WRONG_AUDIENCE);
        assertThat(probes).allSatisfy(p -> assertThat(p.expectedStatuses()).isEqualTo(Set.of(401, 403)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/dev/zero | it is no regular file",
                "empty     | holds no token",
                "bytes     | it is no UTF-8 text",
                "two words | is no token: a bearer token holds printable ASCII without blanks"
            })
    void readsTheTokensBeforeAnythingIsStarted(String name, String said) throws IOException {
        Files.writeString(directory.resolve("empty"), "\n");
        Files.write(directory.resolve("bytes"), new byte[] {(byte) 0xff, (byte) 0xfe, 0});
        Files.writeString(directory.resolve("two words"), "Bearer abc\n");

        assertProblems("""
                name: mine
                url: http://127.0.0.1:8080
                tokens: {file: "%s"}
                scenarios: [{name: a, url: /, token: file}]
                """.formatted(name), ":3: file names tokens that cannot be used: ", said);
    }

    @Test
    void readsAContainerInPlaceOfAStart() throws IOException {
        HttpGatewayConfig.Start start = read(MINIMUM + """
                container:
                  engine: podman
                  engine-arguments: [--runtime, runc]
                  image: localhost/base
                  command: [sh, -c, "run {heap}"]
                  mounts: ["{directory}/x:/x:ro"]
                  cpus: 0.5
                  memory: 512M
                """).start().orElseThrow();

        assertThat(start.foreground()).isTrue();
        assertThat(start.command()).containsExactly("sh", "-c", "run {heap}");
        ContainerSpec container = start.container().orElseThrow();
        assertThat(container.engine()).contains("podman");
        assertThat(container.engineArguments()).containsExactly("--runtime", "runc");
        assertThat(container.cpus()).hasValue(0.5);
        assertThat(container.memory()).contains(DataSize.ofMebibytes(512));
        assertThat(container.with(word -> word.replace("{directory}", "/d")).mounts())
                .containsExactly("/d/x:/x:ro");
    }

    @Test
    void takesPartsOfAProcessorAsLimitsOfItsContainer() throws IOException {
        Path file = write(MINIMUM + """
                container: {image: localhost/base, cpus: 4}
                """);

        PlanInput input = new PlanInput();
        input.option(PlanKey.PRODUCT, "http");
        input.option(PlanKey.GATEWAY_CONFIG, file.toString());
        input.option(PlanKey.GATEWAY_CPUS, "0.5,1,2");
        RunPlan plan = build(input);

        assertThat(plan.gateway().takesLimits()).isTrue();
        assertThat(plan.plan().testCases())
                .extracting(testCase -> testCase.gatewayCpus().toString())
                .contains("0.5", "1", "2");
    }

    @Test
    void crossesTheMemoryOfItsContainerWithTheProcessors() throws IOException {
        Path file = write(MINIMUM + """
                container: {image: localhost/base, cpus: 4, memory: 2G}
                """);

        PlanInput input = new PlanInput();
        input.option(PlanKey.PRODUCT, "http");
        input.option(PlanKey.GATEWAY_CONFIG, file.toString());
        input.option(PlanKey.GATEWAY_CPUS, "0.5,1");
        input.option(PlanKey.GATEWAY_MEMORY, "512M,1G");
        RunPlan plan = build(input);

        assertThat(plan.plan().testCases())
                .extracting(testCase -> testCase.limits().orElseThrow())
                .contains("0.5_cpus/512M_memory", "0.5_cpus/1G_memory", "1_cpus/512M_memory", "1_cpus/1G_memory");
    }

    @Test
    void refusesContainersThatCannotBe() throws IOException {
        assertProblems(
                MINIMUM + """
                start: [nginx]
                container:
                  image: --privileged
                  archive: none.tar
                  cpus: 0
                  memory: much
                  publish: 70000
                """,
                ":8: container cannot stand beside start",
                ":8: container must have exactly one of image and archive",
                ":8: image must be the name of an image but was '--privileged'",
                ":9: archive names the file",
                ":10: cpus must be a number of processors from 0.01 to 1024 but was '0'",
                ":11: memory 'much' is not a size",
                ":12: publish must be a whole number from 1 to 65535 but was '70000'");
    }

    @Test
    void findsEveryProblemWithItsLine() throws IOException {
        assertProblems(
                """
                name: mine
                urll: http://127.0.0.1:8080
                url: ftp://nowhere
                start: nginx -g daemon
                stop: [sh, -c, "kill {pid}"]
                gc-log: gc.log
                port: 70000
                scenarios:
                  - name: a/b
                    url: /echo
                    payload: json-aray
                    token: jwt
                    headers: {Authorization: Bearer x}
                """,
                ":2: unknown key 'urll'; did you mean 'url'? Known: name, version, url,",
                ":3: url must be a URL such as http://127.0.0.1:8080/echo, or a path, but was 'ftp://nowhere'",
                ":4: start must be a command as a list of its words",
                ":5: stop uses the unknown placeholder {pid}",
                ":7: port must be a whole number from 1 to 65535 but was '70000'",
                ":9: name must be letters, digits,",
                ":11: payload must be one of json-simple, json-array,",
                " but was 'json-aray'; did you mean 'json-array'?",
                ":12: token is jwt, but tokens has no jwt that says how to make them",
                ":13: Authorization cannot be a header here, where reports would show it; use tokens: file");
    }

    @Test
    void readsStepsDataAndRoutes() throws IOException {
        Files.writeString(directory.resolve("items.csv"), "sku\ntea\n");
        TestScenario scenario = read("""
                name: mine
                url: http://127.0.0.1:8080/shop
                scenarios:
                  - name: mix
                    data: {file: items.csv, unique: true}
                    headers: {X-Tenant: blue}
                    routes:
                      - {name: list, weight: 3, url: "/items?like=${sku}"}
                      - name: buy
                        steps:
                          - {name: put, url: /cart, body: '{"n": ${payload}}', extract: {cart: {json: /id}, s: {header: Location, regex: '(\\d+)'}}}
                          - {name: pay, url: "/cart/${cart}", headers: {Authorization: "Bearer ${s}"}, check: {contains: "${sku}"}}
                """).scenarios().get(0).scenario();

        ScenarioSteps steps = scenario.steps().orElseThrow();
        assertThat(scenario.payload()).isEqualTo(PayloadKind.JSON_ARRAY);
        assertThat(steps.data().orElseThrow().unique()).isTrue();
        assertThat(steps.routes()).extracting(route -> route.weight()).containsExactly(3, 1);
        assertThat(steps.all())
                .extracting(step -> step.method() + " " + step.path())
                .containsExactly("GET /shop/items?like=${sku}", "POST /shop/cart", "GET /shop/cart/${cart}");
        assertThat(steps.all().get(2).headers())
                .containsEntry("X-Tenant", "blue")
                .containsKey("Authorization");
        assertThat(SecretHeaders.masked(scenario)
                        .steps()
                        .orElseThrow()
                        .all()
                        .get(2)
                        .headers())
                .containsEntry("Authorization", "***");
    }

    @Test
    void findsEveryProblemOfSteps() throws IOException {
        Files.writeString(directory.resolve("items.csv"), "sku\n\"a\nb\"\n");
        assertProblems(
                """
                name: mine
                url: http://127.0.0.1:8080
                scenarios:
                  - name: a
                    url: /a
                    data: items.csv
                    headers: {X-Sku: "${sku}"}
                  - name: b
                    steps:
                      - {name: one, url: "/a/${skuu}", extract: {id: {json: id}}}
                      - {name: one, url: a, check: {body: orders}}
                      - {name: two, url: "/${id}/${__time}", extract: {message: {regex: a}}}
                  - name: c
                    url: /c
                    steps: []
                """,
                ":6: data has a value in row 1 of column sku that no header can hold, where a step sends it in one",
                ":10: url uses ${skuu}, which neither a column of the data nor an earlier step of the same route gives",
                ":10: json must be a JSON pointer such as /order/id or /items/0/id but was 'id'",
                ":11: steps has the name 'one', which another step of the scenario has",
                ":11: url must be a path such as /orders/${id}, below the url of the gateway, but was 'a'",
                ":11: check of a step can have body: any or echo only",
                ":12: message cannot be the name of a value",
                ":14: url belongs to one request: it cannot stand beside steps or routes",
                ":15: steps must have at least one item");
    }

    @Test
    void takesSecretsFromElsewhereAndShowsNone() throws IOException {
        Files.writeString(directory.resolve("key"), "s3cret\n");

        Map<String, String> headers = read(MINIMUM + "    headers: {X-API-Key: {file: key}, Accept: text/plain}\n")
                .scenarios()
                .get(0)
                .scenario()
                .headers();

        assertThat(headers).containsEntry("X-API-Key", "s3cret").containsEntry("Accept", "text/plain");
        assertProblems(MINIMUM + "    headers: {Accept: {file: key}}\n", "is no name that results hide");
        assertProblems(MINIMUM + "    headers: {Cookie: {env: NO_SUCH_VARIABLE_HERE}}\n", "which is not set");
        assertProblems(MINIMUM + "    headers: {Cookie: {file: none}}\n", "which cannot be read");
        assertProblems(MINIMUM + "    headers: {Cookie: {}}\n", "exactly one of file and env");
        assertProblems(
                MINIMUM.replace("http://127.0.0.1:8080", "http://me:s3cret@127.0.0.1:1"),
                "but was 'http://***@127.0.0.1:1'");
    }

    @Test
    void refusesWhatCannotBeStoppedOrWouldBeMeasuredWrongly() throws IOException {
        assertProblems(
                "start: {command: [run], foreground: false}\n" + MINIMUM,
                ":1: start with foreground: false needs the key stop");
        assertProblems(MINIMUM + "gc-log: ../../etc/passwd\n", "gc-log must lie in the gateway's directory");
        assertProblems(MINIMUM + "gc-log: /var/log/gc.log\n", "gc-log needs a start in the foreground");
        assertProblems(MINIMUM + "name: other\n", ":6: the key 'name' is there twice");
        assertProblems(
                MINIMUM.replace("8080", "{gateway-port}"),
                ":2: url uses {gateway-port}, which only a gateway with the key start has");
        assertProblems(MINIMUM.replace("  - name", "  - port: 1\n    name"), ":4: unknown key 'port'");
        assertProblems("name: [\n", "not valid YAML");
        assertProblems("", "the gateway configuration is empty");
        assertThatThrownBy(() -> HttpGatewayFile.read(directory.resolve("none.yaml")))
                .isInstanceOf(PlanException.class)
                .hasMessageContaining("none.yaml does not exist");
    }

    @Test
    void refusesAHeapThatWouldReachNobody() throws IOException {
        PlanInput input = new PlanInput();
        input.option(PlanKey.PRODUCT, "http");
        input.option(PlanKey.GATEWAY_CONFIG, write(MINIMUM).toString());
        RunPlan plan = build(input);

        assertThat(plan.plan().testCases().get(0).id()).isEqualTo("echo/0_heap/10_users/1024B/0ms_sleep");
        assertThat(plan.gateway().applicationName()).isEqualTo("mine");
        assertThat(plan.gateway().notes()).anyMatch(note -> note.contains("not a JVM"));
        input.option(PlanKey.HEAP, "1G");
        assertThatThrownBy(() -> build(input))
                .hasMessage("--heap has no effect: the gateway's configuration does not use {heap}; drop it");
    }

    @Test
    void saysWhichProductNeedsAConfigurationAndWhichTakesNone() {
        PlanInput http = new PlanInput();
        http.option(PlanKey.PRODUCT, "http");
        assertThatThrownBy(() -> build(http)).hasMessage("product http needs --gateway-config <file.yaml>");
    }

    @Test
    void replacesPlaceholdersInValuesAndFiles() {
        Placeholders names =
                new Placeholders(Map.of("gateway-port", "8080", "java", "/a$b/java"), List.of("-Xlog:gc", "-Dx"));

        assertThat(names.command(List.of("{java}", "{gc-options}", "-p{gateway-port}", "{{print}")))
                .containsExactly("/a$b/java", "-Xlog:gc", "-Dx", "-p8080", "{print}");
        assertThat(names.file("listen {gateway-port}; if ($a) {b} {unknown-one}"))
                .isEqualTo("listen 8080; if ($a) {b} {unknown-one}");
    }

    private static RunPlan build(PlanInput input) {
        return new PlanBuilder(List.of(new HttpProduct())).build(input);
    }

    private void assertProblems(String text, String... problems) throws IOException {
        Path file = write(text);
        PlanException e = catchThrowableOfType(PlanException.class, () -> HttpGatewayFile.read(file));
        assertThat(e).as(text).isNotNull();
        for (String problem : problems) {
            assertThat(e.problems())
                    .anyMatch(p -> p.startsWith(file.toString()) && p.contains(problem)
                            || p.startsWith("the gateway configuration") && p.contains(problem));
        }
    }

    private HttpGatewayConfig read(String text) throws IOException {
        return HttpGatewayFile.read(write(text));
    }

    private Path write(String text) throws IOException {
        return Files.writeString(directory.resolve("gateway.yaml"), text);
    }
}
