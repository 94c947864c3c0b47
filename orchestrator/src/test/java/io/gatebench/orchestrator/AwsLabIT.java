/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the packaged program against moto, with hosts of the lab at the addresses of the machines that moto only
 * pretends to have: everything but AWS itself is real.
 *
 * <p>Runs with {@code -Dgatebench.aws.lab=true} only, until it was seen to pass.
 */
@EnabledIfSystemProperty(named = "gatebench.aws.lab", matches = "true")
class AwsLabIT {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<String> MACHINES = List.of("client", "jmeter1", "jmeter2");
    private static final Set<String> KINDS =
            Set.of("VPC", "Subnet", "SecurityGroup", "RouteTable", "InternetGateway", "Role", "Schedule");

    private static Lab lab;
    private static byte[] authorized;

    @TempDir
    private Path directory;

    private Process moto;
    private URI uri;
    private Map<String, Integer> before;

    @BeforeAll
    static void startTheLab() throws Exception {
        assumeTrue(isInstalled(), "moto_server is not installed (pip install 'moto[server,cloudformation,ec2,rds]')");
        String hindrance = Lab.hindrance();
        assumeTrue(hindrance.isEmpty(), "no lab of hosts can be made on this machine: " + hindrance);
        lab = Lab.start();
        authorized = Files.readAllBytes(lab.directory().resolve("authorized_keys"));
        for (String host : MACHINES) {
            // In the place of what the user data of a machine makes there; private to the host.
            lab.root(
                    host,
                    "mount -t tmpfs tmpfs /usr/local/sbin && mkdir -p /usr/games && mount -t tmpfs tmpfs /usr/games"
                            + " && printf '#!/bin/sh\\necho \"$1\" >>/run/perf/lease\\n' >/usr/local/sbin/gatebench-lease"
                            + " && printf '#!/bin/sh\\nshift\\nexec \"$@\"\\n' >/usr/games/sudo"
                            + " && chmod 755 /usr/local/sbin/gatebench-lease /usr/games/sudo");
        }
    }

    private static boolean isInstalled() throws InterruptedException {
        try {
            Process help = new ProcessBuilder("moto_server", "--help")
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return help.waitFor(60, TimeUnit.SECONDS) && help.exitValue() == 0;
        } catch (IOException e) {
            return false;
        }
    }

    @AfterAll
    static void stopTheLab() {
        if (lab != null) {
            lab.close();
        }
    }

