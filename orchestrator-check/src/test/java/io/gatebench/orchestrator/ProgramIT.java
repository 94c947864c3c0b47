/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the packaged program as a user does: the contracts that scripts rely on. */
class ProgramIT {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String[] SHORT = {"--users=2", "--duration=5s", "--warm-up=2s", "--ramp-up=1s"};

    @TempDir
    private Path directory;

    @Test
    void measuresTheScenariosOfApim() throws IOException {
        Program.Result result = run("--product=apim", "--backend-delay=10ms", "--results=r", "--quiet");

        assertThat(result.errorOutput()).isEmpty();
        assertThat(result.exitCode()).isZero();
        assertThat(result.output().lines())
                .as("two scenarios with sizes, one with queries")
                .hasSize(2 + 2 + 1 + 2 + 1)
                .filteredOn(line -> line.startsWith("|  Scenario Name | Heap Size | Concurrent Users |"))
                .hasSize(2)
                .last()
                .asString()
                .contains("| GraphQL Query Number |");
        assertThat(Files.list(directory.resolve("r")).map(p -> p.getFileName().toString()))
                .contains("summary.md", "summary.csv", "index.html", "result.json", "run.json")
                .doesNotContain(".work");
        requireFigures("r", 3);
        requireProcessorsOfItsOwn();
        requireThatAChangedByteIsSeen();
    }

    /** Nothing else ran on the processors of the gateway, and its JVM counted no others; else the notes say why not. */
    private void requireProcessorsOfItsOwn() throws IOException {
        if (Files.readString(directory.resolve("r/run.json"))
                .contains("Gateway and other roles shared the processors of localhost (")) {
            return;
        }
        for (JsonNode cell :
                JSON.readTree(directory.resolve("r/result.json").toFile()).path("cells")) {
            JsonNode processors = cell.path("processors");
            JsonNode own = processors.path("GATEWAY");
            assertThat(own).doesNotContainAnyElementsOf(processors.path("LOAD_GENERATOR"));
            assertThat(processors.path("BACKEND")).isEqualTo(processors.path("LOAD_GENERATOR"));
            String gc =
                    Files.readString(directory.resolve("r/" + cell.path("id").asText() + "/gateway/gc.log"));
            assertThat(gc).contains(" total, " + own.size() + " available");
            for (JsonNode process : cell.path("processes")) {
                assertThat(process.path("hostMetrics")
                                .path("Processors of the process - Number")
                                .asInt())
                        .isEqualTo(
                                process.path("role").asText().equals("GATEWAY")
                                        ? own.size()
                                        : processors.path("BACKEND").size());
            }
        }
    }

    private void requireThatAChangedByteIsSeen() throws IOException {
        Program.Result untouched = Program.run(directory, "verify", "r");
        assertThat(untouched.exitCode()).as(untouched.output()).isZero();
        Path histogram;
        try (Stream<Path> files = Files.walk(directory.resolve("r"))) {
            histogram = files.filter(file -> file.endsWith("load/load.hlog"))
                    .sorted()
                    .findFirst()
                    .orElseThrow();
        }
        byte[] bytes = Files.readAllBytes(histogram);
        bytes[bytes.length / 2] ^= 1;
        Files.write(histogram, bytes);
        assertThat(Program.run(directory, "verify", "r").exitCode()).isEqualTo(4);

        Program.Result report = Program.run(directory, "report", "r", "--charts=none");

        assertThat(report.exitCode()).isZero();
        assertThat(report.errorOutput())
                .contains("changed after the measurement: load/load.hlog is not what was written");
        Program.Result again = Program.run(directory, "verify", "r");
        assertThat(again.exitCode()).isEqualTo(4);
        assertThat(again.output()).contains("load/load.hlog is not what was written");
    }

    @Test
    @Tag("full")
    void measuresJwtAndOpaqueTokens() throws IOException {
        Program.Result result = run("--product=microgateway", "--control-run", "--results=r");

        assertThat(result.exitCode()).as(result.errorOutput()).isZero();
        assertThat(result.errorOutput()).contains("[1/2] microgw-passthrough-oauth/512M_heap/2_users/1024B/0ms_sleep");
        requireFigures("r", 2);
        for (JsonNode cell :
                JSON.readTree(directory.resolve("r/result.json").toFile()).path("cells")) {
            // Nothing in front of the back end can be faster than the back end alone.
            assertThat(throughput(cell.path("control"))).isGreaterThan(throughput(cell.path("load")));
        }
    }

    private static double throughput(JsonNode load) {
        return load.path("measurement").path(0).path("throughputPerSecond").asDouble();
    }

