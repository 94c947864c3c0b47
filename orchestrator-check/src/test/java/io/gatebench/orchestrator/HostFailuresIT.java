/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/**
 * Breaks what {@link HostsIT} leaves whole. The short cases are part of every build; much of the others is waiting: they
 * run with {@code -Pfull}, and with {@code -Dgolden.update} write the table of all failures.
 */
class HostFailuresIT {

    private static HostsFixture hosts;
    private static Lab lab;

    @BeforeAll
    static void startTheHosts(TestInfo test) {
        boolean jmeter = test.getTestClass().equals(Optional.of(HostFailuresOfJMeterIT.class));
        hosts = HostsFixture.start(jmeter ? "jmeter" : "processes");
        lab = hosts.lab();
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

    /** Breaks something. */
    private interface Failure {
        void happen(LabProgram program) throws Exception;
    }

    /** Lets a test case that a failure ends last until that has happened, however long it takes to make it happen. */
    private static final String UNTIL_IT_BREAKS = "--duration=60s";

    /** Runs one test case, breaks something when two seconds of its load are over, and looks how the program ends. */
    private static void failing(
            String what, String results, String hostsFile, Failure failure, int exitCode, String words)
            throws Exception {
        String duration = exitCode == 0 ? HostsFixture.DURATION : UNTIL_IT_BREAKS;
        try (LabProgram program = hosts.run(results, hostsFile, "3", duration)) {
            hosts.awaitLoad(program, 2);
            Instant at = Instant.now();
            failure.happen(program);
            int code = program.await();
            hosts.row(what, results, program, words, code, Optional.of(at));
            assertThat(code).as(program.errorOutput()).isEqualTo(exitCode);
        }
    }

    private static JsonNode onlyCell(String results) throws IOException {
        assertThat(hosts.cells(results)).hasSize(1);
        return hosts.cells(results).get(0);
    }

    // ---- roles ---------------------------------------------------------------------------------------------------

    @Test
    @Tag("full")
    void theBackEndIsKilled() throws Exception {
        try (LabProgram program = hosts.runOfIntegrator("backend", "hosts.yaml", "3", UNTIL_IT_BREAKS)) {
            hosts.awaitLoad(program, 2);
            Instant killed = Instant.now();
            hosts.kill("backend", "backend");
            int code = program.await();
            hosts.row(
                    "the back end killed during a test case",
                    "backend",
                    program,
                    "failed: .*",
                    code,
                    Optional.of(killed));
            assertThat(code).as(program.errorOutput()).isEqualTo(3);
        }
        assertThat(onlyCell("backend").path("detail").asText())
                .startsWith("Netty Service ended while the load ran (exit code 137)");
    }

    @Test
    @Tag("full")
    void aLoadGeneratorDoesNotReachTheGateway() throws Exception {
        lab.must("root", "jmeter2", "ip", "route", "add", "blackhole", lab.address("product"));
        Instant began = Instant.now();
        try (LabProgram program = hosts.run("unreached", "hosts.yaml", "2")) {
            int code = program.await();
            hosts.row(
                    "one load generator does not reach the gateway",
                    "unreached",
                    program,
                    "no request came through all hosts .*",
                    code,
                    Optional.of(began));
            assertThat(code).as(program.errorOutput()).isEqualTo(5);
            assertThat(program.errorOutput())
                    .contains("no request came through all hosts before the run: none from jmeter2: ");
        } finally {
            lab.must("root", "jmeter2", "ip", "route", "del", "blackhole", lab.address("product"));
        }
    }

    // ---- the network ---------------------------------------------------------------------------------------------

    @Test
    @Tag("full")
    void aHostIsCutOffForAWhile() throws Exception {
        hosts.writeHosts("patient.yaml", 60, "45s");
        try {
            failing(
                    "a load generator's host cut off, healed after 20 s",
                    "healed",
                    "patient.yaml",
                    program -> {
                        lab.must("cut", "jmeter2");
                        Thread.sleep(Duration.ofSeconds(20).toMillis());
                        lab.must("heal", "jmeter2");
                    },
                    0,
                    "note: jmeter2 is reached again; .*");
        } finally {
            lab.must("heal", "jmeter2");
        }
        assertThat(onlyCell("healed").path("outcome").asText()).isEqualTo("completed");
    }

    @Test
    @Tag("full")
    void aHostIsCutOffForGood() throws Exception {
        hosts.writeHosts("impatient.yaml", HostsFixture.LEASE, "8s");
        try {
            failing(
                    "a load generator's host cut off, not healed",
                    "cut",
                    "impatient.yaml",
                    program -> lab.must("cut", "jmeter2"),
                    3,
                    "failed: .*");
        } finally {
            lab.must("heal", "jmeter2");
        }
        assertThat(onlyCell("cut").path("detail").asText())
                .matches("jmeter2 has been silent for \\d+ s; what runs there stops by itself " + HostsFixture.LEASE
                        + " s after the last sign of life");
        assertThat(HostsFixture.samples(hosts.loads("cut", "load-1").get(0))).isPositive();
    }

    @Test
    @Tag("full")
    void theWayToTheHostsIsSlowAndLossy() throws Exception {
        for (String host : List.of("jmeter1", "jmeter2")) {
            putProgram(host);
        }
        String by = lab.must("slow", "client", "50", "1").trim();
        Instant began = Instant.now();
        try (LabProgram program = hosts.run("slow", "hosts.yaml", "3")) {
            int code = program.await(Duration.ofMinutes(10));
            hosts.row(
                    "50 ms more each way and 1 % loss between the program and the hosts ("
                            + (by.equals("netem") ? "netem" : "by a stand-in for the kernel's netem") + ")",
                    "slow",
                    program,
                    "",
                    code,
                    Optional.of(began));
            assertThat(code).as(program.errorOutput()).isZero();
        } finally {
            lab.must("fast", "client");
        }
    }

    /**
     * Puts the program where an earlier run leaves it: what loses each hundredth packet carries 0.2 MB in a second, and
     * would take the 160 MB for a quarter of an hour. The jar of the back end goes this way.
     */
    private static void putProgram(String host) {
        Lab.Ended put = lab.login(
                host,
                "jar=" + Lab.jar() + "; sum=$(sha256sum $jar | cut -d ' ' -f 1); mkdir -p .gatebench/cache"
                        + " && { [ -e .gatebench/cache/$sum ] || cp $jar .gatebench/cache/$sum; }");
        assertThat(put.exitCode()).as(put.errorOutput()).isZero();
    }

    @Test
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
        String text = Files.readString(hosts.file("hosts.yaml"));
        lab.write("client", "wrong.yaml", text.replaceFirst("known-hosts: .*", "known-hosts: wrong_known_hosts"));
        Instant began = Instant.now();
        try (LabProgram program = hosts.run("wrong", "wrong.yaml", "2")) {
            int code = program.await();
            hosts.row(
                    "the host key of the gateway's host is not the known one",
                    "wrong",
                    program,
                    "the host key of product has CHANGED.*",
                    code,
                    Optional.of(began));
            assertThat(code).isEqualTo(5);
        }
        assertThat(hosts.file("wrong")).doesNotExist();
    }

