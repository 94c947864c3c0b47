/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.echo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class EchoServerTest {

    private static EchoServerConfig.Builder quiet() {
        return EchoServerConfig.builder().host("127.0.0.1").port(0).noAdmin();
    }

    @Test
    void echoesBodyAndContentType() {
        try (EchoServer server = EchoServer.start(quiet().build());
                RawClient client = new RawClient(server.port())) {
            client.send("PUT /any HTTP/1.1\r\nHost: a\r\nContent-Type: text/xml\r\nContent-Length: 4\r\n\r\n<a/>");
            RawClient.Response response = client.response();
            assertThat(response.status()).isEqualTo(200);
            assertThat(response.text()).isEqualTo("<a/>");
            assertThat(response.headers()).containsEntry("content-type", "text/xml");
            assertThat(server.stats().requests()).isEqualTo(1);
            assertThat(server.stats().responses()).containsEntry(200, 1L);
        }
    }

    @Test
    void namesThePortThatIsTaken() {
        try (EchoServer server = EchoServer.start(quiet().build())) {
            EchoServerConfig taken = quiet().port(server.port()).build();
            assertThatThrownBy(() -> EchoServer.start(taken))
                    .isInstanceOf(EchoException.class)
                    .hasMessageContaining("cannot listen on 127.0.0.1:" + server.port())
                    .hasMessageContaining("--port");
        }
    }
}