    @Test
    @Tag("full")
    void measuresIntegrationScenariosOnSynapse() throws IOException {
        Program.Result result = run("--product=mi", "--results=r");

        assertThat(result.exitCode()).as(result.errorOutput()).isZero();
        assertThat(Files.readString(directory.resolve("r/summary.md")))
                .contains("Apache Synapse (mi scenarios)")
                .doesNotContain("WSO2 Micro Integrator");
        requireFigures("r", 2);
    }

    @Test
    void anEstimateReadsTheSettingsOfTheCloud() throws IOException {
        Files.writeString(directory.resolve("aws.yaml"), "region: eu-west-1\nmax-costs: 20\n");

        Program.Result result =
                Program.run(directory, "run", "--product=apim", "--environment=aws", "--aws=aws.yaml", "--estimate");

        assertThat(result.exitCode()).as(result.output()).isEqualTo(2);
        assertThat(result.errorOutput()).contains("aws.yaml:2: unknown key 'max-costs'");

        Files.writeString(directory.resolve("aws.yaml"), """
                region: eu-west-1
                instances: {gateway: c5.xlarge, backend: c5.large, load-generator: c5.large}
                max-cost: 20
                max-hours: 8
                """);
        result = Program.run(directory, "run", "--product=apim", "--environment=aws", "--aws=aws.yaml", "--estimate");
        assertThat(result.exitCode()).as(result.errorOutput()).isZero();
        assertThat(result.output())
                .containsPattern("USD per hour, \\d+\\.\\d\\d USD in all: an estimate from prices-")
                .containsPattern("is \\d+ days? old; AWS was not asked");
    }

    /** The figures of each test case must be there, and must agree with the number of users. */
    private void requireFigures(String results, int cells) throws IOException {
        JsonNode all =
                JSON.readTree(directory.resolve(results).resolve("result.json").toFile());
        assertThat(all.path("cells")).hasSize(cells);
        for (JsonNode cell : all.path("cells")) {
            JsonNode measured = cell.findPath("measurement").get(0);
            double throughput = measured.path("throughputPerSecond").asDouble();
            double mean = measured.path("all").path("meanMillis").asDouble();
            // An error in one run of many says here what it was.
            assertThat(measured.path("errors").asLong())
                    .as(cell.findPath("failures") + " " + cell.findPath("firstFailures"))
                    .isZero();
            assertThat(throughput).isPositive();
            // Little's law: two users that never wait are in the system all the time; answers at the ends of a window
            // of
            // 3 s have a part of their time outside of it, which is long on a busy machine.
            double outside = 2 * measured.path("all").path("maxMillis").asDouble() / 3000;
            assertThat(throughput * mean / 1000).isBetween(1.4 - outside, 2.1 + outside);
        }
        try (Stream<Path> files = Files.walk(directory.resolve(results))) {
            assertThat(files.filter(p -> p.endsWith("gateway/gc.log")))
                    .hasSize(cells)
                    .allSatisfy(log -> assertThat(Files.readString(log)).contains("Pause Full"));
        }
    }

    @Test
    void keepsWhatWasMeasuredWhenItIsInterruptedOrKilledAndGoesOn() throws Exception {
        List<ProcessHandle> children;
        try (Program program = Program.start(
                directory,
                EchoAsGateway.options(directory, "--users=2,3", "--duration=3s", "--warm-up=1s", "--results=r"))) {
            children = awaitSecondCell(program);
            program.interrupt();
            Program.Result result = program.await();

            assertThat(result.exitCode()).as(result.errorOutput()).isEqualTo(130);
            assertThat(children).hasSizeGreaterThanOrEqualTo(3);
            requireEnded(children);
            assertThat(result.output()).contains("| 64M | 2 |").doesNotContain("| 64M | 3 |");
            assertThat(directory.resolve("r/index.html")).exists();
        }
        Path first = directory.resolve("r/echo/64M_heap/2_users/1000B/0ms_sleep/result.json");
        String measured = Files.readString(first);
        try (Program program = Program.start(directory, "--resume=r")) {
            children = awaitSecondCell(program);
            program.kill();
            assertThat(children).hasSizeGreaterThanOrEqualTo(3);
            requireEnded(children);
        }
        requireRefusalOf(
                List.of("the plan is not that of the run in r", "users: was [2, 3], is [2]"),
                "--resume=r",
                "--users=2");
        Program.Result resumed = Program.run(directory, "--resume=r");

        assertThat(resumed.exitCode()).as(resumed.errorOutput()).isZero();
        assertThat(resumed.errorOutput()).contains("[1/2] ").contains(" kept: ");
        assertThat(resumed.output()).contains("| 64M | 2 |").contains("| 64M | 3 |");
        assertThat(Files.readString(first)).isEqualTo(measured);
        assertThat(directory.resolve("r/.work")).doesNotExist();
    }

