/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Assumptions;

/**
 * Runs of the packaged program over the hosts of the {@link Lab}: a gateway, a back end, two load generators, and the
 * program on the fifth.
 */
final class HostsFixture implements AutoCloseable {

    /** Seconds after which hosts stop what runs there if they do not hear from the program. */
    static final int LEASE = 12;

    /** How long test cases last unless said. */
    static final String DURATION = "--duration=4s";

    static final List<String> HOSTS = List.of("jmeter1", "jmeter2", "backend", "product");

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final Lab lab;
    private final String distribution;
    /** What the case that runs has shown; it goes into the table when nothing of it is left on any host. */
    private final Map<String, List<String>> rows = new LinkedHashMap<>();

    private HostsFixture(Lab lab, String distribution) {
        this.lab = lab;
        this.distribution = distribution;
    }

    /** Makes the hosts, and a {@code hosts.yaml} of them; the test is skipped where that is not possible. */
    static HostsFixture start() {
        return start("processes");
    }

    /** Does the same with load generators that come to their shares in that way. */
    static HostsFixture start(String distribution) {
        String hindrance = Lab.hindrance();
        Assumptions.assumeTrue(hindrance.isEmpty(), "no lab of hosts can be made on this machine: " + hindrance);
        HostsFixture hosts = new HostsFixture(Lab.start(), distribution);
        hosts.writeHosts("hosts.yaml", LEASE, "30s");
        hosts.writeGateway();
        return hosts;
    }

    /**
     * The echo server stands in for a gateway: what is tried here are hosts, and it has come up in a second, as no gateway
     * has. It waits before each of its answers, which leaves the processors to other tests.
     */
    private void writeGateway() {
        lab.write("client", "gateway.yaml", """
                name: Echo
                url: http://{gateway-address}:{gateway-port}
                start:
                  - "{java}"
                  - -Xms{heap}
                  - -Xmx{heap}
                  - "{gc-options}"
                  - -jar
                  - %s
                  - --host={gateway-address}
                  - --port={gateway-port}
                  - --delay=5ms
                gc-log: gc.log
                scenarios:
                  - {name: echo, url: /, check: {same-length: true}}
                """.formatted(Path.of("../echo-backend/target/echo-backend.jar")
                .toAbsolutePath()
                .normalize()));
    }

    Lab lab() {
        return lab;
    }

    @Override
    public void close() {
        lab.close();
    }

    /** Returns a file on the program's host. */
    Path file(String name) {
        return lab.home("client").resolve(name);
    }

    void writeHosts(String file, int lease, String patience) {
        writeHosts(file, lease, patience, distribution);
    }

    void writeHosts(String file, int lease, String patience, String ofLoad) {
        StringBuilder text = new StringBuilder();
        text.append("distribution: ").append(ofLoad).append('\n');
        text.append("defaults: {user: perf, key: ").append(lab.directory()).append("/key}\n");
        text.append("known-hosts: ").append(lab.directory()).append("/known_hosts\n");
        text.append("lease: ").append(lease).append("s\npatience: ").append(patience);
        text.append("\nhosts:\n");
        for (String host : HOSTS) {
            text.append("  ")
                    .append(host)
                    .append(": ")
                    .append(lab.address(host))
                    .append('\n');
        }
        text.append("roles: {gateway: product, backend: backend, load-generator: [jmeter1, jmeter2]}\n");
        lab.write("client", file, text.toString());
    }

    /** Writes a hosts file in which one host has another line. */
    void writeHosts(String file, String host, String line) throws IOException {
        String text = Files.readString(file("hosts.yaml"));
        String usual = "  " + host + ": " + lab.address(host) + "\n";
        assertThat(text).contains(usual);
        lab.write("client", file, text.replace(usual, "  " + host + ": " + line + "\n"));
    }

    /**
     * Starts a run of short test cases, one for each number of users; options that are given take the place of usual
     * ones.
     */
    LabProgram run(String results, String hosts, String users, String... more) {
        List<String> arguments = new ArrayList<>(
                List.of("--product=http", "--gateway-config=gateway.yaml", "--heap=64M", "--users=" + users));
        replace(arguments, List.of(more));
        return start(results, hosts, arguments);
    }

    private static void replace(List<String> usual, List<String> given) {
        for (String argument : given) {
            String option = argument.replaceFirst("=.*", "=");
            usual.removeIf(other -> other.startsWith(option));
            usual.add(argument);
        }
    }

    /** Starts a run of a built-in gateway that really asks the back end. */
    LabProgram runOfIntegrator(String results, String hosts, String users, String... more) {
        List<String> arguments =
                new ArrayList<>(List.of("--product=mi", "--scenario=DirectProxy", "--heap=256M", "--users=" + users));
        replace(arguments, List.of(more));
        return start(results, hosts, arguments);
    }

    private LabProgram start(String results, String hosts, List<String> more) {
        List<String> arguments = new ArrayList<>(List.of(
                "run",
                "--environment=hosts",
                "--hosts=" + hosts,
                "--results=" + results,
                "--message-size=500",
                // Small enough to be collected in a few seconds.
                "--load-generator-heap=96M",
                "--backend-heap=64M",
                DURATION,
                "--warm-up=1s",
                "--ramp-up=500ms"));
        replace(arguments, more);
        return lab.program(arguments.toArray(String[]::new));
    }

    LabProgram resume(String results, String... more) {
        List<String> arguments = new ArrayList<>(List.of("run", "--resume=" + results, "--hosts=hosts.yaml"));
        arguments.addAll(List.of(more));
        return lab.program(arguments.toArray(String[]::new));
    }

