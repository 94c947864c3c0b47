/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.gatebench.hosts.SshHost;
import io.gatebench.hosts.SshSettings;
import io.gatebench.hosts.SshTarget;

/**
 * How hosts are reached, and what is found on them before anything is started: against OpenSSH, on hosts of the lab.
 *
 * <p>One case is part of every build, the others run with {@code -Pfull}.
 */
class HostPreflightIT {

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

    @BeforeEach
    void forgetWhoCameIn() throws IOException {
        for (String host : Lab.HOSTS) {
            Files.writeString(log(host), "");
        }
    }

    private static Path log(String host) {
        return hosts.lab().directory().resolve(host).resolve("sshd.log");
    }

    @Test
    void tellsAllProblemsOfAllHostsAtOnceAndLeavesNothingBehind() throws Exception {
        Lab lab = hosts.lab();
        lab.must("disk", "jmeter1", "/run/perf/small", "100m");
        java("backend", "11.0.2");
        String text = Files.readString(hosts.file("hosts.yaml"))
                .replace(
                        "jmeter1: " + lab.address("jmeter1"),
                        "jmeter1: {address: " + lab.address("jmeter1") + ", work-directory: /run/perf/small/work}")
                .replace("jmeter2: " + lab.address("jmeter2"), "jmeter2: {address: jmeter2, role-address: 192.0.2.1}")
                .replace(
                        "backend: " + lab.address("backend") + "\n",
                        "backend: {address: " + lab.address("backend") + ", java: /run/perf/java}\n"
                                + "  nobody: " + lab.address("client").replaceFirst("\\d+$", "99") + "\n"
                                + "  changed: " + lab.address("client") + "\n");
        lab.write("client", "known_hosts", knownHostsWithTheKeyOfAnother());
        lab.write("client", "problems.yaml", text.replaceFirst("known-hosts: .*", "known-hosts: known_hosts"));
        try (LabProgram program = lab.program(
                "run",
                "--product=http",
                "--gateway-config=gateway.yaml",
                "--environment=hosts",
                "--hosts=problems.yaml",
                "--results=problems",
                "--gateway-port=22",
                "--load-generator-heap=9000g")) {
            assertThat(program.await()).as(program.errorOutput()).isEqualTo(5);
            assertThat(program.errorOutput())
                    .containsPattern("jmeter1: only \\d+ MiB are free at /run/perf/small/work but 512 MiB are needed")
                    .containsPattern("jmeter1: its roles get heaps of 9216000 MiB together but only \\d+ MiB of memory")
                    .containsPattern("jmeter2: the JVM refuses a heap of 9000G: \\S+")
                    .contains("jmeter2: the address 192.0.2.1, at which its roles would listen, is none of its own (")
                    .contains("backend: its Java is 11 (/run/perf/java) but 17 or newer is needed")
                    .containsPattern("nobody \\(perf@[0-9.]+\\) cannot be reached: ")
                    .contains("the host key of changed has CHANGED: ")
                    .contains("product: --gateway-port 22 is taken on " + lab.address("product"));
        }
        assertThat(hosts.file("problems")).doesNotExist();
        for (String host : HostsFixture.HOSTS) {
            assertThat(lab.home(host).resolve(".gatebench")).doesNotExist();
        }
        assertThat(lab.home("jmeter1").resolve("small/work")).doesNotExist();
        assertThat(lab.ours()).isEmpty();
    }

    /** For the client it has the key of the back end. */
    private static String knownHostsWithTheKeyOfAnother() throws IOException {
        String known = Files.readString(hosts.lab().directory().resolve("known_hosts"));
        String key = known.lines()
                .filter(line -> line.startsWith("backend,"))
                .findFirst()
                .orElseThrow()
                .replaceFirst("\\S+ ", "");
        return known.replaceFirst("(?m)^(client,\\S+) .*$", "$1 " + Matcher.quoteReplacement(key));
    }

    private static void java(String host, String version) throws IOException {
        hosts.lab().write(host, "java", "#!/bin/sh\necho 'openjdk version \"" + version + "\" 2019-01-15' >&2\n");
        hosts.lab().must("root", host, "chmod", "755", "/run/perf/java");
    }