    /** What is killed is gone soon, and not at once; a program that a shell had just started may outlive it by a moment. */
    private static void requireEnded(List<ProcessHandle> processes) {
        for (ProcessHandle process : processes) {
            assertThat(process.onExit()).as(process.info().toString()).succeedsWithin(Duration.ofMinutes(1));
        }
    }

    private static List<ProcessHandle> awaitSecondCell(Program program) throws InterruptedException {
        while (!program.errorOutput().contains("[2/2]") || roles(program) < 3) {
            assertThat(program.isAlive()).as(program.errorOutput()).isTrue();
            Thread.sleep(50);
        }
        return program.children();
    }

    @Test
    @Tag("full")
    void keepsOneGatewayForAllCellsAndStartsAnotherOneWhenItHasDied() throws Exception {
        try (Program program = Program.start(
                directory,
                EchoAsGateway.options(directory, "--users=2,3,4,5", "--duration=3s", "--warm-up=1s", "--results=r"))) {
            long kept = awaitGateway(program, "[2/4]");
            // Its death is the end of the test case that is being measured, and of no other.
            assertThat(awaitGateway(program, "[3/4]")).isEqualTo(kept);
            awaitLoad(program, "4_users");
            ProcessHandle.of(kept).orElseThrow().destroyForcibly();

            assertThat(program.await().exitCode()).as(program.errorOutput()).isEqualTo(3);
        }
        JsonNode cells =
                JSON.readTree(directory.resolve("r/result.json").toFile()).path("cells");
        assertThat(cells)
                .extracting(cell -> cell.path("outcome").asText())
                .containsExactly("completed", "completed", "failed", "completed");
        assertThat(cells.path(2).path("detail").asText()).contains(" ended while the load ran");
        assertThat(cells.path(1).path("facts").path("gateway.served.before").asText())
                .isEqualTo(cells.path(0).path("id").asText());
        assertThat(cells.path(1).path("facts").path("footprint.kind").asText()).contains("had served before: ");
        for (int fresh : new int[] {0, 3}) {
            assertThat(cells.path(fresh).path("facts").has("gateway.served.before"))
                    .isFalse();
        }
        for (int completed : new int[] {0, 1, 3}) {
            String gc = Files.readString(
                    directory.resolve("r/" + cells.path(completed).path("id").asText() + "/gateway/gc.log"));
            assertThat(gc.split("Pause Full \\(Diagnostic Command\\) \\d", -1)).hasSize(2);
            assertThat(gc).contains("Using ");
        }
    }

    /** The load generator is up before the gateway is looked at and probed; the load begins when it gets its request. */
    private void awaitLoad(Program program, String part) throws InterruptedException {
        while (true) {
            assertThat(program.isAlive()).as(program.errorOutput()).isTrue();
            try (Stream<Path> files = Files.walk(directory.resolve("r"))) {
                if (files.anyMatch(
                        file -> file.endsWith("request.json") && file.toString().contains(part))) {
                    return;
                }
            } catch (IOException | UncheckedIOException e) {
                // A file of the run went while it was listed.
            }
            Thread.sleep(50);
        }
    }

    private static long awaitGateway(Program program, String cell) throws InterruptedException {
        while (!program.errorOutput().contains(cell) || roles(program) < 3) {
            assertThat(program.isAlive()).as(program.errorOutput()).isTrue();
            Thread.sleep(50);
        }
        return program.children().stream()
                .filter(child -> child.info().commandLine().orElse("").contains(EchoAsGateway.JAR))
                .mapToLong(ProcessHandle::pid)
                .findFirst()
                .orElseThrow();
    }

