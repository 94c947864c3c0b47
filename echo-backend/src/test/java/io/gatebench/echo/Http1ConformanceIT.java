/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.echo;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** HTTP/1.1 over raw sockets: framing, pipelining, limits, and the shapes that request smuggling is made of. */
@TestInstance(Lifecycle.PER_CLASS)
class Http1ConformanceIT {

    private static final String POST = "POST /e HTTP/1.1\r\nHost: a\r\n";

    private LeakWatch leaks;
    private EchoServer server;

    @BeforeAll
    void start() {
        leaks = LeakWatch.start();
        server = EchoServer.start(EchoServerConfig.builder()
                .host("127.0.0.1")
                .port(0)
                .noAdmin()
                .maxContentLength(1 << 20)
                .requestTimeout(Duration.ofSeconds(1))
                .build());
    }

    @AfterAll
    void stop() {
        server.close();
        leaks.assertNone();
    }

    private RawClient client() {
        return new RawClient(server.port());
    }

    @Test
    void answersAGetWithAnEmpty200() {
        try (RawClient client = client()) {
            RawClient.Response response =
                    client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n").response();
            assertThat(response.status()).isEqualTo(200);
            assertThat(response.body()).isEmpty();
            assertThat(response.headers()).containsEntry("content-length", "0").doesNotContainKey("content-type");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "REPORT", "M-SEARCH"})
    void echoesTheBodyWhateverTheMethod(String method) {
        try (RawClient client = client()) {
            client.send(method + " /a?b=c HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc");
            assertThat(client.response().text()).isEqualTo("abc");
        }
    }

    @Test
    void answersAHeadWithTheLengthButWithoutTheBody() {
        try (RawClient client = client()) {
            client.send("HEAD / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc");
            assertThat(client.response(false).headers()).containsEntry("content-length", "3");
            client.send(POST + "Content-Length: 1\r\n\r\nx");
            assertThat(client.response().text()).isEqualTo("x");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 100, 1023, 1024, 1025, 10_240, 65_535, 65_536, 102_400, 1_048_576})
    void echoesBytesOfEverySizeWithLengthAndInChunks(int size) {
        byte[] body = bytes(size);
        try (RawClient client = client()) {
            client.send(POST + "Content-Length: " + size + "\r\n\r\n").send(body);
            assertThat(client.response().body()).isEqualTo(body);
            client.send(POST + "Transfer-Encoding: chunked\r\n\r\n");
            for (int at = 0, chunk = 1; at < size; at += chunk, chunk = Math.min(chunk * 3, 40_000)) {
                int end = Math.min(size, at + chunk);
                client.send(Integer.toHexString(end - at) + ";ext=\"1\"\r\n")
                        .send(Arrays.copyOfRange(body, at, end))
                        .send("\r\n");
            }
            client.send("0\r\nTrailer: x\r\n\r\n");
            assertThat(client.response().body()).isEqualTo(body);
        }
    }

    @Test
    void readsARequestThatArrivesByteByByte() {
        String text = POST + "Content-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n";
        try (RawClient client = client()) {
            for (byte b : text.getBytes(StandardCharsets.US_ASCII)) {
                client.send(new byte[] {b});
            }
            assertThat(client.response().text()).isEqualTo("abc");
        }
    }