    @Test
    @Tag("full")
    void showsWhatBlursTheFigures() throws Exception {
        Lab lab = hosts.lab();
        // What a host says of its processors is private to it: files of the test lie over those of the kernel.
        lab.must(
                "root",
                "product",
                "sh",
                "-c",
                "mount -t tmpfs tmpfs /sys/devices/system/cpu/cpu0 && mkdir /sys/devices/system/cpu/cpu0/cpufreq"
                        + " && echo powersave >/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"
                        + " && cp /proc/stat /tmp/stat && mount --bind /tmp/stat /proc/stat");
        lab.must(
                "root",
                "product",
                "sh",
                "-c",
                "(n=1000000; while n=$((n + 10)); do printf 'cpu  %d 0 0 %d 0 0 0 %d 0 0\\n' $n $n $n; sleep 0.1;"
                        + " done | while read -r line; do echo \"$line\" 1<>/tmp/stat; done)"
                        + " </dev/null >/dev/null 2>&1 &");
        String server =
                Files.readString(lab.directory().resolve("jmeter1/sshd.pid")).trim();
        lab.must("root", "jmeter1", "prlimit", "--nofile=1024:1024", "--pid", server);
        try (LabProgram program = lab.program("hosts", "check", "--hosts=hosts.yaml")) {
            assertThat(program.await()).as(program.errorOutput()).isZero();
            assertThat(program.errorOutput()).contains("All 4 hosts can be used.");
            assertThat(program.output())
                    .containsPattern("product \\(" + lab.address("product") + "\\): clock offset -?0\\.\\d{3} s \\+- 0")
                    .containsPattern("free space \\d+ MiB at /run/perf/.gatebench, java \\d+ \\(/\\S+\\)")
                    .contains("warning: its CPU governor is 'powersave'")
                    .containsPattern("warning: its hypervisor gave 33.\\d % of its processor time to others")
                    .contains("warning: a process may have only 1024 open files");
        }
        for (String host : HostsFixture.HOSTS) {
            assertThat(lab.home(host).resolve(".gatebench")).doesNotExist();
        }
    }

    @Test
    @Tag("full")
    void acceptsUnknownHostKeysOnlyWhenTold() throws Exception {
        String text =
                Files.readString(hosts.file("hosts.yaml")).replaceFirst("known-hosts: .*", "known-hosts: accepted");
        hosts.lab().write("client", "unknown.yaml", text);
        try (LabProgram program = hosts.lab().program("hosts", "check", "--hosts=unknown.yaml")) {
            assertThat(program.await()).isEqualTo(5);
            assertThat(program.errorOutput().lines().filter(line -> line.contains("is not in ")))
                    .hasSize(HostsFixture.HOSTS.size());
        }
        assertThat(hosts.file("accepted")).doesNotExist();
        try (LabProgram program =
                hosts.lab().program("hosts", "check", "--hosts=unknown.yaml", "--accept-new-host-keys")) {
            assertThat(program.await()).as(program.errorOutput()).isZero();
        }
        try (LabProgram program = hosts.lab().program("hosts", "check", "--hosts=unknown.yaml")) {
            assertThat(program.await()).as(program.errorOutput()).isZero();
        }
    }

    @Test
    @Tag("full")
    void goesThroughAJumpHost() throws Exception {
        Lab lab = hosts.lab();
        hosts.writeHosts("jump.yaml", "product", "{address: product, jump: perf@backend}");
        // There is no other way to the host.
        lab.must("root", "client", "ip", "route", "add", "blackhole", lab.address("product"));
        try (LabProgram direct = lab.program("hosts", "check", "--hosts=hosts.yaml")) {
            assertThat(direct.await()).isEqualTo(5);
            assertThat(direct.errorOutput()).containsPattern("product \\(perf@[0-9.]+\\) cannot be reached: ");
            try (LabProgram program = lab.program("hosts", "check", "--hosts=jump.yaml")) {
                assertThat(program.await()).as(program.errorOutput()).isZero();
                assertThat(program.output()).contains("product (product): clock offset ");
            }
        } finally {
            lab.must("root", "client", "ip", "route", "del", "blackhole", lab.address("product"));
        }
        assertThat(Files.readString(log("product")))
                .contains("Accepted publickey for perf from " + lab.address("backend"));
    }