    private void requireRefusalOf(List<String> lines, String... arguments) {
        Program.Result result = Program.run(directory, arguments);
        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.errorOutput()).contains(lines);
    }

    @Test
    void stopsAtTheFirstFailureWhenItIsAskedTo() throws IOException {
        Files.writeString(directory.resolve("broken.yaml"), """
                name: broken
                url: http://{gateway-address}:{gateway-port}
                start: [sh, -c, "exit 7"]
                scenarios:
                  - name: echo
                    url: /echo
                """);
        String[] failing = {"--product=http", "--gateway-config=broken.yaml", "--users=1,2", "--message-size=1024"};
        Program.Result all = Program.run(
                directory,
                Stream.concat(Stream.of("--results=all"), Stream.of(failing)).toArray(String[]::new));
        Program.Result one = Program.run(
                directory,
                Stream.concat(Stream.of("--results=one", "--stop-on-failure"), Stream.of(failing))
                        .toArray(String[]::new));

        assertThat(all.exitCode()).as(all.errorOutput()).isEqualTo(3);
        assertThat(all.errorOutput().lines().filter(line -> line.startsWith("failed: ")))
                .hasSize(2);
        assertThat(one.exitCode()).as(one.errorOutput()).isEqualTo(3);
        assertThat(one.errorOutput().lines().filter(line -> line.startsWith("failed: ")))
                .hasSize(1);
        assertThat(one.errorOutput()).contains("test case 1 failed, and the run was to stop then");
    }

    @Test
    void namesTheGatewayThatDiesAtItsFirstRequest() throws IOException {
        Path program = Files.writeString(directory.resolve("Dies.java"), """
                public class Dies {
                    public static void main(String[] arguments) throws Exception {
                        try (var server = new java.net.ServerSocket(
                                Integer.parseInt(arguments[1]), 50, java.net.InetAddress.getByName(arguments[0]))) {
                            while (server.accept().getInputStream().read() < 0) {
                                // Somebody looked whether the port is open.
                            }
                            Runtime.getRuntime().halt(9);
                        }
                    }
                }
                """);
        Files.writeString(directory.resolve("dies.yaml"), """
                name: dies
                url: http://{gateway-address}:{gateway-port}
                start: ["%s", "%s", "{gateway-address}", "{gateway-port}"]
                scenarios:
                  - name: echo
                    url: /echo
                """.formatted(
                        Path.of(System.getProperty("java.home"), "bin", "java"), program));

        Program.Result result = Program.run(
                directory, "--product=http", "--gateway-config=dies.yaml", "--users=1", "--message-size=50");

        assertThat(result.exitCode()).as(result.errorOutput()).isEqualTo(3);
        assertThat(result.errorOutput()).contains("dies ended while the gateway was probed (exit code 9)");
    }

    @Test
    @Tag("full")
    void startsAGatewayOnceMoreWhenAnotherProgramTookItsPort() throws IOException {
        String[] options =
                EchoAsGateway.options(directory, "--users=2", "--duration=3s", "--warm-up=1s", "--results=r");
        Path once = directory.resolve("once");
        Path gateway = directory.resolve("gateway.yaml");
        String fails = "test -e %1$s || if touch %1$s; then echo \"bind(): Address already in use\"; exit 1; fi;"
                .formatted(once);
        Files.writeString(
                gateway,
                Files.readString(gateway)
                        .replace(
                                "- \"{java}\"",
                                "- sh\n  - -c\n  - '" + fails + " exec \"$0\" \"$@\"'\n  - \"{java}\""));

        Program.Result result = Program.run(directory, options);

        assertThat(result.exitCode()).as(result.errorOutput()).isZero();
        assertThat(result.errorOutput())
                .contains("another program took a port while the gateway started; it is started once more");
    }

    /** The roles are JVMs; what collects host metrics beside them is a shell. */
    private static long roles(Program program) {
        return program.children().stream()
                .filter(child -> child.info().command().orElse("").endsWith("java"))
                .count();
    }

    @Test
    void refusesWhatCannotBeRunInOneLineAndStartsNothing() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            requireRefusal("unknown product 'apmi'; did you mean 'apim'?", "--product=apmi");
            requireRefusal(
                    "--users must be a whole number from 1 to 100000 but was 'many'", "--product=apim", "--users=many");
            // Whatever the kernel promises: with memory overcommitted a JVM would start with it.
            requireRefusal("a heap of 9000G is more than the ", "--product=apim", "--heap=9000G");
            requireRefusal("--heap must be at least 2M", "--product=apim", "--heap=1M");
            requireRefusal(
                    "--gateway-port " + taken.getLocalPort() + " is taken",
                    "--product=apim",
                    "--gateway-port=" + taken.getLocalPort());
            requireRefusal("the plan file none.yaml does not exist", "--plan=none.yaml");
        }
        assertThat(directory.resolve("r")).doesNotExist();
        assertThat(Files.list(directory)).noneMatch(file -> file.toString().contains("hs_err"));
    }

    @Test
    void neverOverwritesResults() throws IOException {
        Files.createDirectories(directory.resolve("r"));
        Files.writeString(directory.resolve("r/summary.md"), "mine");

        requireRefusal("r", "--product=apim");

        assertThat(Files.readString(directory.resolve("r/summary.md"))).isEqualTo("mine");
        assertThat(Files.list(directory.resolve("r"))).hasSize(1);
    }

    private void requireRefusal(String line, String... arguments) {
        String[] all =
                Stream.concat(Stream.of(arguments), Stream.of("--results=r")).toArray(String[]::new);
        Program.Result result = Program.run(directory, all);
        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.output()).isEmpty();
        assertThat(result.errorOutput().lines()).hasSize(1).first().asString().contains(line);
    }

    private Program.Result run(String... arguments) {
        return Program.run(
                directory, Stream.concat(Stream.of(arguments), Stream.of(SHORT)).toArray(String[]::new));
    }
}
