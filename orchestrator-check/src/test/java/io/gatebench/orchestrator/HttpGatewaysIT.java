/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.gatebench.model.HostMetric;

/** Measures real gateways by the examples of the documentation. */
class HttpGatewaysIT {

    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private Path directory;

    @BeforeEach
    void copyTheExamples() throws IOException {
        Path examples = Path.of("../docs/examples/http");
        try (Stream<Path> files = Files.walk(examples)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path copy = directory.resolve(examples.relativize(file));
                Files.createDirectories(copy.getParent());
                Files.copy(file, copy);
            }
        }
    }

    @Test
    void measuresNginx() throws IOException {
        assumeThat(Path.of("/usr/sbin/nginx"))
                .as("nginx is not there; install nginx-light")
                .exists();

        CpuOfProcesses truth = new CpuOfProcesses("nginx");
        Program.Result result;
        try (truth) {
            // Windows of four seconds had a single snapshot of the host at times, beside other tests.
            result = runFor(12, "nginx");
        }

        assertThat(result.exitCode()).as(result.errorOutput()).isZero();
        double seconds = 0;
        for (JsonNode cell : cells()) {
            JsonNode metrics = gateway(cell).path("hostMetrics");
            // A master and its workers, which do all the work.
            assertThat(metrics.path(HostMetric.PROCESSES.header()).asDouble())
                    .as("%s, window %s, %s", metrics, cell.path("load").path("window"), result.errorOutput())
                    .isGreaterThanOrEqualTo(2);
            seconds += metrics.path("Task clock").asDouble() / 1000;
        }
        // The window is five sixths of the load.
        assertThat(seconds).isBetween(0.2 * truth.seconds(), truth.seconds());
        assertThat(result.errorOutput()).contains("not a JVM");
        requireFigures(2);
        requireNoGcFiguresOfTheGateway();
    }

    @Test
    @Tag("full")
    void saysHowMuchOfTheWindowTheCpuLimitOfTheGatewayTook() throws IOException {
        assumeThat(Path.of("/usr/sbin/nginx"))
                .as("nginx is not there; install nginx-light")
                .exists();
        Path group = Path.of(
                "/sys/fs/cgroup/cpu/gatebench-test-" + ProcessHandle.current().pid());
        try {
            assumeThat(limited(group, "5000"))
                    .as("a control group of version 1 can be made here, which takes root")
                    .isTrue();
            Path file = directory.resolve("nginx/gateway.yaml");
            Files.writeString(
                    file,
                    Files.readString(file)
                            .replace(
                                    "start: [",
                                    "start: [sh, -c, \"echo $$ >" + group
                                            + "/cgroup.procs && exec \\\"$@\\\"\", sh, "));

            Program.Result result = run("nginx");

            assertThat(result.exitCode()).as(result.errorOutput()).isZero();
            Map<String, Long> truth = new HashMap<>();
            for (String line : Files.readAllLines(group.resolve("cpu.stat"))) {
                truth.put(line.split(" ")[0], Long.parseLong(line.split(" ")[1]));
            }
            double throttledMillis = 0;
            for (JsonNode cell : cells()) {
                JsonNode metrics = gateway(cell).path("hostMetrics");
                assertThat(metrics.path(HostMetric.CPU_LIMIT.header()).asDouble())
                        .as(metrics.toString())
                        .isEqualTo(0.05);
                assertThat(metrics.path(HostMetric.THROTTLED_TIME.header()).asDouble())
                        .isGreaterThan(1);
                throttledMillis +=
                        metrics.path(HostMetric.THROTTLED_MILLIS.header()).asDouble();
            }
            // The windows are a part of the life of the group, in which nginx did nothing else but this.
            assertThat(throttledMillis).isPositive().isLessThan(truth.get("throttled_time") / 1e6);
            assertThat(Files.readString(directory.resolve("r/summary.md")))
                    .containsPattern("a CPU limit of 0\\.05 processors held nginx back in [0-9.]+ % of the window");
        } finally {
            Files.deleteIfExists(group);
        }
    }

    private static boolean limited(Path group, String microsecondsOfTenth) {
        try {
            Files.createDirectories(group);
            Files.writeString(group.resolve("cpu.cfs_quota_us"), microsecondsOfTenth);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    @Tag("full")
    void measuresHaProxyWithTlsAndTokens() throws IOException {
        assumeThat(Path.of("/usr/sbin/haproxy"))
                .as("haproxy is not there; install haproxy")
                .exists();
        assumeThat(Path.of("/usr/bin/openssl"))
                .as("openssl is not there; install openssl")
                .exists();

        // Its versions without the fix of haproxy/haproxy#2643 break a connection of another user for each token with a
        // wrong signature, so also for each such probe during the load.
        Program.Result result = run("haproxy", "--probe-every=0");

        assertThat(result.exitCode()).as(result.errorOutput()).isZero();
        requireFigures(2);
        requireNoGcFiguresOfTheGateway();
        JsonNode probes = cells().get(0).findPath("probes");
        assertThat(probes)
                .hasSize(5)
                .allSatisfy(p -> assertThat(p.path("passed").asBoolean())
                        .as(p.toString())
                        .isTrue());
        try (Stream<Path> files = Files.walk(directory.resolve("r"))) {
            assertThat(files)
                    .noneMatch(
                            p -> p.toString().endsWith(".pem") || p.toString().endsWith("jwt.csv"));
        }
    }

    @Test
    @Tag("full")
    void measuresAJavaGatewayWithItsGcLog() throws IOException {
        Files.copy(
                Path.of("../reference-gateway/target/reference-gateway.jar"),
                directory.resolve("java/reference-gateway.jar"));

        Program.Result result = run("java", "--heap=256M");

        assertThat(result.exitCode()).as(result.errorOutput()).isZero();
        requireFigures(1);
        JsonNode gateway = gateway(cells().get(0));
        assertThat(gateway.path("gc").isObject()).as(gateway.toString()).isTrue();
        try (Stream<Path> files = Files.walk(directory.resolve("r"))) {
            assertThat(files.filter(p -> p.endsWith("gateway/gc.log")))
                    .singleElement()
                    .satisfies(log -> assertThat(Files.readString(log)).contains("Pause Full"));
        }
    }

    @Test
    void namesTheReasonWhenAGatewayDoesNotStart() throws IOException {
        Path file = directory.resolve("gateway.yaml");
        Files.writeString(file, """
                name: broken
                url: http://127.0.0.1:{gateway-port}
                start: [sh, -c, "echo no licence found; exit 7"]
                scenarios:
                  - {name: echo, url: /echo}
                """);

        Program.Result result = run(".");

        assertThat(result.exitCode()).isEqualTo(3);
        assertThat(result.errorOutput())
                .contains("broken ended before it was ready (exit code 7)")
                .contains("no licence found");
    }

    /** What the kernel's own files say of all processes of a name that ended since; read by the test alone. */
    private static final class CpuOfProcesses implements AutoCloseable {
        private static final double TICKS_PER_SECOND = 100;

        private final String name;
        private final Map<String, Long> ticks = new ConcurrentHashMap<>();
        private final Set<String> earlier;
        private final ScheduledExecutorService reader = Executors.newSingleThreadScheduledExecutor();

        CpuOfProcesses(String name) {
            this.name = name;
            read();
            earlier = Set.copyOf(ticks.keySet());
            ticks.clear();
            reader.scheduleWithFixedDelay(this::read, 0, 50, TimeUnit.MILLISECONDS);
        }

        private void read() {
            ProcessHandle.allProcesses().forEach(process -> {
                try {
                    String line = Files.readString(Path.of("/proc/" + process.pid() + "/stat"));
                    if (line.contains("(" + name + ")")) {
                        String[] fields =
                                line.substring(line.lastIndexOf(')') + 2).split(" ");
                        ticks.put(
                                process.pid() + "@" + fields[19],
                                Long.parseLong(fields[11]) + Long.parseLong(fields[12]));
                    }
                } catch (IOException e) {
                    // It has ended; what was read of it before counts.
                    return;
                }
            });
        }

        double seconds() {
            return ticks.entrySet().stream()
                            .filter(entry -> !earlier.contains(entry.getKey()))
                            .mapToLong(Map.Entry::getValue)
                            .sum()
                    / TICKS_PER_SECOND;
        }

        @Override
        public void close() {
            reader.shutdownNow();
        }
    }

    private void requireFigures(int count) throws IOException {
        JsonNode all = cells();
        assertThat(all).hasSize(count);
        for (JsonNode cell : all) {
            JsonNode measured = cell.findPath("measurement").get(0);
            double throughput = measured.path("throughputPerSecond").asDouble();
            double mean = measured.path("all").path("meanMillis").asDouble();
            assertThat(measured.path("errors").asLong()).isZero();
            assertThat(throughput).isGreaterThan(10);
            // Little's law: no more than the two users are in the system; answers at the ends of a window of 4 s have a
            // part of their time outside of it, which is long on a busy machine.
            double outside = 2 * measured.path("all").path("maxMillis").asDouble() / 4000;
            assertThat(throughput * mean / 1000).isLessThan(2.1 + outside);
        }
    }

    private void requireNoGcFiguresOfTheGateway() throws IOException {
        for (JsonNode cell : cells()) {
            JsonNode gateway = gateway(cell);
            assertThat(gateway.path("gc").isObject()).isFalse();
            assertThat(gateway.path("notes").toString()).contains("not a JVM");
            assertThat(cell.toString()).contains("no full GC was asked for: not a JVM");
        }
    }

    private JsonNode cells() throws IOException {
        JsonNode all = JSON.readTree(directory.resolve("r/result.json").toFile());
        return all.path("cells");
    }

    private static JsonNode gateway(JsonNode cell) {
        for (JsonNode process : cell.findPath("processes")) {
            if (process.path("role").asText().equalsIgnoreCase("gateway")) {
                return process;
            }
        }
        throw new AssertionError("no process of the gateway in " + cell);
    }

    private Program.Result run(String example, String... more) {
        return runFor(6, example, more);
    }

    private Program.Result runFor(int seconds, String example, String... more) {
        return Program.run(
                directory,
                Stream.concat(
                                Stream.of(
                                        "--product=http",
                                        "--gateway-config=" + example + "/gateway.yaml",
                                        "--users=2",
                                        "--duration=" + seconds + "s",
                                        "--warm-up=2s",
                                        "--ramp-up=1s",
                                        "--results=r"),
                                Stream.of(more))
                        .toArray(String[]::new));
    }
}