    // ---- disks ---------------------------------------------------------------------------------------------------

    @Test
    @Tag("full")
    void theDiskOfAHostIsFull() throws Exception {
        lab.must("disk", "jmeter1", "/run/perf/small", "800m");
        hosts.writeHosts(
                "small.yaml",
                "jmeter1",
                "{address: " + lab.address("jmeter1") + ", work-directory: /run/perf/small/work}");
        try {
            failing(
                    "the disk of a load generator's host full",
                    "full",
                    "small.yaml",
                    program -> lab.root("jmeter1", "cat /dev/zero >/run/perf/small/filler"),
                    3,
                    "failed: .*");
        } finally {
            lab.root("jmeter1", "rm -f /run/perf/small/filler");
        }
        assertThat(onlyCell("full").path("detail").asText())
                .contains("the disk of jmeter1 is full at /run/perf/small/work");
    }

    @Test
    @Tag("full")
    void theDiskOfTheProgramIsFull() throws Exception {
        lab.must("disk", "client", "/run/perf/disk", "500m");
        try (LabProgram program = hosts.run("disk/results", "hosts.yaml", "2,3")) {
            hosts.awaitLoadOf(3, program, 2);
            lab.root("client", "cat /dev/zero >/run/perf/disk/filler");
            Instant full = Instant.now();
            int code = program.await();
            // What lies on a disk of the host's own is not seen from here.
            lab.root("client", "rm -f /run/perf/disk/filler; cp -r /run/perf/disk/results /run/perf/kept");
            hosts.row("the disk of the orchestrator full", "kept", program, "cannot write .*", code, Optional.of(full));
            assertThat(code).as(program.errorOutput()).isEqualTo(5);
            assertThat(program.errorOutput())
                    .contains("No space left on device")
                    .contains("go on with --resume");
        }
        Instant resumed = Instant.now();
        try (LabProgram program = hosts.resume("disk/results")) {
            int code = program.await();
            lab.root("client", "rm -rf /run/perf/kept; cp -r /run/perf/disk/results /run/perf/kept");
            hosts.row(
                    "the disk of the orchestrator full, then space made and `--resume`",
                    "kept",
                    program,
                    "\\[1/2].*kept.*",
                    code,
                    Optional.of(resumed));
            assertThat(code).as(program.errorOutput()).isZero();
        }
        assertThat(hosts.cells("kept"))
                .hasSize(2)
                .allMatch(cell -> cell.path("outcome").asText().equals("completed"));
    }

    // ---- tokens --------------------------------------------------------------------------------------------------

    /** Returns a gateway's description whose tokens are in {@code tokens.csv}. */
    private static String withTokens(String more) throws IOException {
        return Files.readString(hosts.file("gateway.yaml"))
                .replace("scenarios:", "tokens: {file: tokens.csv" + more + "}\nscenarios:")
                .replace("url: /,", "url: /, token: file, probes: [],");
    }

