/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.synapse;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Locale;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a client gets when the back end is gone, the message is broken, or nobody reads it. */
class FailuresIT {
    private static final int LARGE = 2_000;

    @TempDir
    private static Path directory;

    private static int backendPort;
    private static GatewayProcess gateway;
    private static GatewayClient client;

    @BeforeAll
    static void startGatewayWithoutABackEnd() throws IOException, GeneralSecurityException {
        client = new GatewayClient();
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            backendPort = socket.getLocalPort();
        }
        // A call can get lost in the engine when its connection is closed at that moment; the time-out is its way out.
        Path config = directory.resolve("config");
        for (String file : ScenarioCatalogue.bundled().deployedFiles()) {
            Path copy = config.resolve(file);
            Files.createDirectories(copy.getParent());
            Files.writeString(
                    copy,
                    BundledText.read("synapse-configs/default/" + file)
                            .replace("<duration>30000</duration>", "<duration>3000</duration>"));
        }
        gateway = GatewayProcess.start(
                directory,
                List.of(),
                "--config",
                config.toString(),
                "--backend",
                "http://127.0.0.1:" + backendPort + "/service/EchoService");
    }

    @AfterAll
    static void stopGateway() {
        gateway.close();
    }

    @Test
    void isReadyWithoutABackEnd() throws Exception {
        assertThat(client.get(gateway.https("/services/GatebenchReady")).statusCode())
                .isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/services/DirectProxy",
                "/services/CBRProxy",
                "/services/XSLTProxy",
                "/services/MessageBuildingProxy",
                "/services/EnrichBackAndForthProxy",
                "/services/CloneAndAggregateWithTwoBackendProxy",
                "/services/CloneAndAggregateWithEightBackendProxy",
                "/directApi"
            })
    void answers502ToSoapWhileTheBackEndIsDown(String path) throws Exception {
        String large = Messages.soap(Messages.ROUTING, LARGE);
        for (URI uri : List.of(gateway.http(path), gateway.https(path))) {
            assertThat(client.soap(uri).statusCode()).isEqualTo(502);
            assertThat(client.soap(uri, Messages.ROUTING, large).statusCode()).isEqualTo(502);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"IterateAndAggregateProxy", "XSLTTransformProxy", "PayloadFactoryWith20ElementsProxy"})
    void answers502ToElementsWhileTheBackEndIsDown(String scenario) throws Exception {
        for (int orders : new int[] {1, 20, 100}) {
            assertThat(client.bare(gateway.http("/services/" + scenario), "text/xml", Messages.elements(orders))
                            .statusCode())
                    .isEqualTo(502);
        }
    }

    @Test
    void answers502ToJsonWhileTheBackEndIsDown() throws Exception {
        assertThat(client.bare(gateway.http("/services/JsonToSOAPProxy"), "application/json", Messages.JSON)
                        .statusCode())
                .isEqualTo(502);
    }

    @ParameterizedTest
    @CsvSource({
        "/nowhere, 404",
        "/services/NoSuchProxy, 404",
        "/services/CBRTransportHeaderProxy, 500",
        "/services/CBRSOAPHeaderProxy, 500"
    })
    void answersWithoutTheBackEndToAMessageOfAnySize(String path, int status) throws Exception {
        for (int orders : new int[] {2, LARGE}) {
            HttpResponse<String> response = client.soap(gateway.http(path), "other", Messages.soap("other", orders));

            assertThat(response.statusCode()).isEqualTo(status);
            assertThat(response.body()).doesNotContain("symbol");
        }
    }

    @Test
    void aPostWithoutALengthHasNoBody() throws Exception {
        URI uri = gateway.http("/nowhere");
        try (Socket socket = new Socket(uri.getHost(), uri.getPort())) {
            socket.setSoTimeout(5_000);
            byte[] request = "POST /nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
            InputStream in = socket.getInputStream();
            for (int i = 0; i < 3; i++) {
                socket.getOutputStream().write(request);
                assertThat(head(in)).startsWith("HTTP/1.1 404 ");
            }
        }
    }

    /** The engine's buffers are pooled: one that came back twice shows as empty or foreign answers to others. */
    @Test
    void brokenMessagesDoNotSpoilTheAnswersOfOthers() throws Exception {
        try (EchoBackend backend = EchoBackend.start(backendPort)) {
            for (int i = 0; i < 20; i++) {
                for (String broken : List.of("{\"a\":", "[1,2]", "\"\"", "")) {
                    client.bare(gateway.http("/services/JsonToSOAPProxy"), "application/json", broken);
                }
                for (String scenario : List.of("DirectProxy", "MessageBuildingProxy", "XSLTProxy")) {
                    String message = Messages.soap(Messages.ROUTING, 3).replace("john", scenario + i);
                    assertThat(client.soap(gateway.http("/services/" + scenario), Messages.ROUTING, message)
                                    .body())
                            .endsWith(message);
                }
            }
            assertThat(backend.take()).hasSizeGreaterThanOrEqualTo(60);
        }
    }

    private static String head(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            assertThat(next).as("end of the response after: " + head).isNotNegative();
            head.append((char) next);
        }
        if (head.toString().toLowerCase(Locale.ROOT).contains("transfer-encoding: chunked")) {
            while (!head.toString().endsWith("0\r\n\r\n")) {
                head.append((char) in.read());
            }
        }
        return head.toString();
    }
}
