/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.echo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/**
 * Throws broken bytes at a server while another connection works: that one must never notice, and nothing may leak. The
 * seed is fixed, so that a failure can be repeated.
 */
class FuzzIT {

    private static final int ATTACKS = 1500;
    private static final String[] PIECES = {
        "POST / HTTP/1.1\r\nHost: a\r\n",
        "GET /starwars HTTP/1.1\r\nHost: a\r\n",
        "Content-Length: 5\r\n",
        "Content-Length: 70000\r\n",
        "Transfer-Encoding: chunked\r\n",
        "Expect: 100-continue\r\n",
        "Connection: close\r\n",
        "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n",
        "echo-delay: 2ms\r\n",
        "echo-delay: never\r\n",
        "echo-response-size: 70000\r\n",
        "echo-fault: reset\r\n",
        "echo-status: 204\r\n",
        "echo-body-rate: 1MB/s\r\n",
        "query-number: 3\r\n",
        "\r\n",
        "hello",
        "5\r\nhello\r\n",
        "1000\r\n",
        "0\r\n\r\n",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        "\0\0\0\4\0\0\0\0\0",
        "\0\0\4\1\5\0\0\0\1\u0082\u0084\u0086\u0041",
        "\0\0\5\0\1\0\0\0\1hello",
        "\0\0\4\3\0\0\0\0\1\0\0\0\10",
        "\n",
        "\0",
    };

    @ParameterizedTest
    @EnumSource(value = Transport.class, mode = Mode.EXCLUDE, names = "AUTO")
    void brokenBytesHurtNobodyElse(Transport transport) throws IOException {
        LeakWatch leaks = LeakWatch.start();
        Random random = new Random(20261121);
        try (EchoServer server = start(transport);
                RawClient bystander = new RawClient(server.port())) {
            for (int i = 0; i < ATTACKS; i++) {
                attack(server.port(), random);
                if (i % 10 == 0) {
                    String body = "still here " + i;
                    bystander.send(
                            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: " + body.length() + "\r\n\r\n" + body);
                    assertThat(bystander.response().text()).isEqualTo(body);
                }
            }
            // An attack that resets before it is accepted is no connection, so there may be fewer.
            assertThat(server.stats().connectionsOpened()).isGreaterThan(ATTACKS / 2);
        }
        leaks.assertNone();
    }

    private static EchoServer start(Transport transport) {
        EchoServerConfig config = EchoServerConfig.builder()
                .host("127.0.0.1")
                .port(0)
                .noAdmin()
                .http2(true)
                .transport(transport)
                .shutdownTimeout(Duration.ofMillis(500))
                .build();
        try {
            return EchoServer.start(config);
        } catch (EchoException e) {
            org.junit.jupiter.api.Assumptions.abort(e.getMessage());
            throw e;
        }
    }

    private static void attack(int port, Random random) throws IOException {
        StringBuilder text = new StringBuilder();
        int pieces = 1 + random.nextInt(12);
        for (int i = 0; i < pieces; i++) {
            // What comes first decides the protocol, so that all are reached.
            text.append(
                    i == 0 ? PIECES[new int[] {0, 1, 20}[random.nextInt(3)]] : PIECES[random.nextInt(PIECES.length)]);
        }
        byte[] bytes = text.toString().getBytes(StandardCharsets.ISO_8859_1);
        for (int flips = random.nextInt(4); flips > 0; flips--) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
        }
        if (random.nextInt(10) == 0) {
            random.nextBytes(bytes);
        }
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            if (random.nextInt(3) == 0) {
                socket.setSoLinger(true, 0);
            }
            int cut = random.nextInt(bytes.length);
            socket.getOutputStream().write(bytes, 0, cut);
            if (random.nextBoolean()) {
                socket.getOutputStream().write(Arrays.copyOfRange(bytes, cut, bytes.length));
            }
            socket.setSoTimeout(1);
            InputStream in = socket.getInputStream();
            in.read(new byte[4096]);
        } catch (IOException e) {
            // Ending the connection is a good answer to nonsense.
            assertThat(e).isNotNull();
        }
    }
}
