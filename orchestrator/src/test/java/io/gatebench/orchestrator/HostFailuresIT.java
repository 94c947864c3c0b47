/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Runs the packaged program over five hosts of the lab, two of them load generators, and breaks something each time.
 *
 * <p>With {@code -Dgatebench.failures=some} the most telling cases alone run; with {@code all} all do, and the table in
 * {@code docs/reference/failures.md} is written from what was seen.
 */
@EnabledIfSystemProperty(named = "gatebench.failures", matches = "some|all")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class HostFailuresIT {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path TABLE = Path.of("../docs/reference/failures.md");
    private static final boolean ALL = "all".equals(System.getProperty("gatebench.failures"));
    private static final int LEASE = 12;

    private static Lab lab;

    @BeforeAll
    static void startTheLab() {
        String hindrance = Lab.hindrance();
        Assumptions.assumeTrue(hindrance.isEmpty(), "no lab of hosts can be made on this machine: " + hindrance);
        lab = Lab.start();
        writeHosts("hosts.yaml", LEASE, "30s", "");
    }

    @AfterAll
    static void stopTheLab() {
        if (lab != null) {
            lab.close();
        }
    }

    /** Writes the table anew: rows of cases that did not run this time stay as they were. */
    private static void writeTable(String what, String row) throws IOException {
        try (FileChannel channel = FileChannel.open(
                        Path.of("target/failures.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = channel.lock()) {
            assertThat(lock.isValid()).isTrue();
            rewriteTable(what, row);
        }
    }

    private static void rewriteTable(String what, String row) throws IOException {
        Map<String, String> rows = new TreeMap<>();
        if (Files.exists(TABLE)) {
            Files.readAllLines(TABLE).stream()
                    .filter(line -> line.startsWith("| ") && !line.startsWith("| What broke"))
                    .forEach(line -> rows.put(line.substring(2, line.indexOf(" |")), line));
        }
        rows.put(what, row);
        Files.writeString(TABLE, """
                # What happens when something breaks

                This table is written by a test (`HostFailuresIT` with `-Dgatebench.failures=all`), from what it saw: five hosts in
                network namespaces of one machine, with an SSH server each: a gateway, a back end, two load generators, and the
                program itself on the fifth. Cells of 4 s, a lease of %d s (60 s where a host is healed). Numbers of samples differ from
                run to run. After each case it was made sure that no process of ours was left on any host.

                | What broke | What was kept | What was said | Exit code | From the failure to the end |
                |---|---|---|---:|---:|
                %s
                """.formatted(LEASE, String.join("\n", rows.values())));
    }

    @AfterEach
    void nothingIsLeftOnAnyHost() throws InterruptedException {
        await(Duration.ofSeconds(3L * LEASE), () -> lab.ours().isEmpty());
        assertThat(lab.ours()).isEmpty();
    }

    // ---- the cases -----------------------------------------------------------------------------------------------

    @Test
    @Order(1)
    void measuresOverFiveHostsWithTwoLoadGenerators() throws Exception {
        boolean clock = Lab.canSetClocks();
        if (clock) {
            lab.must("clock", "jmeter2", "5");
        }
        try (LabProgram program = run("matrix", "hosts.yaml", "2,3")) {
            awaitLoad(program, 1);
            Instant second = Instant.now();
            try (LabProgram other =
                    lab.program("run", "--product=mi", "--hosts=hosts.yaml", "--results=second", "--duration=4s")) {
                int code = other.await();
                row(
                        "a second orchestrator on the same hosts",
                        "second",
                        other.errorOutput(),
                        "jmeter1 is in use: .*",
                        code,
                        second);
                assertThat(code).as(other.errorOutput()).isEqualTo(5);
                assertThat(other.errorOutput())
                        .containsPattern(
                                "jmeter1 is in use: perf@client, process \\d+, run [0-9a-f]{8}, since 20\\d\\d-.*Z");
                assertThat(lab.home("client").resolve("second")).doesNotExist();
            }
            int code = program.await();
            assertThat(code).as(program.errorOutput()).isZero();
            if (clock) {
                row(
                        "the clock of one load generator is 5 s off",
                        "matrix",
                        program.errorOutput(),
                        "note: Host jmeter2: its clock is .*",
                        code,
                        null);
            }
        } finally {
            if (clock) {
                lab.must("clock", "jmeter2", "0");
            }
        }
        List<JsonNode> cells = cells("matrix");
        assertThat(cells).hasSize(2).allSatisfy(cell -> {
            assertThat(cell.path("outcome").asText()).isEqualTo("completed");
            assertThat(cell.path("load").path("facts").path("load.generators").asText())
                    .isEqualTo("2");
            if (clock) {
                // Both were told one instant, each by its own clock.
                assertThat(Duration.between(start(cell, "JMeter Server 1"), start(cell, "JMeter Server 2"))
                                .toMillis())
                        .isBetween(4500L, 5500L);
            }
        });
        requireExactSums("matrix");
        requireColumns("matrix");
    }

    private static Instant start(JsonNode cell, String process) {
        JsonNode command = StreamSupport.stream(cell.path("processes").spliterator(), false)
                .filter(one -> one.path("name").asText().equals(process))
                .findFirst()
                .orElseThrow()
                .path("command");
        return Instant.parse(command.get(command.size() - 1).asText());
    }

    /** What all load generators measured together is the sum of what each has measured. */
    private static void requireExactSums(String results) throws IOException {
        List<Path> whole = loads(results, "load");
        assertThat(whole).hasSize(2);
        for (Path load : whole) {
            long sum = samples(load.resolveSibling("../load-1/load.json").normalize())
                    + samples(load.resolve("../../load-2/load.json").normalize());
            assertThat(samples(load)).isPositive().isEqualTo(sum);
        }
    }

    private static void requireColumns(String results) throws IOException {
        List<String> lines =
                Files.readAllLines(lab.home("client").resolve(results).resolve("summary.csv"));
        List<String> header = Arrays.asList(lines.get(0).split(","));
        assertThat(header).hasSize(311);
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
    @Order(2)
    void aLoadGeneratorIsKilled() throws Exception {
        failing(
                "one load generator killed",
                "generator",
                "hosts.yaml",
                program -> kill("jmeter2", "load-2"),
                3,
                "failed: .*");
        assertThat(cells("generator"))
                .singleElement()
                .satisfies(cell -> assertThat(cell.path("detail").asText())
                        .startsWith("the load generator JMeter Server 2 on jmeter2 ended while the load ran (exit code"
                                + " 137); what the others measured is kept"));
        assertThat(samples(loads("generator", "load-1").get(0))).isPositive();
    }

    @Test
    @Order(3)
    @EnabledIfSystemProperty(named = "gatebench.failures", matches = "all")
    void theOrchestratorIsKilledAndTheRunResumed() throws Exception {
        Instant killed;
        try (LabProgram program = run("killed", "hosts.yaml", "2,3")) {
            await(Duration.ofSeconds(300), () -> program.errorOutput().contains("[2/2]") && awaitsLoad(2));
            killed = Instant.now();
            program.signal("KILL");
            int code = program.await();
            row("the orchestrator killed (`kill -9`) in mid-cell", "killed", "", "", code, killed);
            assertThat(code).isEqualTo(137);
        }
        String before = Files.readString(cellFiles("killed").get(0));
        await(Duration.ofSeconds(3L * LEASE), () -> lab.ours().isEmpty());
        assertThat(lab.ours()).as("processes after the lease").isEmpty();

        try (LabProgram changed =
                lab.program("run", "--resume=killed", "--hosts=hosts.yaml", "--users=2,5", "--duration=5s")) {
            assertThat(changed.await()).isEqualTo(2);
            assertThat(changed.errorOutput())
                    .contains("the plan is not that of the run in killed")
                    .contains("users: was [2, 3], is [2, 5]")
                    .contains("duration: was 4s, is 5s");
        }
        Instant resumed = Instant.now();
        try (LabProgram program = lab.program("run", "--resume=killed", "--hosts=hosts.yaml")) {
            int code = program.await();
            assertThat(code).as(program.errorOutput()).isZero();
            assertThat(program.errorOutput()).contains("[1/2]").contains(" kept: ");
            row(
                    "the orchestrator killed, then `--resume`",
                    "killed",
                    program.errorOutput(),
                    "note: The run was taken up again.*",
                    code,
                    resumed);
        }
        assertThat(cells("killed"))
                .hasSize(2)
                .allMatch(cell -> cell.path("outcome").asText().equals("completed"));
        assertThat(Files.readString(cellFiles("killed").get(0))).isEqualTo(before);
    }

    @Test
    @Order(4)
    @EnabledIfSystemProperty(named = "gatebench.failures", matches = "all")
    void theKeyOfAHostIsAnother() throws Exception {
        String known = Files.readString(lab.directory().resolve("known_hosts"));
        String wrong = known.replaceAll(
                "(?m)^product,(\\S+) .*$",
                "product,$1 "
                        + known.lines()
                                .filter(line -> line.startsWith("backend"))
                                .findFirst()
                                .orElseThrow()
                                .replaceFirst("\\S+ ", ""));
        lab.write("client", "wrong_known_hosts", wrong);
        writeHosts("wrong.yaml", LEASE, "30s", "known-hosts: wrong_known_hosts");
        Instant began = Instant.now();
        try (LabProgram program = run("wrong", "wrong.yaml", "2")) {
            int code = program.await();
            row(
                    "the host key of the gateway's host is not the known one",
                    "wrong",
                    program.errorOutput(),
                    "the host key of product has CHANGED.*",
                    code,
                    began);
            assertThat(code).isEqualTo(5);
            assertThat(program.errorOutput()).contains("the host key of product has CHANGED");
        }
        assertThat(lab.home("client").resolve("wrong")).doesNotExist();
    }

    @Test
    @Order(5)
    @EnabledIfSystemProperty(named = "gatebench.failures", matches = "all")
    void hostsAreReachedThroughAJumpHostAndByTheKeysOfAnAgent() throws Exception {
        String jump = Files.readString(lab.home("client").resolve("hosts.yaml"))
                .replace("product: " + lab.address("product"), "product: {address: product, jump: perf@backend}");
        lab.write("client", "jump.yaml", jump);
        try (LabProgram program = lab.program("hosts", "check", "--hosts=jump.yaml")) {
            assertThat(program.await()).as(program.errorOutput()).isZero();
            assertThat(program.output()).contains("product (").contains("clock offset", "steal", "available memory");
        }
        String log = Files.readString(lab.directory().resolve("backend/sshd.log"));
        assertThat(log).contains("Accepted publickey for perf");

        lab.write("client", "agent.yaml", jump.replaceAll(", key: [^}]*}", "}").replace(", jump: perf@backend", ""));
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Lab.Ended withAgent = lab.login(
                "client",
                "eval $(ssh-agent) >/dev/null && ssh-add -q " + lab.directory() + "/key_rsa && " + java + " -jar "
                        + Path.of("target/orchestrator.jar").toAbsolutePath()
                        + " hosts check --hosts agent.yaml; code=$?; ssh-agent -k >/dev/null; exit $code");
        assertThat(withAgent.exitCode()).as(withAgent.errorOutput()).isZero();
        assertThat(withAgent.errorOutput()).contains("All 4 hosts can be used.");
    }

    @Test
    @Order(6)
    @EnabledIfSystemProperty(named = "gatebench.failures", matches = "all")
    void theGatewayIsKilled() throws Exception {
        Instant killed;
        try (LabProgram program = run("gateway", "hosts.yaml", "2,3")) {
            awaitLoad(program, 1);
            kill("product", "gateway");
            killed = Instant.now();
            int code = program.await();
            row("the gateway killed in mid-cell", "gateway", program.errorOutput(), "failed: .*", code, killed);
            assertThat(code).as(program.errorOutput()).isEqualTo(3);
        }
        List<JsonNode> cells = cells("gateway");
        assertThat(cells).hasSize(2);
        assertThat(cells.get(0).path("detail").asText()).contains("ended while the load ran (exit code 137)");
        assertThat(cells.get(1).path("outcome").asText()).as("the next cell").isEqualTo("completed");
    }

    @Test
    @Order(7)
    @EnabledIfSystemProperty(named = "gatebench.failures", matches = "all")
    void theBackEndIsKilled() throws Exception {
        failing(
                "the back end killed in mid-cell",
                "backend",
                "hosts.yaml",
                program -> kill("backend", "backend"),
                3,
                "failed: .*");
        assertThat(cells("backend"))
                .singleElement()
                .satisfies(cell -> assertThat(cell.path("detail").asText())
                        .startsWith("Netty Service ended while the load ran (exit code 137)"));
    }

    @Test
    @Order(8)
    @EnabledIfSystemProperty(named = "gatebench.failures", matches = "all")
    void aHostIsCutOffForAWhile() throws Exception {
        writeHosts("patient.yaml", 60, "45s", "");
        try {
            failing(
                    "a load generator's host cut off, healed after 20 s",
                    "healed",
                    "patient.yaml",
                    program -> {
                        lab.must("cut", "jmeter2");
                        sleep(20);
                        lab.must("heal", "jmeter2");
                    },
                    0,
                    "note: jmeter2 is reached again .*");
        } finally {
            lab.must("heal", "jmeter2");
        }
    }

    @Test
    @Order(9)
    @EnabledIfSystemProperty(named = "gatebench.failures", matches = "all")
    void aHostIsCutOffForGood() throws Exception {
        writeHosts("impatient.yaml", LEASE, "8s", "");
        try (LabProgram program = run("cut", "impatient.yaml", "3")) {
            awaitLoad(program, 2);
            Instant cut = Instant.now();
            lab.must("cut", "jmeter2");
            int code = program.await();
            row("a load generator's host cut off, not healed", "cut", program.errorOutput(), "failed: .*", code, cut);
            assertThat(code).as(program.errorOutput()).isEqualTo(3);
            // Its guard there counts on without any connection.
            await(Duration.ofSeconds(3L * LEASE), () -> lab.ours().isEmpty());
        } finally {
            lab.must("heal", "jmeter2");
        }
        assertThat(cells("cut"))
                .singleElement()
                .satisfies(cell -> assertThat(cell.path("detail").asText())
                        .matches("jmeter2 could not be reached for \\d+ s; what runs there stops by itself " + LEASE
                                + " s after the last sign of life"));
        assertThat(samples(loads("cut", "load-1").get(0))).isPositive();
    }

    @Test
    @Order(10)
    @EnabledIfSystemProperty(named = "gatebench.failures", matches = "all")
    void theWayToTheHostsIsSlowAndLossy() throws Exception {
        String by = lab.must("slow", "client", "50", "1").trim();
        Instant began = Instant.now();
        try (LabProgram program = run("slow", "hosts.yaml", "3")) {
            int code = program.await();
            row(
                    "50 ms more each way and 1 % loss between the program and the hosts ("
                            + (by.equals("netem") ? "netem" : "by a stand-in for the kernel's netem") + ")",
                    "slow",
                    program.errorOutput(),
                    "",
                    code,
                    began);
            assertThat(code).as(program.errorOutput()).isZero();
        } finally {
            lab.must("fast", "client");
        }
    }

    @Test
    @Order(11)
    @EnabledIfSystemProperty(named = "gatebench.failures", matches = "all")
    void theDiskOfAHostIsFull() throws Exception {
        lab.must("disk", "jmeter1", "/run/perf/small", "800m");
        writeHosts("small.yaml", LEASE, "30s", "");
        String text = Files.readString(lab.home("client").resolve("small.yaml"));
        lab.write(
                "client",
                "small.yaml",
                text.replace(
                        "jmeter1: " + lab.address("jmeter1"),
                        "jmeter1: {address: " + lab.address("jmeter1") + ", work-directory: /run/perf/small/work}"));
        try (LabProgram program = run("full", "small.yaml", "3")) {
            await(
                    Duration.ofSeconds(300),
                    () -> !lab.filesOfRun("jmeter2", "load-2/out.log").isEmpty() && awaitsLoad(2));
            lab.root("jmeter1", "cat /dev/zero >/run/perf/small/filler");
            Instant full = Instant.now();
            int code = program.await();
            row("the disk of a load generator's host full", "full", program.errorOutput(), "failed: .*", code, full);
            assertThat(code).as(program.errorOutput()).isEqualTo(3);
        } finally {
            lab.root("jmeter1", "rm -f /run/perf/small/filler");
        }
        assertThat(cells("full"))
                .singleElement()
                .satisfies(cell -> assertThat(cell.path("detail").asText())
                        .contains("the disk of jmeter1 is full at /run/perf/small/work"));
    }

    @Test
    @Order(12)
    @EnabledIfSystemProperty(named = "gatebench.failures", matches = "all")
    void theDiskOfTheOrchestratorIsFull() throws Exception {
        lab.must("disk", "client", "/run/perf/disk", "500m");
        Instant full;
        try (LabProgram program = run("disk/results", "hosts.yaml", "2,3")) {
            await(Duration.ofSeconds(300), () -> program.errorOutput().contains("[2/2]") && awaitsLoad(2));
            lab.root("client", "cat /dev/zero >/run/perf/disk/filler");
            full = Instant.now();
            int code = program.await();
            lab.root("client", "rm -f /run/perf/disk/filler; cp -r /run/perf/disk/results /run/perf/kept");
            row("the disk of the orchestrator full", "kept", program.errorOutput(), "cannot write .*", code, full);
            assertThat(code).as(program.errorOutput()).isEqualTo(5);
            assertThat(program.errorOutput())
                    .contains("No space left on device")
                    .contains("go on with --resume");
        }
        Instant resumed = Instant.now();
        try (LabProgram program = lab.program("run", "--resume=disk/results", "--hosts=hosts.yaml")) {
            int code = program.await();
            lab.root("client", "rm -rf /run/perf/kept; cp -r /run/perf/disk/results /run/perf/kept");
            row(
                    "the disk of the orchestrator full, then space made and `--resume`",
                    "kept",
                    program.errorOutput(),
                    "\\[1/2].*kept.*",
                    code,
                    resumed);
            assertThat(code).as(program.errorOutput()).isZero();
        }
    }

    @Test
    @Order(13)
    @EnabledIfSystemProperty(named = "gatebench.failures", matches = "all")
    void theProgramIsAskedToEnd() throws Exception {
        failing("SIGTERM", "terminated", "hosts.yaml", program -> program.signal("TERM"), 130, "failed: .*");
        assertThat(lab.home("client").resolve("terminated/index.html")).exists();
    }

    @Test
    @Order(14)
    @EnabledIfSystemProperty(named = "gatebench.failures", matches = "all")
    void aLoadGeneratorDoesNotReachTheGateway() throws Exception {
        lab.must("root", "jmeter2", "ip", "route", "add", "blackhole", lab.address("product"));
        Instant began = Instant.now();
        try (LabProgram program = run("unreached", "hosts.yaml", "2")) {
            int code = program.await();
            row(
                    "one load generator does not reach the gateway",
                    "unreached",
                    program.errorOutput(),
                    "no request came through all hosts .*",
                    code,
                    began);
            assertThat(code).as(program.errorOutput()).isEqualTo(5);
            assertThat(program.errorOutput())
                    .contains("no request came through all hosts before the run: none from jmeter2: ");
        } finally {
            lab.must("root", "jmeter2", "ip", "route", "del", "blackhole", lab.address("product"));
        }
    }

    @Test
    @Order(15)
    @EnabledIfSystemProperty(named = "gatebench.failures", matches = "all")
    void cleansTheHosts() throws Exception {
        try (LabProgram program = lab.program("hosts", "clean", "--hosts=hosts.yaml")) {
            assertThat(program.await()).as(program.errorOutput()).isZero();
            assertThat(program.output().lines())
                    .hasSize(4)
                    .allMatch(line -> line.contains(": removed /run/perf/.gatebench ("));
        }
        for (String host : List.of("jmeter1", "jmeter2", "backend", "product")) {
            assertThat(lab.home(host).resolve(".gatebench")).doesNotExist();
        }
    }

    // ---- what they share -----------------------------------------------------------------------------------------

    /** Breaks something. */
    private interface Failure {
        void happen(LabProgram program) throws InterruptedException;
    }

    private static void failing(String what, String results, String hosts, Failure failure, int exitCode, String words)
            throws Exception {
        try (LabProgram program = run(results, hosts, "3")) {
            awaitLoad(program, 2);
            Instant at = Instant.now();
            failure.happen(program);
            int code = program.await();
            row(what, results, program.errorOutput(), words, code, at);
            assertThat(code).as(program.errorOutput()).isEqualTo(exitCode);
        }
    }

    private static void writeHosts(String file, int lease, String patience, String further) {
        StringBuilder text = new StringBuilder();
        text.append("defaults: {user: perf, key: ").append(lab.directory()).append("/key}\n");
        text.append(further.contains("known-hosts") ? further : "known-hosts: " + lab.directory() + "/known_hosts")
                .append('\n');
        text.append("lease: ")
                .append(lease)
                .append("s\npatience: ")
                .append(patience)
                .append("\nhosts:\n");
        for (String host : List.of("jmeter1", "jmeter2", "backend", "product")) {
            text.append("  ")
                    .append(host)
                    .append(": ")
                    .append(lab.address(host))
                    .append('\n');
        }
        text.append("roles: {gateway: product, backend: backend, load-generator: [jmeter1, jmeter2]}\n");
        lab.write("client", file, text.toString());
    }

    private static LabProgram run(String results, String hosts, String users) {
        return lab.program(
                "run",
                "--product=mi",
                "--scenario=DirectProxy",
                "--environment=hosts",
                "--hosts=" + hosts,
                "--results=" + results,
                "--users=" + users,
                "--message-size=500",
                "--heap=256M",
                // Small enough to be collected in a few seconds.
                "--load-generator-heap=96M",
                "--duration=4s",
                "--warm-up=1s",
                "--ramp-up=500ms");
    }

    /** Waits until the load generators of a cell have told of so many seconds. */
    private static void awaitLoad(LabProgram program, int seconds) throws InterruptedException {
        await(Duration.ofSeconds(300), () -> !program.isAlive() || awaitsLoad(seconds));
        assertThat(program.isAlive()).as(program.errorOutput()).isTrue();
    }

    private static boolean awaitsLoad(int seconds) {
        return lab.filesOfRun("jmeter2", "load-2/out.log").stream()
                .filter(log -> log.toString().contains("/cases/"))
                .max((a, b) ->
                        Long.compare(a.toFile().lastModified(), b.toFile().lastModified()))
                .filter(log -> told(log, seconds))
                .isPresent();
    }

    private static boolean told(Path log, int seconds) {
        try {
            return Files.readString(log)
                                    .lines()
                                    .filter(line -> line.startsWith("{\"second\""))
                                    .count()
                            >= seconds
                    && log.toFile().lastModified() > System.currentTimeMillis() - 2500;
        } catch (IOException e) {
            return false;
        }
    }

    private static void kill(String host, String role) {
        List<Path> pids = lab.filesOfRun(host, role + "/.pid").stream()
                .filter(file -> file.toString().contains("/cases/"))
                .sorted((a, b) ->
                        Long.compare(b.toFile().lastModified(), a.toFile().lastModified()))
                .toList();
        try {
            lab.must(
                    "root", host, "kill", "-KILL", Files.readString(pids.get(0)).trim());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static void sleep(int seconds) throws InterruptedException {
        Thread.sleep(Duration.ofSeconds(seconds).toMillis());
    }

    private static void await(Duration limit, BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        while (!condition.getAsBoolean() && System.nanoTime() < deadline) {
            Thread.sleep(100);
        }
    }

    private static List<Path> cellFiles(String results) throws IOException {
        Path root = lab.home("client").resolve(results);
        if (!Files.isDirectory(root)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(file -> file.getFileName().toString().equals("result.json"))
                    .filter(file -> !file.getParent().equals(root))
                    .filter(file -> !root.relativize(file).toString().startsWith("."))
                    .sorted()
                    .toList();
        }
    }

    private static List<JsonNode> cells(String results) throws IOException {
        List<JsonNode> cells = new ArrayList<>();
        for (Path file : cellFiles(results)) {
            cells.add(JSON.readTree(file.toFile()));
        }
        return cells;
    }

    private static List<Path> loads(String results, String part) throws IOException {
        try (Stream<Path> files = Files.walk(lab.home("client").resolve(results))) {
            return files.filter(file -> file.endsWith(part + "/load.json"))
                    .sorted()
                    .toList();
        }
    }

    private static long samples(Path load) throws IOException {
        return samples(JSON.readTree(load.toFile()));
    }

    private static long samples(JsonNode load) {
        return Stream.of("warmUp", "measurement")
                .flatMap(phase -> StreamSupport.stream(load.path(phase).spliterator(), false))
                .mapToLong(label -> label.path("samples").asLong())
                .sum();
    }

    private static String kept(String results) throws IOException {
        List<String> parts = new ArrayList<>();
        for (Path file : cellFiles(results)) {
            JsonNode cell = JSON.readTree(file.toFile());
            String kind = cell.path("outcome").asText();
            long count = samples(cell.path("load"));
            parts.add(file.toString().replaceAll(".*/(\\d+)_users/.*", "$1 users: ") + kind
                    + (cell.path("reason").isMissingNode()
                            ? ""
                            : " (" + cell.path("reason").asText() + ")") + ", "
                    + String.format(Locale.ROOT, "%,d", count) + " samples");
        }
        if (parts.isEmpty()) {
            return Files.isDirectory(lab.home("client").resolve(results))
                    ? "no cell was finished yet"
                    : "nothing was begun, no results directory was made";
        }
        return String.join("; ", parts);
    }

    /** Adds a row of the table: from what is on the disk and what was printed, not from what was expected. */
    private static void row(String what, String results, String said, String words, int code, Instant since)
            throws IOException {
        Matcher matcher = Pattern.compile(words).matcher(said);
        String line = words.isEmpty() || !matcher.find()
                ? ""
                : matcher.group().replace("|", "\\|").strip();
        if (ALL) {
            writeTable(
                    what,
                    "| " + what + " | " + kept(results) + " | " + (line.isEmpty() ? "(nothing)" : "`" + line + "`")
                            + " | "
                            + code + " | "
                            + (since == null
                                    ? ""
                                    : Duration.between(since, Instant.now()).toSeconds() + " s") + " |");
        }
        assertThat(Map.of("words", line.isEmpty() && !words.isEmpty()))
                .as("'%s' in:%n%s", words, said)
                .containsEntry("words", false);
    }
}
