/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Load models, payloads and tokens of the user's own by the packaged program, the back end taken for a gateway. */
class LoadOptionsIT {

    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private Path directory;

    private int port;

    @BeforeEach
    void describeTheGateway() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        Files.writeString(directory.resolve("gateway.yaml"), """
                name: echo
                url: http://127.0.0.1:%d
                tokens: {file: tokens.csv}
                scenarios:
                  - {name: echo, url: /, check: {contains: "{size}B", same-length: true}}
                  - {name: secured, url: /, token: file, probes: []}
                """.formatted(port));
        Files.writeString(directory.resolve("tokens.csv"), "abc\n");
    }

    @Test
    void sendsTheRatesOfAPlanFileAndSaysHowManyUsersTheyNeeded() throws IOException {
        Files.writeString(directory.resolve("plan.yaml"), """
                product: http
                gateway-config: gateway.yaml
                scenario: echo
                rate: [40, 80@3s]
                duration: 7s
                warm-up: 3s
                ramp-up: 1s
                """);

        Program.Result result = Program.run(directory, "--plan=plan.yaml", "--backend-port=" + port, "--results=r");

        assertThat(result.exitCode()).as(result.errorOutput()).isZero();
        JsonNode load = load();
        JsonNode open = load.path("open");
        assertThat(open.path("intended").asInt()).isEqualTo(4 * 80);
        assertThat(open.path("started").asInt()).isBetween(300, 320);
        assertThat(open.path("usersAvailable").asInt()).isEqualTo(80);
        assertThat(open.path("usersNeeded").asInt()).isBetween(1, 80);
        assertThat(load.path("method").path("model").asText())
                .isEqualTo("open, 40 requests/s from 0s, 80 requests/s from 3s");
        assertThat(Files.readString(directory.resolve("r/summary.md")))
                .contains("The load model is not that of the published results: open, 40 requests/s from 0s, 80"
                        + " requests/s from 3s.")
                .contains("Requests were sent at a given rate")
                .contains("ms_sleep`: " + open.path("usersNeeded").asInt() + " of 80 users; ");
        assertThat(Files.readString(directory.resolve("r/index.html")))
                .contains("open: requests start at a given rate");
    }

    @Test
    void usersThinkAndSendAFile() throws IOException {
        Files.writeString(directory.resolve("order.txt"), "an order of 22 bytes!\n");

        Program.Result result = run(
                "--scenario=echo",
                "--users=4",
                "--think-time=100ms",
                "--payload-file=order.txt",
                "--duration=6s",
                "--warm-up=2s",
                "--ramp-up=1s");

        assertThat(result.exitCode()).as(result.errorOutput()).isZero();
        JsonNode measured = load().path("measurement").path(0);
        // The check asks for the length of the request: an answer of another payload would be an error.
        assertThat(measured.path("errors").asInt()).isZero();
        assertThat(measured.path("samples").asInt()).isBetween(4 * 10, 4 * 4 * 10);
        assertThat(directory.resolve("r/echo")).isDirectoryRecursivelyContaining("glob:**/4_users/22B");
        assertThat(Files.readString(directory.resolve("r/summary.md")))
                .contains("closed, think time 100ms")
                .contains("Every request sent the bytes of order.txt");
        requireNoWordOfOtherPrograms();
    }

    /** The gateway of a URL is no process of the run, and must not be called another program for that. */
    private void requireNoWordOfOtherPrograms() throws IOException {
        assertThat(cell().path("processes"))
                .filteredOn(process -> process.path("role").asText().equals("LOAD_GENERATOR"))
                .singleElement()
                .satisfies(process -> assertThat(process.path("hostMetrics")
                                .path("Other programs - CPU (% of the process's processors)")
                                .path("absent")
                                .asText())
                        .startsWith("the gateway was not started by this run"));
    }

    @Test
    void usersComeAndGoAtTheirPaceWithPayloadsThatDiffer() throws IOException {
        Program.Result result = run(
                "--scenario=echo",
                "--user-levels=spike 1 to 4 at 3s for 1s",
                "--pacing=50ms",
                "--payload-variants=3",
                "--message-size=200",
                "--duration=6s",
                "--warm-up=2s",
                "--ramp-up=1s");

        assertThat(result.exitCode()).as(result.errorOutput()).isZero();
        JsonNode load = load();
        assertThat(load.path("method").path("model").asText())
                .isEqualTo("closed, 1 users from 0s, 4 users from 3s, 1 users from 4s, pacing 50ms");
        JsonNode measured = load.path("measurement").path(0);
        assertThat(measured.path("errors").asInt()).isZero();
        // At most 20 requests per second of each user: one for 3 s and four for 1 s.
        assertThat(measured.path("samples").asInt()).isBetween(20, (3 + 4) * 20 + 4);
        assertThat(directory.resolve("r/echo")).isDirectoryRecursivelyContaining("glob:**/4_users/200B");
    }

    @Test
    void refusesTokensThatExpireBeforeTheEndOfTheMatrix() throws IOException {
        Files.writeString(
                directory.resolve("tokens.csv"), "abc," + Instant.now().plusSeconds(60) + "\n");

        Program.Result result = run("--scenario=secured", "--users=1,2", "--duration=40s");

        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.errorOutput().lines().toList())
                .singleElement()
                .asString()
                .contains("a token expires at ")
                .contains("but the tests are planned to end at ");
        assertThat(directory.resolve("r")).doesNotExist();
    }

    private JsonNode load() throws IOException {
        return cell().findPath("load");
    }

    private JsonNode cell() throws IOException {
        return JSON.readTree(directory.resolve("r/result.json").toFile())
                .path("cells")
                .path(0);
    }

    private Program.Result run(String... options) {
        return Program.run(
                directory,
                Stream.concat(
                                List.of(
                                        "--product=http",
                                        "--gateway-config=gateway.yaml",
                                        "--backend-port=" + port,
                                        "--results=r")
                                        .stream(),
                                Stream.of(options))
                        .toArray(String[]::new));
    }
}
