/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.gatebench.model.DataSize;
import io.gatebench.model.NodeRole;
import io.gatebench.report.ab.AbWindow.Side;
import io.gatebench.runner.fake.FakeHost;
import io.gatebench.runner.fake.FakeProcess;
import io.gatebench.spi.RunningGateway;
import io.gatebench.spi.role.RoleProcess;

class DifferencesTest {

    private static final Map<Side, Map<String, String>> NO_VERSIONS = Map.of(Side.A, Map.of(), Side.B, Map.of());
    private static final Map<Side, Path> KEYS = Map.of(Side.A, Path.of("/keys/a"), Side.B, Path.of("/keys/b"));

    @TempDir
    private Path directory;

    /** Starts no process, but says what its command was; words that begin with a slash are of the gateway's directory. */
    private RunningGateway gateway(Side side, int port, String... command) {
        Path own = directory.resolve(side.name());
        return new RunningGateway(
                URI.create("http://127.0.0.1:" + port),
                Optional.of(new RoleProcess(
                        NodeRole.GATEWAY,
                        "gateway",
                        new FakeHost(own),
                        new FakeProcess("gateway", ""),
                        Arrays.stream(command)
                                .map(word -> word.startsWith("/") ? own + word : word)
                                .toList(),
                        DataSize.ofMebibytes(64),
                        own + "/gateway",
                        Optional.empty())),
                List.of(),
                Optional.empty(),
                Map.of());
    }

    @Test
    void whatEachGatewayMustHaveOfItsOwnIsNoDifference() {
        RunningGateway a = gateway(
                Side.A,
                8081,
                "podman",
                "--name",
                "gatebench-1b4e28ba-2fa",
                "-DportOffset=11",
                "--port=8081",
                "/gateway/nginx.conf",
                "--key=/keys/a/key.pem");
        RunningGateway b = gateway(
                Side.B,
                8082,
                "podman",
                "--name",
                "gatebench-6fa459ea-ee8",
                "-DportOffset=12",
                "--port=8082",
                "/gateway/nginx.conf",
                "--key=/keys/b/key.pem");

        assertThat(Differences.of(Map.of(Side.A, a, Side.B, b), KEYS, NO_VERSIONS))
                .singleElement()
                .asString()
                .startsWith("Nothing that is known differs between A and B");
    }

    @Test
    void namesVersionsWordsAndFilesThatDiffer() throws IOException {
        for (Side side : Side.values()) {
            Files.createDirectories(directory.resolve(side.name()));
            Files.writeString(directory.resolve(side.name()).resolve("gateway.jar"), "the jar of " + side);
        }
        RunningGateway a = gateway(Side.A, 8081, "java", "-Xmx1g", "-jar", "/gateway.jar");
        RunningGateway b = gateway(Side.B, 8082, "java", "-Xmx2g", "-jar", "/gateway.jar");

        List<String> sentences = Differences.of(
                Map.of(Side.A, a, Side.B, b),
                KEYS,
                Map.of(Side.A, Map.of("gateway", "Tiny 1.0"), Side.B, Map.of("gateway", "Tiny 1.1")));

        assertThat(sentences).hasSize(3);
        assertThat(sentences.get(0)).isEqualTo("The versions differ: the gateway is Tiny 1.0 in A, Tiny 1.1 in B.");
        assertThat(sentences.get(1)).isEqualTo("The command lines differ: A has -Xmx1g, B has -Xmx2g.");
        assertThat(sentences.get(2))
                .matches("The file gateway\\.jar differs: SHA-256 [0-9a-f]{12} in A, [0-9a-f]{12} in B\\.");
    }

    @Test
    void ofAGatewayThatRanAlreadyOnlyTheVersionsAreKnown() {
        RunningGateway running = new RunningGateway(
                URI.create("http://127.0.0.1:8081"), Optional.empty(), List.of(), Optional.empty(), Map.of());

        assertThat(Differences.of(Map.of(Side.A, running, Side.B, running), KEYS, NO_VERSIONS))
                .isEmpty();
        assertThat(Differences.of(
                        Map.of(Side.A, running, Side.B, running),
                        KEYS,
                        Map.of(Side.A, Map.of("gateway", "Tiny 1.0"), Side.B, Map.of())))
                .containsExactly("The versions differ: the gateway is Tiny 1.0 in A, none that is known in B.");
    }
}
