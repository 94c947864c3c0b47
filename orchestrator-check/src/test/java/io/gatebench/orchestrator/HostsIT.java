/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.gatebench.model.HostMetric;

/**
 * Runs the packaged program over five hosts, two of them load generators, and breaks what breaks most. {@link
 * HostFailuresIT} breaks the rest.
 *
 * <p>The first case is part of every build; {@code -Pfull} adds the others.
 */
class HostsIT {

    private static HostsFixture hosts;

    @BeforeAll
    static void startTheHosts() {
        hosts = HostsFixture.start();
    }

    @AfterAll
    static void stopTheHosts() {
        if (hosts != null) {
            hosts.close();
        }
    }

    @AfterEach
    void nothingIsLeftOnAnyHost() throws Exception {
        hosts.endCase();
    }

    @Test
    void measuresWithTwoLoadGeneratorsOfDifferentClocksAndRefusesASecondProgram() throws Exception {
        boolean clock = Lab.canSetClocks();
        if (clock) {
            hosts.lab().must("clock", "jmeter2", "5");
        }
        try (LabProgram program = hosts.run("matrix", "hosts.yaml", "2,3")) {
            hosts.awaitLoad(program, 1);
            refusesASecondProgram();
            int code = program.await();
            assertThat(code).as(program.errorOutput()).isZero();
            if (clock) {
                hosts.row(
                        "the clock of one load generator is 5 s off",
                        "matrix",
                        program,
                        "note: Host jmeter2: its clock is .*",
                        code,
                        Optional.empty());
            }
        } finally {
            if (clock) {
                hosts.lab().must("clock", "jmeter2", "0");
            }
        }
        List<JsonNode> cells = hosts.cells("matrix");
        assertThat(cells).hasSize(2).allSatisfy(cell -> {
            assertThat(cell.path("outcome").asText()).isEqualTo("completed");
            assertThat(cell.path("load").path("facts").path("load.generators").asText())
                    .isEqualTo("2");
            assertThat(cell.path("processes")).isNotEmpty().allSatisfy(process -> {
                if (process.path("role").asText().equals("BACKEND")) {
                    // The echo that stands in for a gateway asks no back end, whose figures would be those of an idle
                    // process.
                    assertThat(process.path("hostMetrics")).isEmpty();
                    assertThat(process.path("notes")).isNotEmpty();
                    return;
                }
                // The shell that waits for a role on its host is no part of it.
                assertThat(process.path("hostMetrics")
                                .path(HostMetric.PROCESSES.header())
                                .asDouble())
                        .as(process.path("hostMetrics").toString())
                        .isEqualTo(1);
                assertThat(process.path("hostMetrics").path("Task clock").isNumber())
                        .isTrue();
                // The hosts are this machine, and the roles on the one are no other programs to the next.
                assertThat(process.path("hostMetrics")
                                .path(HostMetric.OTHER_PROGRAMS.header())
                                .path("absent")
                                .asText())
                        .startsWith("hosts of this run are one machine");
            });
        });
        requireCommonStart(clock ? 5000 : 0);
        requireExactSums();
        requireColumns();
    }

    @Test
    @Tag("full")
    void measuresTheSameByTheDistributedModeOfJMeter() throws Exception {
        hosts.writeHosts("jmeter.yaml", HostsFixture.LEASE, "30s", "jmeter");
        try (LabProgram program = hosts.run("distributed", "jmeter.yaml", "3", "--duration=3s")) {
            int code = program.await();
            assertThat(code).as(program.errorOutput()).isZero();
            assertThat(program.errorOutput()).doesNotContain("was not told");
        }
        List<JsonNode> cells = hosts.cells("distributed");
        assertThat(cells).hasSize(1);
        JsonNode cell = cells.get(0);
        assertThat(cell.path("outcome").asText()).isEqualTo("completed");
        JsonNode load = cell.path("load");
        assertThat(load.path("facts").path("load.generators").asText()).isEqualTo("2");
        assertThat(Duration.parse(load.path("startSkew").asText()).toMillis()).isBetween(0L, 500L);
        // What the controller was told is what lies on the disks of the hosts, each of which has a part.
        JsonNode told = hosts.loads("distributed", "load-client").get(0);
        long samples = HostsFixture.samples(load);
        assertThat(samples)
                .isPositive()
                .isEqualTo(HostsFixture.samples(told))
                .isEqualTo(HostsFixture.samples(
                                hosts.loads("distributed", "load-1").get(0))
                        + HostsFixture.samples(
                                hosts.loads("distributed", "load-2").get(0)));
        assertThat(told.path("measurement"))
                .isEqualTo(hosts.loads("distributed", "load").get(0).path("measurement"));
        assertThat(cell.path("processes"))
                .extracting(process -> process.path("name").asText() + " on "
                        + process.path("host").asText())
                .contains("JMeter Client on localhost", "JMeter Server 1 on jmeter1", "JMeter Server 2 on jmeter2");
        for (String host : HostsFixture.HOSTS) {
            assertThat(hosts.lab().filesOfRun(host, "secrets/rmi.p12")).isEmpty();
        }
        try (Stream<Path> files = Files.walk(hosts.file("distributed"))) {
            assertThat(files.map(file -> file.getFileName().toString())).doesNotContain("rmi.p12");
        }
    }

