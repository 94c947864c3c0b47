/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.kubernetes;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Map;

import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import org.junit.jupiter.api.Test;

import io.gatebench.spi.host.HostUnreachableException;

/** Where nobody answers. */
class PodConnectionTest {

    @Test
    void anApiServerThatIsAwayIsAHostThatIsNotReached() throws Exception {
        int nobody;
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            nobody = server.getLocalPort();
        }
        try (KubernetesClient client = new KubernetesClientBuilder()
                        .withConfig(new ConfigBuilder()
                                .withMasterUrl("http://127.0.0.1:" + nobody)
                                .withRequestRetryBackoffLimit(0)
                                .build())
                        .build();
                PodConnection connection =
                        new PodConnection(client, "perf", Map.of("role", "gateway"), "gateway", false, "java")) {
            assertThatThrownBy(() -> connection.reaches("10.0.0.7", 8290))
                    .isInstanceOf(HostUnreachableException.class)
                    .hasMessageStartingWith("gateway cannot be reached: ");
        }
    }
}