    @BeforeEach
    void startMoto() throws Exception {
        Files.write(lab.directory().resolve("authorized_keys"), authorized);
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        uri = URI.create("http://127.0.0.1:" + port);
        moto = new ProcessBuilder("moto_server", "-H", "127.0.0.1", "-p", String.valueOf(port))
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("moto.log").toFile())
                .start();
        await("moto answers", 60, () -> {
            try {
                before = counts();
                return true;
            } catch (ConnectException e) {
                return false;
            } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        String network = lab.address("client").replaceAll("\\.[0-9]+$", "");
        Files.writeString(directory.resolve("aws.yaml"), """
                region: us-east-1
                image: al2023
                user: perf
                java: %s
                address: private
                network: %s.0/24
                caller: %s.1/32
                known-hosts: %s
                max-cost: 5
                max-hours: 2
                """.formatted(
                        Path.of(System.getProperty("java.home"), "bin", "java"),
                        network,
                        network,
                        lab.directory().resolve("known_hosts")));
    }

    @AfterEach
    void stopMoto() throws InterruptedException {
        if (moto != null) {
            moto.destroy();
            moto.waitFor(10, TimeUnit.SECONDS);
        }
    }

    /** Counts what moto holds, from its own dump and not through the calls of the code under test. */
    private Map<String, Integer> counts() throws IOException, InterruptedException {
        HttpResponse<String> answer = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(uri.resolve("/moto-api/data.json"))
                                .timeout(Duration.ofSeconds(30))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
        Map<String, Integer> counts = new TreeMap<>();
        for (JsonNode service : JSON.readTree(answer.body())) {
            service.properties().forEach(kind -> {
                if (KINDS.contains(kind.getKey())) {
                    counts.merge(kind.getKey(), kind.getValue().size(), Integer::sum);
                }
            });
        }
        counts.values().removeIf(count -> count == 0);
        return counts;
    }

    private static void await(String what, int seconds, BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("not within " + seconds + " s: " + what);
            }
            Thread.sleep(100);
        }
    }

    /** The program with its own home directory and with credentials that no real AWS knows. */
    private Process program(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Duser.home=" + directory,
                "-jar",
                Path.of("target", "orchestrator.jar").toAbsolutePath().toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
        builder.environment().put("AWS_ENDPOINT_URL", uri.toString());
        builder.environment().put("AWS_ACCESS_KEY_ID", "test");
        builder.environment().put("AWS_SECRET_ACCESS_KEY", "test");
        builder.environment().put("AWS_REGION", "us-east-1");
        builder.environment().put("AWS_EC2_METADATA_DISABLED", "true");
        return builder.redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        directory.resolve("program.log").toFile()))
                .start();
    }

    private String log() {
        try {
            return Files.readString(directory.resolve("program.log"), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "";
        }
    }

    private Process run(String results, String duration) throws Exception {
        Process process = start(results, duration);
        boot(process);
        return process;
    }

    private Process start(String results, String duration) throws IOException {
        return program(
                "run",
                "--product=apim",
                "--scenario=passthrough",
                "--heap=256M",
                "--users=2",
                "--message-size=50",
                "--backend-delay=0",
                "--duration=" + duration,
                "--warm-up=1s",
                "--environment=aws",
                "--aws=aws.yaml",
                "--yes",
                "--results=" + results);
    }

    /** Lets the login in that the program has made, as the first start of a machine does. */
    private void boot(Process program) throws Exception {
        Set<Path> keys = new HashSet<>();
        await("the program makes a key: " + log(), 90, () -> {
            try (Stream<Path> files = Files.find(
                    directory.resolve(".gatebench"),
                    4,
                    (file, attributes) -> file.getFileName().toString().startsWith("key-"))) {
                files.forEach(keys::add);
            } catch (IOException e) {
                return !program.isAlive();
            }
            return !keys.isEmpty() || !program.isAlive();
        });
        for (Path key : keys) {
            Process derive = new ProcessBuilder("ssh-keygen", "-y", "-f", key.toString()).start();
            Files.write(
                    lab.directory().resolve("authorized_keys"),
                    derive.getInputStream().readAllBytes(),
                    StandardOpenOption.APPEND);
        }
    }

    private int end(Process process, int seconds) throws InterruptedException {
        if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
            throw new AssertionError("the program did not end:\n" + log());
        }
        return process.exitValue();
    }

    private void nothingIsLeft() throws Exception {
        assertThat(counts()).isEqualTo(before);
        assertThat(end(program("aws", "list"), 60)).isZero();
        assertThat(log()).endsWith("Nothing is there.\n");
    }

    @Test
    void measuresOnMachinesThatAreCreatedAndRemoved() throws Exception {
        Process process = run("out", "4s");
        assertThat(end(process, 300)).as(log()).isZero();
        assertThat(log())
                .contains("c5.xlarge, 0.1700 USD per hour each")
                .contains("Gateway CREATE_COMPLETE")
                .contains("everything of the run")
                .doesNotContain("could not be renewed");
        assertThat(JSON.readTree(directory.resolve("out/run.json").toFile())
                        .path("environment")
                        .asText())
                .isEqualTo("aws");
        assertThat(Files.readString(directory.resolve("out/summary.csv"))).contains("passthrough");
        for (String host : MACHINES) {
            assertThat(Files.readString(lab.home(host).resolve("lease"))).startsWith("30\n");
        }
        assertThat(lab.ours()).isEmpty();
        nothingIsLeft();
    }

    @Test
    void anInterruptedRunKeepsItsReportAndRemovesEverything() throws Exception {
        Process process = run("interrupted", "60s");
        await("roles run", 200, () -> log().contains("[1/1]") && !lab.ours().isEmpty());
        process.destroy();
        assertThat(end(process, 200)).as(log()).isEqualTo(130);
        assertThat(lab.ours()).isEmpty();
        nothingIsLeft();
    }

    @Test
    void anInterruptionWhileTheMachinesStartRemovesThem() throws Exception {
        // Nobody lets the login in: the program waits for its machines.
        Process process = start("early", "4s");
        await("the program waits for its machines", 120, () -> log().contains("waiting for gateway"));
        assertThat(counts()).isNotEqualTo(before);
        process.destroy();
        assertThat(end(process, 120)).as(log()).isNotZero();
        assertThat(directory.resolve("early")).doesNotExist();
        nothingIsLeft();
    }

    @Test
    void aKilledRunIsRemovedByTeardown() throws Exception {
        Process process = run("killed", "60s");
        await("the machines are taken: " + log(), 200, () -> log().contains("waiting for load-generator-1"));
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        process.waitFor();
        assertThat(counts()).isNotEqualTo(before);
        assertThat(end(program("aws", "teardown", "--expired"), 60)).isZero();
        assertThat(counts()).isNotEqualTo(before);
        assertThat(end(program("aws", "teardown", "--yes"), 200)).as(log()).isZero();
        nothingIsLeft();
    }
}