    // ---- what happens in a run -----------------------------------------------------------------------------------

    /** Waits until the load generators of a test case have told of so many seconds. */
    void awaitLoad(LabProgram program, int seconds) throws InterruptedException {
        await(PATIENCE, () -> !program.isAlive() || loadRuns("/", seconds));
        assertThat(program.isAlive()).as(program.errorOutput()).isTrue();
    }

    /** Waits for the load of the test case with that many users. */
    void awaitLoadOf(int users, LabProgram program, int seconds) throws InterruptedException {
        await(PATIENCE, () -> !program.isAlive() || loadRuns("/" + users + "_users/", seconds));
        assertThat(program.isAlive()).as(program.errorOutput()).isTrue();
    }

    private boolean loadRuns(String cell, int seconds) {
        return newest("jmeter2", "load-2/out.log")
                .filter(log -> log.toString().contains(cell) && told(log, seconds))
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

    /** Ends a role of the test case that runs by force. */
    void kill(String host, String role) throws IOException {
        Path pid = newest(host, role + "/.pid").orElseThrow();
        lab.must("root", host, "kill", "-KILL", Files.readString(pid).trim());
    }

    private Optional<Path> newest(String host, String end) {
        return lab.filesOfRun(host, end).stream()
                .filter(file -> file.toString().contains("/cases/"))
                .max(Comparator.comparingLong(file -> file.toFile().lastModified()));
    }

    /** Waits for a thing that other processes do; whoever calls looks what has come of it. */
    static void await(Duration limit, BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        while (!condition.getAsBoolean() && System.nanoTime() < deadline) {
            Thread.sleep(100);
        }
    }

    /** Requires that nothing of ours is left, when the lease is over at the latest. */
    void requireNothingLeft() throws InterruptedException {
        await(Duration.ofSeconds(3L * LEASE), () -> lab.ours().isEmpty());
        assertThat(lab.ours()).as("processes of ours on the hosts").isEmpty();
    }

    /** Ends a case: requires that nothing of ours is left, and only then adds its rows to the table. */
    void endCase() throws IOException, InterruptedException {
        Map<String, List<String>> seen = new LinkedHashMap<>(rows);
        rows.clear();
        requireNothingLeft();
        if (!distribution.equals("processes")) {
            // The table is of the default.
            return;
        }
        for (Map.Entry<String, List<String>> row : seen.entrySet()) {
            FailureTable.HOSTS.row(row.getKey(), row.getValue());
        }
    }

    // ---- what a run leaves ---------------------------------------------------------------------------------------

    List<Path> cellFiles(String results) throws IOException {
        Path root = file(results);
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

    List<JsonNode> cells(String results) throws IOException {
        List<JsonNode> cells = new ArrayList<>();
        for (Path file : cellFiles(results)) {
            cells.add(read(file));
        }
        return cells;
    }

    /** Returns the results of a part of the load, such as {@code load-1}, in the order of the test cases. */
    List<JsonNode> loads(String results, String part) throws IOException {
        List<JsonNode> loads = new ArrayList<>();
        for (Path cell : cellFiles(results)) {
            Path load = cell.resolveSibling(part).resolve("load.json");
            if (Files.exists(load)) {
                loads.add(read(load));
            }
        }
        return loads;
    }

    private static JsonNode read(Path file) throws IOException {
        return JSON.readTree(file.toFile());
    }

    static long samples(JsonNode load) {
        return Stream.of("warmUp", "measurement")
                .flatMap(phase -> StreamSupport.stream(load.path(phase).spliterator(), false))
                .mapToLong(label -> label.path("samples").asLong())
                .sum();
    }

    // ---- the table -----------------------------------------------------------------------------------------------

    /**
     * Notes a row for the {@link FailureTable}: from what is on the disk and what was printed, not from what was expected.
     *
     * @param words an expression for what must have been said; empty if nobody was left to say a thing
     * @param since when it broke, if that was in mid-run
     */
    void row(String what, String results, LabProgram program, String words, int code, Optional<Instant> since)
            throws IOException {
        String said = program.errorOutput() + program.output();
        Matcher matcher = Pattern.compile(words).matcher(said);
        String line = "";
        if (!words.isEmpty()) {
            assertThat(matcher.find()).as("'%s' in:%n%s", words, said).isTrue();
            line = "`" + matcher.group().replace("|", "\\|").strip() + "`";
        }
        rows.put(
                what,
                List.of(
                        kept(results),
                        line.isEmpty() ? "(nothing)" : line,
                        String.valueOf(code),
                        since.map(at -> Duration.between(at, Instant.now()).toSeconds() + " s")
                                .orElse("")));
    }

    private String kept(String results) throws IOException {
        List<String> parts = new ArrayList<>();
        for (Path file : cellFiles(results)) {
            JsonNode cell = read(file);
            String reason = cell.path("reason").asText();
            parts.add(file.toString().replaceAll(".*/(\\d+)_users/.*", "$1 users: ")
                    + cell.path("outcome").asText() + (reason.isEmpty() ? "" : " (" + reason + ")") + ", "
                    + String.format(Locale.ROOT, "%,d", samples(cell.path("load"))) + " samples");
        }
        if (parts.isEmpty()) {
            return Files.isDirectory(file(results))
                    ? "no test case was finished yet"
                    : "nothing was begun, no results directory was made";
        }
        return String.join("; ", parts);
    }
}