    @Test
    void answersPipelinedRequestsInOrder() {
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < 1000; i++) {
            String body = "body " + i;
            all.append(POST)
                    .append("Content-Length: ")
                    .append(body.length())
                    .append("\r\n\r\n")
                    .append(body);
        }
        try (RawClient client = client()) {
            client.send(all.toString());
            for (int i = 0; i < 1000; i++) {
                assertThat(client.response().text()).isEqualTo("body " + i);
            }
        }
    }

    @Test
    void keepsTheOrderWhenTheFirstOfPipelinedRequestsWaitsLongest() {
        try (RawClient client = client()) {
            client.send(POST + "echo-delay: 200ms\r\nContent-Length: 1\r\n\r\n1" + POST
                    + "echo-delay: 1ms\r\nContent-Length: 1\r\n\r\n2" + POST + "Content-Length: 1\r\n\r\n3");
            assertThat(client.response().text()
                            + client.response().text()
                            + client.response().text())
                    .isEqualTo("123");
        }
    }

    @Test
    void takesMorePipelinedRequestsThanItLetsWait() {
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < 700; i++) {
            all.append(POST)
                    .append("echo-delay: 20ms\r\nContent-Length: 1\r\n\r\n")
                    .append((char) ('a' + i % 26));
        }
        try (RawClient client = client()) {
            client.send(all.toString());
            for (int i = 0; i < 700; i++) {
                assertThat(client.response().text()).isEqualTo(Character.toString('a' + i % 26));
            }
        }
    }

    @Test
    void sendsContinueOnlyWhenTheBodyIsAwaited() {
        try (RawClient client = client()) {
            client.send(POST + "Expect: 100-continue\r\nContent-Length: 3\r\n\r\n");
            assertThat(client.response(false).status()).isEqualTo(100);
            assertThat(client.send("abc").response().text()).isEqualTo("abc");
            client.send(POST + "Expect: 100-Continue\r\nContent-Length: 3\r\n\r\nabc");
            assertThat(client.response().status()).isEqualTo(200);
        }
    }

    @Test
    void refusesALargeBodyBeforeItIsSent() {
        try (RawClient client = client()) {
            client.send(POST + "Expect: 100-continue\r\nContent-Length: 1048577\r\n\r\n");
            RawClient.Response response = client.response();
            assertThat(response.status()).isEqualTo(413);
            assertThat(response.headers()).containsEntry("connection", "close");
            assertThat(client.isEnded()).isTrue();
        }
    }

    @Test
    void refusesAChunkedBodyAsSoonAsItIsTooLarge() {
        try (RawClient client = client()) {
            client.send(POST + "Transfer-Encoding: chunked\r\n\r\n80000\r\n").send(bytes(0x80000));
            client.send("\r\n80001\r\n");
            assertThat(client.response().status()).isEqualTo(413);
        }
    }

    @Test
    void aClientThatGoesOnSendingStillReads413() {
        try (RawClient client = client()) {
            client.send(POST + "Content-Length: 3000000\r\n\r\n").send(bytes(3_000_000));
            assertThat(client.response().status()).isEqualTo(413);
            assertThat(client.isEnded()).isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // both lengths
                "POST / HTTP/1.1~Host: a~Content-Length: 5~Transfer-Encoding: chunked~~0~~ | 400",
                "POST / HTTP/1.1~Host: a~Transfer-Encoding: chunked~Content-Length: 5~~0~~ | 400",
                // lengths that are none
                "POST / HTTP/1.1~Host: a~Content-Length: 5~Content-Length: 6~~ | 400",
                "POST / HTTP/1.1~Host: a~Content-Length: 5, 5~~ | 400",
                "POST / HTTP/1.1~Host: a~Content-Length: +5~~ | 400",
                "POST / HTTP/1.1~Host: a~Content-Length: -1~~ | 400",
                "POST / HTTP/1.1~Host: a~Content-Length: 0x5~~ | 400",
                "POST / HTTP/1.1~Host: a~Content-Length: 5 5~~ | 400",
                "POST / HTTP/1.1~Host: a~Content-Length:~~ | 400",
                "POST / HTTP/1.1~Host: a~Content-Length: 99999999999999999999999999~~ | 413",
                // codings in disguise
                "POST / HTTP/1.1~Host: a~Transfer-Encoding: chunked~Transfer-Encoding: chunked~~ | 400",
                "POST / HTTP/1.1~Host: a~Transfer-Encoding: xchunked~~ | 501",
                "POST / HTTP/1.1~Host: a~Transfer-Encoding: gzip~~ | 501",
                "POST / HTTP/1.1~Host: a~Transfer-Encoding: chunked, identity~~ | 400",
                "POST / HTTP/1.1~Host: a~Transfer-Encoding : chunked~~ | 400",
                "POST / HTTP/1.1~Host: a~Transfer-Encoding:~ chunked~~ | 400",
                "POST / HTTP/1.1~Host: a~Transfer-Encoding: \"chunked\"~~ | 501",
                "POST / HTTP/1.0~Host: a~Transfer-Encoding: chunked~~0~~ | 400",
                // line ends and folds
                "POST / HTTP/1.1~Host: a~X: b~ c~~ | 400",
                "POST / HTTP/1.1~ Host: a~~ | 400",
                "POST / HTTP/1.1~Host: a~: b~~ | 400",
                "POST / HTTP/1.1~Host: a~X y: b~~ | 400",
                "POST / HTTP/1.1~Host: a~X~~ | 400",
                "POST / HTTP/1.1^Host: a^^ | 400",
                "POST / HTTP/1.1~Host: a^Content-Length: 5~~ | 400",
                "POST / HTTP/1.1~Host: a~X: b!Content-Length: 5~~ | 400",
                "POST / HTTP/1.1~Host: a~X: b?c~~ | 400",
                // request lines
                "POST  / HTTP/1.1~Host: a~~ | 400",
                "POST /  HTTP/1.1~Host: a~~ | 400",
                "POST / HTTP/1.1 ~Host: a~~ | 400",
                "POST /~Host: a~~ | 400",
                "POST / HTTP/2.0~Host: a~~ | 505",
                "POST / HTTP/1.x~Host: a~~ | 400",
                "POST / http/1.1~Host: a~~ | 400",
                "POST e HTTP/1.1~Host: a~~ | 400",
                "(POST) / HTTP/1.1~Host: a~~ | 400",
                "CONNECT a:80 HTTP/1.1~Host: a~~ | 501",
                "PRI * HTTP/2.0~~SM~~ | 505",
                // hosts
                "POST / HTTP/1.1~X: a~~ | 400",
                "POST / HTTP/1.1~Host: a~Host: b~~ | 400",
                // expectations
                "POST / HTTP/1.1~Host: a~Expect: 200-ok~~ | 417",
                // chunks
                "POST / HTTP/1.1~Host: a~Transfer-Encoding: chunked~~g~~ | 400",
                "POST / HTTP/1.1~Host: a~Transfer-Encoding: chunked~~-1~~ | 400",
                "POST / HTTP/1.1~Host: a~Transfer-Encoding: chunked~~0x1~a~0~~ | 400",
                "POST / HTTP/1.1~Host: a~Transfer-Encoding: chunked~~1^a~0~~ | 400",
                "POST / HTTP/1.1~Host: a~Transfer-Encoding: chunked~~1~ab~0~~ | 400",
                "POST / HTTP/1.1~Host: a~Transfer-Encoding: chunked~~1;a^b~a~0~~ | 400",
                "POST / HTTP/1.1~Host: a~Transfer-Encoding: chunked~~100000001~a | 413",
                "POST / HTTP/1.1~Host: a~Transfer-Encoding: chunked~~fffffffffffffffff~a | 413",
                "POST / HTTP/1.1~Host: a~Transfer-Encoding: chunked~~0~ a: b~~ | 400",
            })
    void refusesWhatAnotherServerMightReadDifferently(String shape, int status) {
        String bytes =
                shape.replace("~", "\r\n").replace('^', '\n').replace('!', '\r').replace('?', '\0');
        try (RawClient client = client()) {
            client.send(bytes + "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n");
            RawClient.Response response = client.response();
            assertThat(response.status()).isEqualTo(status);
            assertThat(response.headers()).containsEntry("connection", "close");
            assertThat(client.isEnded()).as("nothing is answered after it").isTrue();
        }
    }

    @Test
    void takesEmptyLinesBeforeARequestAndSpaceAroundValues() {
        try (RawClient client = client()) {
            client.send("\r\n\r\nPOST http://a/e HTTP/1.1\r\nhOsT:a\r\ncontent-LENGTH: \t3 \t\r\n\r\nabc");
            assertThat(client.response().text()).isEqualTo("abc");
        }
    }

    @Test
    void refusesOversizedHeadsAndTargets() {
        try (RawClient client = client()) {
            client.send("GET / HTTP/1.1\r\nHost: a\r\nX: " + "x".repeat(20_000));
            assertThat(client.response().status()).isEqualTo(431);
        }
        try (RawClient client = client()) {
            client.send("GET /" + "x".repeat(9_000) + " HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(client.response().status()).isEqualTo(414);
        }
        try (RawClient client = client()) {
            client.send(POST + "Transfer-Encoding: chunked\r\n\r\n0\r\nX: " + "x".repeat(20_000));
            assertThat(client.response().status()).isEqualTo(431);
        }
        try (RawClient client = client()) {
            client.send(POST + "Transfer-Encoding: chunked\r\n\r\n1;" + "x".repeat(20_000));
            assertThat(client.response().status()).isEqualTo(400);
        }
        try (RawClient client = client()) {
            client.send(POST + "Authorization: Bearer " + "x".repeat(12_000) + "\r\nContent-Length: 1\r\n\r\ny");
            assertThat(client.response().text()).isEqualTo("y");
        }
    }

    @Test
    void closesOnRequestAndKeepsAnOldConnectionOnlyWhenAsked() {
        try (RawClient client = client()) {
            client.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: foo, Close\r\n\r\n");
            assertThat(client.response().headers()).containsEntry("connection", "close");
            assertThat(client.isEnded()).isTrue();
        }
        try (RawClient client = client()) {
            client.send("GET / HTTP/1.0\r\n\r\n");
            assertThat(client.response().status()).isEqualTo(200);
            assertThat(client.isEnded()).isTrue();
        }
        try (RawClient client = client()) {
            client.send("POST / HTTP/1.0\r\nConnection: Keep-Alive\r\nContent-Length: 1\r\n\r\n1");
            assertThat(client.response().headers()).containsEntry("connection", "keep-alive");
            client.send("POST / HTTP/1.0\r\nContent-Length: 1\r\n\r\n2");
            assertThat(client.response().text()).isEqualTo("2");
        }
    }

    @Test
    void anErrorComesAfterTheAnswersToTheRequestsBeforeIt() {
        try (RawClient client = client()) {
            client.send(POST + "echo-delay: 100ms\r\nContent-Length: 1\r\n\r\n1" + "BAD\r\n\r\n");
            assertThat(client.response().text()).isEqualTo("1");
            assertThat(client.response().status()).isEqualTo(400);
        }
    }

    @Test
    void givesUpOnARequestThatNeverEnds() {
        try (RawClient head = client();
                RawClient body = client()) {
            head.send("POST / HTTP/1.1\r\nHost: a\r\nX-A: b");
            body.send(POST + "Content-Length: 10\r\n\r\nabc");
            for (int i = 0; i < 10; i++) {
                assertThat(head.isSilentFor(50)).isTrue();
                head.send("x");
            }
            assertThat(head.response().status()).isEqualTo(408);
            assertThat(body.response().status()).isEqualTo(408);
            assertThat(body.isEnded()).isTrue();
        }
        assertThat(server.stats().timeouts()).isGreaterThanOrEqualTo(2);
    }

    @Test
    void aClientThatHalfClosesOrVanishesHurtsNobody() {
        for (int i = 0; i < 50; i++) {
            try (RawClient client = client()) {
                client.send(POST + "echo-delay: 30ms\r\nContent-Length: 100\r\n\r\n" + "x".repeat(i * 2));
            }
        }
        try (RawClient client = client()) {
            client.send(POST + "Content-Length: 1\r\n\r\nx");
            assertThat(client.response().text()).isEqualTo("x");
        }
    }

    private static byte[] bytes(int size) {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return bytes;
    }
}
