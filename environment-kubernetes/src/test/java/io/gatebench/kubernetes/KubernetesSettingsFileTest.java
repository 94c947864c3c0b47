/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.gatebench.model.DataSize;
import io.gatebench.model.NodeRole;
import io.gatebench.settings.PlanException;

class KubernetesSettingsFileTest {

    @TempDir
    private Path directory;

    private Path file(String text) throws IOException {
        return Files.writeString(directory.resolve("kubernetes.yaml"), text);
    }

    @Test
    void hasThePublishedSchema() throws IOException {
        String schema = new KubernetesProvider().settingsSchema();
        Path file = Path.of("../docs/schemas/kubernetes.schema.json");
        if (Boolean.getBoolean("golden.update")) {
            Files.writeString(file, schema);
        }
        assertThat(schema).isEqualTo(Files.readString(file));
    }

    @Test
    void whatARoleDoesNotSayIsTakenFromAll() throws IOException {
        KubernetesSettings settings = KubernetesSettingsFile.read(file("""
                image: registry/roles:1
                namespace: perf
                lease: 30s
                gateway: {image: "registry/gateway:2", cpus: 0.5, memory: 2G, node-selector: {pool: gateway}}
                load-generator: {pods: 20}
                """));
        PodSettings gateway = settings.roles().get(NodeRole.GATEWAY);
        assertThat(gateway.image()).isEqualTo("registry/gateway:2");
        assertThat(gateway.cpus()).contains(new BigDecimal("0.5"));
        assertThat(gateway.memory()).contains(DataSize.parse("2G"));
        assertThat(gateway.nodeSelector()).isEqualTo(Map.of("pool", "gateway"));
        assertThat(settings.roles().get(NodeRole.BACKEND).image()).isEqualTo("registry/roles:1");
        assertThat(settings.roles().get(NodeRole.LOAD_GENERATOR).pods()).isEqualTo(20);
        assertThat(settings.namespace()).contains("perf");
        assertThat(settings.lease()).isEqualTo(Duration.ofSeconds(30));
        assertThat(settings.shareNodes()).isFalse();
    }

    @Test
    void allThatIsWrongIsSaidAtOnce() throws IOException {
        Path file = file("""
                namespace: Perf_1
                pull-policy: Sometimes
                lease: 3s
                gateway: {image: a, cpus: 0, pods: 2}
                backend: {memory: much}
                load-generator: {image: a, pods: 101}
                imag: b
                """);
        assertThatThrownBy(() -> KubernetesSettingsFile.read(file))
                .isInstanceOf(PlanException.class)
                .hasMessageContaining(file + ":1: namespace must be a name of Kubernetes")
                .hasMessageContaining(file + ":2: pull-policy must be one of IfNotPresent, Always, Never")
                .hasMessageContaining(file + ":3: lease must be at least 10 s")
                .hasMessageContaining(file + ":4: cpus must be a number of processors")
                .hasMessageContaining(file + ":4: pods must be 1 for the gateway but was 2")
                .hasMessageContaining("backend has no image")
                .hasMessageContaining(file + ":6: pods must be a whole number from 1 to 100 but was '101'")
                .hasMessageContaining(file + ":7: unknown key 'imag'; did you mean 'image'?");
    }

    @Test
    void aGatewayThatRunsAlreadyIsAServiceOrARoute() throws IOException {
        assertThat(KubernetesSettingsFile.read(file("image: a\ngateway: {service: \"perf/gateway:8243\"}"))
                        .existing())
                .contains(new ExistingGateway(ExistingGateway.Kind.SERVICE, "perf", "gateway", Optional.of(8243)));
        assertThat(KubernetesSettingsFile.read(file("image: a")).existing()).isEmpty();
        Path both = file("image: a\ngateway: {service: perf/a, http-route: perf/b}");
        assertThatThrownBy(() -> KubernetesSettingsFile.read(both))
                .hasMessage(both + ":2: http-route and service exclude each other; drop one");
        Path port = file("image: a\ngateway: {http-route: \"perf/b:80\"}");
        assertThatThrownBy(() -> KubernetesSettingsFile.read(port))
                .hasMessage(port + ":2: http-route must be <namespace>/<name> but was 'perf/b:80'");
        Path backend = file("image: a\nbackend: {service: perf/b}");
        assertThatThrownBy(() -> KubernetesSettingsFile.read(backend)).hasMessageContaining("unknown key 'service'");
    }
}