    @Test
    @Tag("full")
    void sendsStepsWithRowsThatAreTheLoadGeneratorsOwn() throws Exception {
        sendsSteps("steps", "processes");
    }

    @Test
    @Tag("full")
    void sendsStepsByTheDistributedModeOfJMeter() throws Exception {
        sendsSteps("steps-jmeter", "jmeter");
    }

    private static void sendsSteps(String results, String distribution) throws Exception {
        hosts.writeHosts("steps.yaml", HostsFixture.LEASE, "30s", distribution);
        hosts.lab().write("client", "items.csv", "item\ntea\n\"green tea\"\ncoffee\nwater\nmilk\n");
        hosts.lab().write("client", "orders.yaml", """
                name: Orders
                url: http://{gateway-address}:{gateway-port}
                start: ["{java}", "-Xmx{heap}", -cp, %s, %s, "{gateway-address}", "{gateway-port}"]
                uses-backend: false
                scenarios:
                - name: order
                  data: {file: items.csv, unique: true}
                  steps:
                  - name: create
                    url: /orders
                    body: '{"item": "${item}"}'
                    check: {status: 201}
                    extract:
                      id: {json: /order/id}
                      session: {header: Set-Cookie, regex: 'session=([^;]+)'}
                  - name: read
                    url: /orders/${id}
                    headers: {Cookie: "session=${session}"}
                    check: {contains: "<${id}>"}
                """.formatted(
                        Path.of("target/test-classes").toAbsolutePath(), OrdersGateway.class.getName()));
        try (LabProgram program = hosts.run(results, "steps.yaml", "4", "--gateway-config=orders.yaml")) {
            int code = program.await();
            assertThat(code).as(program.errorOutput()).isZero();
        }
        JsonNode load = hosts.loads(results, "load").get(0);
        assertThat(load.path("measurement").get(0).path("errors").asLong())
                .as(load.toString())
                .isZero();
        JsonNode first = hosts.loads(results, "load-1").get(0);
        JsonNode second = hosts.loads(results, "load-2").get(0);
        assertThat(load.path("steps")).hasSize(2);
        for (int step = 0; step < 2; step++) {
            assertThat(samplesOf(load, step)).isEqualTo(samplesOf(first, step) + samplesOf(second, step));
            assertThat(samplesOf(first, step)).isPositive();
            assertThat(samplesOf(second, step)).isPositive();
        }
        Path ordered = hosts.cellFiles(results).get(0).resolveSibling("gateway").resolve(OrdersGateway.ORDERED);
        assertThat(orderedBy("jmeter1", ordered)).containsExactlyInAnyOrder("tea", "coffee", "milk");
        assertThat(orderedBy("jmeter2", ordered)).containsExactlyInAnyOrder("green tea", "water");
        for (String host : HostsFixture.HOSTS) {
            assertThat(hosts.lab().filesOfRun(host, "data/order.csv")).isEmpty();
        }
    }

    private static List<String> orderedBy(String host, Path ordered) throws IOException {
        String begin = hosts.lab().address(host) + " {\"item\": \"";
        return Files.readAllLines(ordered).stream()
                .filter(line -> line.startsWith(begin))
                .map(line -> line.substring(begin.length(), line.length() - 2))
                .toList();
    }

    private static long samplesOf(JsonNode load, int step) {
        return load.path("steps").get(step).path("samples").asLong();
    }

    private void refusesASecondProgram() throws Exception {
        Instant began = Instant.now();
        try (LabProgram second = hosts.lab()
                .program("run", "--product=apim", "--hosts=hosts.yaml", "--results=second", "--duration=4s")) {
            int code = second.await();
            hosts.row(
                    "a second orchestrator on the same hosts",
                    "second",
                    second,
                    "jmeter1 is in use: .*",
                    code,
                    Optional.of(began));
            assertThat(code).as(second.errorOutput()).isEqualTo(5);
            assertThat(second.errorOutput())
                    .containsPattern(
                            "jmeter1 is in use: perf@client, process \\d+, run [0-9a-f]{8}, since 20\\d\\d-.*Z");
            assertThat(hosts.file("second")).doesNotExist();
        }
    }

    /** Both were told one instant, each by its own clock, when both were ready; what is left is far below a second. */
    private static void requireCommonStart(long aheadMillis) throws IOException {
        List<JsonNode> whole = hosts.loads("matrix", "load");
        List<JsonNode> first = hosts.loads("matrix", "load-1");
        List<JsonNode> second = hosts.loads("matrix", "load-2");
        for (int i = 0; i < whole.size(); i++) {
            Instant one = Instant.parse(first.get(i).path("started").asText());
            Instant other = Instant.parse(second.get(i).path("started").asText());
            assertThat(Duration.between(one, other).toMillis()).isBetween(aheadMillis - 500, aheadMillis + 500);
            assertThat(Duration.parse(whole.get(i).path("startSkew").asText()).toMillis())
                    .isBetween(0L, 500L);
        }
    }