    private static void writeTokens(Duration life) {
        Instant end = Instant.now().plus(life).truncatedTo(ChronoUnit.SECONDS);
        lab.write("client", "tokens.csv", "first," + end + "\nsecond," + end + "\n");
    }

    @Test
    void tokensEndBeforeTheRun() throws Exception {
        writeTokens(Duration.ofSeconds(30));
        lab.write("client", "short.yaml", withTokens(""));
        Instant began = Instant.now();
        try (LabProgram program =
                hosts.run("short", "hosts.yaml", "2,3", "--gateway-config=short.yaml", "--duration=60s")) {
            int code = program.await();
            assertThat(code).as(program.errorOutput()).isEqualTo(2);
            assertThat(program.errorOutput())
                    .containsPattern("a token expires at 20\\S+Z but the tests are planned to end at 20\\S+Z;"
                            + " make tokens that live longer");
            hosts.row(
                    "a token's life ends before the planned end",
                    "short",
                    program,
                    "a token expires at .*",
                    code,
                    Optional.of(began));
        }
        assertThat(hosts.file("short")).doesNotExist();
    }

    /** As those may that a gateway issues: when they were asked for, the hosts are held already. */
    @Test
    @Tag("full")
    void tokensThatComeLaterEndBeforeTheRun() throws Exception {
        writeTokens(Duration.ofDays(1));
        // The tokens that are made take some seconds, in which the file can be replaced.
        lab.write("client", "late.yaml", withTokens(", jwt: {count: 8000}"));
        Instant began = Instant.now();
        try (LabProgram program = hosts.run("late", "hosts.yaml", "2", "--gateway-config=late.yaml")) {
            HostsFixture.await(
                    Duration.ofMinutes(1),
                    () -> Files.exists(lab.home("product").resolve(".gatebench/lock/run")));
            writeTokens(Duration.ofSeconds(5));
            int code = program.await();
            assertThat(code).as(program.errorOutput()).isEqualTo(5);
            assertThat(program.errorOutput())
                    .containsPattern("the check of all hosts before the run failed: a token expires at 20\\S+Z but the"
                            + " tests are planned to end at 20\\S+Z; make tokens that live longer");
            hosts.row(
                    "a token that came when the hosts were held ends before the planned end",
                    "late",
                    program,
                    "the check of all hosts .*",
                    code,
                    Optional.of(began));
        }
        assertThat(hosts.cells("late")).isEmpty();
    }

    // ---- the program ---------------------------------------------------------------------------------------------

    @Test
    @Tag("full")
    void theProgramIsAskedToEnd() throws Exception {
        failing("SIGTERM", "terminated", "hosts.yaml", program -> program.signal("TERM"), 130, "failed: .*");
        assertThat(hosts.file("terminated/index.html")).exists();
        assertThat(onlyCell("terminated").path("reason").asText()).isEqualTo("INTERRUPTED");
    }

    @Test
    @Tag("full")
    void hostsAreCleanedWhileARunHoldsThem() throws Exception {
        // Neither lease nor load nor run ends before the cleaning does: what has gone then was stopped by it.
        hosts.writeHosts("held.yaml", 300, "30s");
        try (LabProgram program = hosts.run("cleaned", "held.yaml", "3", "--duration=60s")) {
            hosts.awaitLoad(program, 1);
            try (LabProgram clean = lab.program("hosts", "clean", "--hosts=held.yaml")) {
                assertThat(clean.await()).as(clean.errorOutput()).isEqualTo(5);
                assertThat(clean.errorOutput().lines())
                        .hasSize(4)
                        .allMatch(line -> line.matches("\\w+ is in use: perf@client, .*; it was left as it is"));
                assertThat(program.await()).as(program.errorOutput()).isZero();
                hosts.row(
                        "`hosts clean` while a run holds the hosts",
                        "cleaned",
                        clean,
                        "jmeter1 is in use: .*",
                        clean.await(),
                        Optional.empty());
            }
        }
        try (LabProgram program = hosts.run("forced", "held.yaml", "3", "--duration=300s")) {
            hosts.awaitLoad(program, 1);
            Instant forced = Instant.now();
            // Killed first: it is the state in which somebody is in need of this.
            program.signal("KILL");
            program.await();
            try (LabProgram clean = lab.program("hosts", "clean", "--force", "--hosts=held.yaml")) {
                int code = clean.await();
                hosts.row(
                        "the orchestrator killed, then `hosts clean --force` at once",
                        "forced",
                        clean,
                        "jmeter2: removed .*",
                        code,
                        Optional.of(forced));
                assertThat(code).as(clean.errorOutput()).isZero();
                assertThat(clean.output().lines())
                        .hasSize(4)
                        .allMatch(line -> line.matches(
                                "\\w+: removed /run/perf/.gatebench \\(\\d+ KiB\\) and stopped [1-9]\\d* processes"));
            }
        }
        assertThat(lab.ours()).as("without waiting for a lease").isEmpty();
        for (String host : HostsFixture.HOSTS) {
            assertThat(lab.home(host).resolve(".gatebench")).doesNotExist();
        }
    }
}