    @Test
    @Tag("full")
    void takesTheRsaKeyOfAnAgent() throws Exception {
        Lab lab = hosts.lab();
        String keyless = Files.readString(hosts.file("hosts.yaml")).replaceAll(", key: [^}]*}", "}");
        lab.write("client", "agent.yaml", keyless);
        try (LabProgram program = lab.program("hosts", "check", "--hosts=agent.yaml")) {
            assertThat(program.await()).as("without an agent").isEqualTo(5);
            assertThat(program.errorOutput())
                    .contains("accepts none of the keys that were tried (those of the SSH configuration, the default"
                            + " ones and the agent's)");
        }
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Lab.Ended withAgent = lab.login(
                "client",
                "eval $(ssh-agent) >/dev/null && ssh-add -q " + lab.directory() + "/key_rsa && " + java + " -jar "
                        + Lab.jar()
                        + " hosts check --hosts agent.yaml; code=$?; ssh-agent -k >/dev/null; exit $code");
        assertThat(withAgent.exitCode()).as(withAgent.errorOutput()).isZero();
        assertThat(withAgent.errorOutput()).contains("All 4 hosts can be used.");
        assertThat(Files.readString(log("product")))
                .containsPattern("Accepted publickey for perf .* ssh2: RSA SHA256:");
    }

    @Test
    @Tag("full")
    void takesKeysOfBothKindsFromFiles() throws Exception {
        Lab lab = hosts.lab();
        String rsa = Files.readString(hosts.file("hosts.yaml")).replace("/key}", "/key_rsa}");
        lab.write("client", "rsa.yaml", rsa);
        for (String file : List.of("hosts.yaml", "rsa.yaml")) {
            try (LabProgram program = lab.program("hosts", "check", "--hosts=" + file)) {
                assertThat(program.await()).as(program.errorOutput()).isZero();
            }
        }
        assertThat(Files.readString(log("product")))
                .containsPattern("Accepted publickey for perf .* ssh2: ED25519 SHA256:")
                .containsPattern("Accepted publickey for perf .* ssh2: RSA SHA256:");
    }

    @Test
    @Tag("full")
    void goesOnWithATransferThatWasCutOff() throws Exception {
        Lab lab = hosts.lab();
        Path file = lab.directory().resolve("large");
        lab.must("root", "client", "sh", "-c", "head -c 400000000 /dev/urandom >" + file);
        long size = Files.size(file);
        SshTarget target = new SshTarget(
                "backend",
                lab.address("backend"),
                Optional.of("perf"),
                OptionalInt.empty(),
                List.of(lab.directory().resolve("key")),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
        SshSettings settings = new SshSettings(
                Optional.empty(),
                lab.directory().resolve("known_hosts"),
                false,
                Duration.ofSeconds(60),
                Duration.ofSeconds(45));
        Queue<String> notes = new ConcurrentLinkedQueue<>();
        try (SshHost host = SshHost.connect(target, settings, "transfer", notes::add)) {
            host.lock("the test");
            long before = received("backend");
            CompletableFuture<String> upload =
                    CompletableFuture.supplyAsync(() -> host.upload(file, host.workDirectory() + "/large"));
            HostsFixture.await(Duration.ofSeconds(60), () -> part("backend") > size / 2);
            lab.must("cut", "backend");
            long there = part("backend");
            assertThat(there).as("bytes that had arrived").isBetween(size / 2, size - 1);
            HostsFixture.await(Duration.ofSeconds(40), () -> !notes.isEmpty());
            lab.must("heal", "backend");

            assertThat(upload.get(60, TimeUnit.SECONDS)).isEqualTo(host.workDirectory() + "/large");
            assertThat(notes).anyMatch(note -> note.matches("backend is reached again; it had been silent for \\d+ s"));
            assertThat(lab.home("backend").resolve(".gatebench/runs/transfer/large"))
                    .hasSameBinaryContentAs(file);
            // What had arrived was not sent again.
            assertThat(received("backend") - before).isLessThan(size + size / 4);
            host.clean(true);
        } finally {
            lab.must("heal", "backend");
            Files.delete(file);
        }
    }

    /** Returns the bytes of a transfer that has not come to its end. */
    private static long part(String host) {
        try (Stream<Path> files = Files.list(hosts.lab().home(host).resolve(".gatebench/cache"))) {
            return files.filter(file -> file.toString().endsWith(".part"))
                    .mapToLong(file -> file.toFile().length())
                    .sum();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the bytes that have come over the cable of a host. */
    private static long received(String host) {
        return Long.parseLong(hosts.lab()
                .must("root", host, "sh", "-c", "sed -n 's/.*eth0: *\\([0-9]*\\).*/\\1/p' /proc/net/dev")
                .trim());
    }
}