    /** What all load generators measured together is the sum of what each has measured. */
    private static void requireExactSums() throws IOException {
        List<JsonNode> whole = hosts.loads("matrix", "load");
        List<JsonNode> first = hosts.loads("matrix", "load-1");
        List<JsonNode> second = hosts.loads("matrix", "load-2");
        assertThat(whole).hasSize(2);
        for (int i = 0; i < whole.size(); i++) {
            assertThat(HostsFixture.samples(whole.get(i)))
                    .isPositive()
                    .isEqualTo(HostsFixture.samples(first.get(i)) + HostsFixture.samples(second.get(i)));
        }
    }

    private static void requireColumns() throws IOException {
        Path summary = hosts.file("matrix").resolve("summary.csv");
        List<String> lines = Files.readAllLines(summary);
        List<String> header = Arrays.asList(lines.get(0).split(","));
        // Those that are published with two load generators, and the verdict with its reasons.
        assertThat(header).hasSize(311 + 2);
        for (String line : lines.subList(1, lines.size())) {
            String[] values = line.split(",");
            for (String server : List.of("JMeter Server 1", "JMeter Server 2")) {
                assertThat(values[header.indexOf(server + " GC Throughput (%)")])
                        .matches("[0-9.]+");
                assertThat(values[header.indexOf(server + " - CPU - User (%)")]).matches("[0-9.]+");
            }
        }
    }

    @Test
    @Tag("full")
    void keepsWhatWasMeasuredAndGoesOnWhenRolesAreKilled() throws Exception {
        try (LabProgram program = hosts.run("roles", "hosts.yaml", "2,3", "--duration=60s")) {
            hosts.awaitLoad(program, 1);
            hosts.kill("product", "gateway");
            hosts.awaitLoadOf(3, program, 2);
            hosts.kill("jmeter2", "load-2");
            Instant killed = Instant.now();
            int code = program.await();
            // One run for two failures: the first one must not end it.
            hosts.row(
                    "the gateway killed during a test case (2 users)",
                    "roles",
                    program,
                    "failed: .*Echo ended.*",
                    code,
                    Optional.empty());
            hosts.row(
                    "one load generator killed during a test case (3 users)",
                    "roles",
                    program,
                    "failed: .*the load generator.*",
                    code,
                    Optional.of(killed));
            assertThat(code).as(program.errorOutput()).isEqualTo(3);
        }
        List<JsonNode> cells = hosts.cells("roles");
        assertThat(cells).hasSize(2);
        assertThat(cells.get(0).path("detail").asText()).startsWith("Echo ended while the load ran (exit code 137)");
        assertThat(cells.get(1).path("detail").asText())
                .startsWith("the load generator JMeter Server 2 on jmeter2 ended while the load ran (exit code 137);"
                        + " what the others measured is kept");
        for (JsonNode load : hosts.loads("roles", "load-1")) {
            assertThat(HostsFixture.samples(load)).isPositive();
        }
        assertThat(hosts.loads("roles", "load-1")).hasSize(2);
    }

    @Test
    @Tag("full")
    void goesOnAfterTheProgramWasKilled() throws Exception {
        try (LabProgram program = hosts.run("killed", "hosts.yaml", "2,3")) {
            hosts.awaitLoadOf(3, program, 2);
            Instant killed = Instant.now();
            program.signal("KILL");
            int code = program.await();
            assertThat(code).isEqualTo(137);
            // The row's time is that in which the hosts have stopped what ran there, by themselves.
            hosts.requireNothingLeft();
            hosts.row(
                    "the orchestrator killed (`kill -9`) during a test case",
                    "killed",
                    program,
                    "",
                    code,
                    Optional.of(killed));
        }
        String before = Files.readString(hosts.cellFiles("killed").get(0));

        try (LabProgram changed = hosts.resume("killed", "--users=2,5", "--duration=5s")) {
            assertThat(changed.await()).isEqualTo(2);
            assertThat(changed.errorOutput())
                    .contains("the plan is not that of the run in killed")
                    .contains("users: was [2, 3], is [2, 5]")
                    .contains("duration: was 4s, is 5s");
        }
        Instant resumed = Instant.now();
        try (LabProgram program = hosts.resume("killed")) {
            int code = program.await();
            assertThat(code).as(program.errorOutput()).isZero();
            assertThat(program.errorOutput()).contains("[1/2]").contains(" kept: ");
            hosts.row(
                    "the orchestrator killed, then `--resume`",
                    "killed",
                    program,
                    "note: The run was taken up again.*",
                    code,
                    Optional.of(resumed));
        }
        assertThat(hosts.cells("killed"))
                .hasSize(2)
                .allMatch(cell -> cell.path("outcome").asText().equals("completed"));
        assertThat(Files.readString(hosts.cellFiles("killed").get(0)))
                .as("the test case that was finished before")
                .isEqualTo(before);
    }
}
