/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.engine.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocketFactory;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.gatebench.load.engine.http.HttpExchangeException.Kind;

class HttpConnectionIT {

    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

    private final ResponseDeadlines deadlines = new ResponseDeadlines(Duration.ofMillis(300));
    private final LongAdder opened = new LongAdder();
    private final Body body = new Body();

    @TempDir
    Path directory;

    @AfterEach
    void close() {
        deadlines.close();
    }

    private static final class Body implements BodyListener {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private int status;

        @Override
        public void begin(int answered) {
            status = answered;
            bytes.reset();
        }

        @Override
        public void accept(byte[] piece, int offset, int length) {
            bytes.write(piece, offset, length);
        }

        String text() {
            return bytes.toString(StandardCharsets.ISO_8859_1);
        }
    }

    private HttpConnection connection(HttpTarget target, @Nullable SSLSocketFactory tls, boolean checkName) {
        return new HttpConnection(
                target,
                tls,
                checkName,
                new HttpTimeouts(Duration.ofSeconds(30), Duration.ofSeconds(30)),
                deadlines,
                opened);
    }

    private void get(HttpConnection connection, HttpTarget target) throws HttpExchangeException {
        send(connection, target, "GET", new byte[0]);
    }

    private void send(HttpConnection connection, HttpTarget target, String method, byte[] content)
            throws HttpExchangeException {
        connection.exchange(new HttpRequestHead(target, method, "/path", Map.of("X-One", "1")), null, content, body);
    }

    private static HttpTarget target(ScriptedServer server) {
        return new HttpTarget("127.0.0.1", server.port(), false);
    }

    private static ScriptedServer server(String... answers) throws IOException {
        return new ScriptedServer(InetAddress.getByName("127.0.0.1"), answers);
    }

    @Test
    void keepsOneConnectionForAnswersOfEveryFraming() throws Exception {
        try (ScriptedServer server = server(
                        OK,
                        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;x=y\r\nhello\r\n6\r\n world\r\n0\r\nT: 1\r\n\r\n",
                        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" + OK,
                        "HTTP/1.1 204 No Content\r\n\r\n",
                        "HTTP/1.1 304 Not Modified\r\nContent-Length: 100\r\n\r\n",
                        "HTTP/1.1 200\r\ncontent-LENGTH:  0 \r\n\r\n",
                        "HTTP/1.1 200 OK\nContent-Length: 2\nTransfer-Encoding: chunked\n\n2\nhi\r\n0\n\n");
                HttpConnection connection = connection(target(server), null, true)) {
            get(connection, target(server));
            assertThat(body.text()).isEqualTo("ok");
            assertThat(connection.connectNanos()).isPositive();
            get(connection, target(server));
            assertThat(body.text()).isEqualTo("hello world");
            assertThat(connection.bodyBytes()).isEqualTo(11);
            assertThat(connection.connectNanos()).isEqualTo(-1);
            get(connection, target(server));
            assertThat(connection.status()).isEqualTo(200);
            assertThat(body.text()).isEqualTo("ok");
            get(connection, target(server));
            assertThat(connection.status()).isEqualTo(204);
            get(connection, target(server));
            assertThat(connection.status()).isEqualTo(304);
            get(connection, target(server));
            assertThat(body.text()).isEmpty();
            get(connection, target(server));
            assertThat(body.text()).isEqualTo("hi");
            assertThat(server.connections).hasValue(1);
            assertThat(opened.sum()).isEqualTo(1);
            assertThat(connection.latencyNanos()).isBetween(1L, connection.elapsedNanos());
        }
    }

    @Test
    void readsNoBodyAfterHead() throws Exception {
        try (ScriptedServer server = server("HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n", OK);
                HttpConnection connection = connection(target(server), null, true)) {
            send(connection, target(server), "HEAD", new byte[0]);
            assertThat(connection.status()).isEqualTo(200);
            get(connection, target(server));
            assertThat(server.connections).hasValue(1);
        }
    }

    @Test
    void opensAnotherConnectionAfterClose() throws Exception {
        try (ScriptedServer server = server(
                        "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok<close>",
                        "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok<close>",
                        "HTTP/1.1 200 OK\r\n\r\nto the end<close>",
                        OK);
                HttpConnection connection = connection(target(server), null, true)) {
            for (String expected : new String[] {"ok", "ok", "to the end", "ok"}) {
                get(connection, target(server));
                assertThat(body.text()).isEqualTo(expected);
            }
            assertThat(opened.sum()).isEqualTo(4);
        }
    }

    @Test
    void repeatsAnIdempotentRequestOnceWhenAKeptConnectionWasClosed() throws Exception {
        try (ScriptedServer server = server(OK, "", OK, OK, "");
                HttpConnection connection = connection(target(server), null, true)) {
            get(connection, target(server));
            get(connection, target(server));
            assertThat(body.text()).isEqualTo("ok");
            assertThat(server.requests).hasSize(3);
            send(connection, target(server), "POST", new byte[] {'x'});
            assertThatThrownBy(() -> send(connection, target(server), "POST", new byte[] {'x'}))
                    .isInstanceOfSatisfying(
                            HttpExchangeException.class,
                            e -> assertThat(e.kind()).isEqualTo(Kind.CLOSED));
            assertThat(server.requests).hasSize(5);
        }
    }

    /** What a connection does with its clock and its socket, in order; the clock goes on only when it is read or moved. */
    private static final class Trace {
        private final List<String> events = new ArrayList<>();
        // Ahead of the true time: nobody is cut off.
        private long nanos = System.nanoTime() + Duration.ofDays(1).toNanos();

        long read() {
            nanos++;
            events.add("clock " + nanos);
            return nanos;
        }

        Socket socket() {
            return new Socket() {
                @Override
                public void setSoTimeout(int millis) throws SocketException {
                    if (millis > 0) {
                        events.add("wait");
                    }
                    super.setSoTimeout(millis);
                }

                @Override
                public OutputStream getOutputStream() throws IOException {
                    return new FilterOutputStream(super.getOutputStream()) {
                        @Override
                        public void write(byte[] bytes, int offset, int length) throws IOException {
                            events.add("write");
                            out.write(bytes, offset, length);
                        }
                    };
                }
            };
        }

        List<String> betweenStartAndWrite(HttpConnection connection) {
            int start = events.indexOf("clock " + connection.startNanos());
            return events.subList(
                    start + 1, start + events.subList(start, events.size()).indexOf("write"));
        }
    }

    private HttpConnection connection(HttpTarget target, Trace trace) {
        HttpTimeouts timeouts = new HttpTimeouts(Duration.ofSeconds(30), Duration.ofSeconds(30));
        return new HttpConnection(target, null, true, timeouts, deadlines, opened, trace::read, trace::socket);
    }

    @Test
    void waitsForNothingBetweenTheStartOfARequestAndItsFirstByte() throws Exception {
        Trace trace = new Trace();
        try (ScriptedServer server = server(OK, OK, OK);
                HttpConnection connection = connection(target(server), trace)) {
            get(connection, target(server));
            trace.nanos += Duration.ofMillis(900).toNanos();
            get(connection, target(server));
            assertThat(trace.events).doesNotContain("wait");
            trace.nanos += Duration.ofMillis(1100).toNanos();
            get(connection, target(server));
            assertThat(trace.events).containsOnlyOnce("wait");
            assertThat(trace.betweenStartAndWrite(connection)).isEmpty();
            assertThat(server.connections).hasValue(1);
        }
    }

    @Test
    void looksOnceWhenItIsLookedAtBeforeARequest() throws Exception {
        Trace trace = new Trace();
        try (ScriptedServer server = server(OK, OK);
                HttpConnection connection = connection(target(server), trace)) {
            assertThat(connection.wantsLookAt(trace.nanos)).isFalse();
            get(connection, target(server));
            assertThat(connection.wantsLookAt(
                            trace.nanos + Duration.ofMillis(1100).toNanos()))
                    .isTrue();
            trace.nanos += Duration.ofMillis(1100).toNanos();
            connection.look();
            get(connection, target(server));
            assertThat(trace.events).containsOnlyOnce("wait");
            assertThat(server.connections).hasValue(1);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void noticesAConnectionThatWasClosedWhileItWasIdle(boolean lookedAtBefore) throws Exception {
        Trace trace = new Trace();
        try (ScriptedServer server = server(OK, OK);
                HttpConnection connection = connection(target(server), trace)) {
            send(connection, target(server), "POST", new byte[] {'x'});
            server.dropConnections();
            trace.nanos += Duration.ofMillis(1200).toNanos();
            if (lookedAtBefore) {
                connection.look();
            }
            send(connection, target(server), "POST", new byte[] {'x'});
            assertThat(server.connections).hasValue(2);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "HTTP/2 200 OK<r><r>|does not begin with a status line",
                "hello<r><r>|does not begin with a status line",
                "HTTP/1.1 200 OK<r>Content-Length: 2<r>Content-Length: 3<r><r>okk|two different content-lengths",
                "HTTP/1.1 200 OK<r>Content-Length: -1<r><r>|no number",
                "HTTP/1.1 200 OK<r>Content-Length: 99999999999999999999<r><r>|no number",
                "HTTP/1.1 200 OK<r>Transfer-Encoding: chunked<r><r>xyz<r>|chunk size that is no number",
                "HTTP/1.1 200 OK<r>Transfer-Encoding: chunked<r><r>2<r>abc<r>|longer than its size",
                "HTTP/1.1 101 Switching Protocols<r><r>|switched protocols",
                "HTTP/1.1 200 OK<r>no colon here<r><r>|without a name",
            })
    void refusesAnswersThatAreNoHttp(String answer, String message) throws Exception {
        try (ScriptedServer server = server(answer.replace("<r>", "\r\n"));
                HttpConnection connection = connection(target(server), null, true)) {
            assertThatThrownBy(() -> get(connection, target(server)))
                    .isInstanceOfSatisfying(
                            HttpExchangeException.class,
                            e -> assertThat(e.kind()).isEqualTo(Kind.PROTOCOL))
                    .hasMessageContaining(message);
        }
    }

    @Test
    void limitsTheHead() throws Exception {
        String endless = "HTTP/1.1 200 OK\r\n" + ("X-Filler: " + "y".repeat(1000) + "\r\n").repeat(80) + "\r\n";
        String large = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n"
                + ("X-Filler: " + "y".repeat(1000) + "\r\n").repeat(50) + "\r\nok";
        try (ScriptedServer server = server(large, endless);
                HttpConnection connection = connection(target(server), null, true)) {
            get(connection, target(server));
            assertThat(body.text()).isEqualTo("ok");
            assertThatThrownBy(() -> get(connection, target(server))).hasMessageContaining("exceeds 65536 bytes");
        }
    }

    @Test
    void failsAnAnswerThatEndsTooEarly() throws Exception {
        try (ScriptedServer server = server("HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\nshort<close>");
                HttpConnection connection = connection(target(server), null, true)) {
            assertThatThrownBy(() -> get(connection, target(server)))
                    .hasMessageContaining("connection ended within a response");
        }
    }

    private HttpConnection connection(HttpTarget target, Duration connect, Duration response) {
        return new HttpConnection(target, null, true, new HttpTimeouts(connect, response), deadlines, opened);
    }

    @Test
    void endsAResponseThatTakesTooLongAndGoesOnWithANewConnection() throws Exception {
        String half = "HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\nhalf<wait>";
        try (ScriptedServer server = server("<wait>", half, OK);
                HttpConnection connection =
                        connection(target(server), Duration.ofSeconds(10), Duration.ofMillis(300))) {
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> send(connection, target(server), "POST", new byte[] {'x'}))
                        .isInstanceOfSatisfying(
                                HttpExchangeException.class,
                                e -> assertThat(e.kind()).isEqualTo(Kind.TIMEOUT))
                        .hasMessage("no response within 300 ms");
                assertThat(Duration.ofNanos(connection.elapsedNanos())).isGreaterThanOrEqualTo(Duration.ofMillis(300));
            }
            send(connection, target(server), "POST", new byte[] {'x'});
            assertThat(body.text()).isEqualTo("ok");
            assertThat(opened.sum()).isEqualTo(3);
        }
    }

    @Test
    void endsAnAttemptToConnectThatTakesTooLong() throws Exception {
        // Nobody accepts, and the queue of one is full: the next connection is never established.
        try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            List<Socket> waiting = new ArrayList<>();
            HttpTarget target = new HttpTarget("127.0.0.1", full.getLocalPort(), false);
            try {
                for (int i = 0; i < 8; i++) {
                    Socket socket = new Socket();
                    waiting.add(socket);
                    socket.connect(full.getLocalSocketAddress(), 100);
                }
            } catch (IOException e) {
                // Full, as wanted.
            }
            try (HttpConnection connection = connection(target, Duration.ofMillis(300), Duration.ofSeconds(10))) {
                assertThatThrownBy(() -> get(connection, target))
                        .isInstanceOfSatisfying(
                                HttpExchangeException.class,
                                e -> assertThat(e.kind()).isEqualTo(Kind.TIMEOUT))
                        .hasMessage("no connection within 300 ms");
            } finally {
                for (Socket socket : waiting) {
                    socket.close();
                }
            }
        }
    }

    @Test
    void aTlsHandshakeCountsAsConnecting() throws Exception {
        SSLSocketFactory all = TlsSockets.context(true, Optional.empty()).getSocketFactory();
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"))) {
            HttpTarget target = new HttpTarget("127.0.0.1", silent.getLocalPort(), true);
            HttpTimeouts timeouts = new HttpTimeouts(Duration.ofMillis(300), Duration.ofSeconds(10));
            try (HttpConnection connection = new HttpConnection(target, all, false, timeouts, deadlines, opened)) {
                assertThatThrownBy(() -> get(connection, target)).hasMessage("no connection within 300 ms");
            }
        }
    }

    @Test
    void tellsThatNothingListens() throws Exception {
        // A port that is taken and does not listen: one that is free may be another program's the next moment.
        try (Socket taken = new Socket()) {
            taken.bind(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0));
            HttpTarget target = new HttpTarget("127.0.0.1", taken.getLocalPort(), false);
            HttpConnection connection = connection(target, null, true);
            assertThatThrownBy(() -> get(connection, target))
                    .isInstanceOfSatisfying(
                            HttpExchangeException.class,
                            e -> assertThat(e.kind()).isEqualTo(Kind.CONNECT))
                    .hasMessageContaining("cannot connect");
        }
    }

    @Test
    void sendsWhatWasAskedForAndNothingElse() throws Exception {
        try (ScriptedServer server = server(OK, OK);
                HttpConnection connection = connection(target(server), null, true)) {
            HttpRequestHead head = new HttpRequestHead(target(server), "POST", "/a?b=c", Map.of("X-One", "1"));
            connection.exchange(head, "tok".getBytes(StandardCharsets.US_ASCII), "body".getBytes(), body);
            assertThat(server.requests)
                    .containsExactly("POST /a?b=c HTTP/1.1\r\nHost: 127.0.0.1:" + server.port()
                            + "\r\nX-One: 1\r\nAuthorization: Bearer tok\r\nContent-Length: 4\r\n\r\nbody");
            assertThat(connection.sentBytes()).isEqualTo(server.requests.get(0).length());
            assertThat(connection.receivedBytes()).isEqualTo(OK.length());
            byte[] large = new byte[200_000];
            connection.exchange(head, null, large, body);
            assertThat(server.requests.get(1)).endsWith(new String(large, StandardCharsets.ISO_8859_1));
        }
    }

    @Test
    void reachesIpv6Addresses() throws Exception {
        ScriptedServer server;
        try {
            server = new ScriptedServer(InetAddress.getByName("::1"), OK);
        } catch (IOException e) {
            Assumptions.abort("this machine has no IPv6 loopback: " + e.getMessage());
            return;
        }
        HttpTarget target = HttpTarget.of(URI.create("http://[::1]:" + server.port()));
        try (server;
                HttpConnection connection = connection(target, null, true)) {
            get(connection, target);
            assertThat(server.requests.get(0)).contains("Host: [::1]:" + server.port() + "\r\n");
        }
    }

    private KeyStore keyStore(Path file) throws Exception {
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "tls",
                        "-keyalg",
                        "EC",
                        "-groupname",
                        "secp256r1",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        file.toString(),
                        "-storepass",
                        "changeit",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "SAN=dns:localhost")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertThat(keytool.waitFor()).isZero();
        return KeyStore.getInstance(file.toFile(), "changeit".toCharArray());
    }

    @ParameterizedTest
    @CsvSource({"TLSv1.2", "TLSv1.3"})
    void speaksTlsWithServerNameAndChecksTheCertificate(String version) throws Exception {
        KeyStore store = keyStore(directory.resolve("tls.p12"));
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, "changeit".toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        SSLServerSocket listening = (SSLServerSocket)
                context.getServerSocketFactory().createServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
        listening.setEnabledProtocols(new String[] {version});
        Path pem = directory.resolve("ca.pem");
        java.nio.file.Files.writeString(
                pem,
                "-----BEGIN CERTIFICATE-----\n"
                        + java.util.Base64.getMimeEncoder()
                                .encodeToString(store.getCertificate("tls").getEncoded())
                        + "\n-----END CERTIFICATE-----\n");
        try (ScriptedServer server = new ScriptedServer(listening, OK, OK, OK, OK)) {
            HttpTarget byName = new HttpTarget("localhost", server.port(), true);
            HttpTarget byAddress = new HttpTarget("127.0.0.1", server.port(), true);
            SSLSocketFactory trusting =
                    TlsSockets.context(false, Optional.of(pem)).getSocketFactory();
            try (HttpConnection connection = connection(byName, trusting, true)) {
                get(connection, byName);
                get(connection, byName);
                assertThat(body.text()).isEqualTo("ok");
                assertThat(opened.sum()).isEqualTo(1);
                assertThat(server.serverNames).containsExactly("localhost");
            }
            try (HttpConnection connection = connection(byAddress, trusting, true)) {
                assertThatThrownBy(() -> get(connection, byAddress))
                        .isInstanceOfSatisfying(
                                HttpExchangeException.class,
                                e -> assertThat(e.kind()).isEqualTo(Kind.TLS));
            }
            SSLSocketFactory jvm = TlsSockets.context(false, Optional.empty()).getSocketFactory();
            try (HttpConnection connection = connection(byName, jvm, true)) {
                assertThatThrownBy(() -> get(connection, byName)).hasMessageContaining("TLS handshake failed");
            }
            SSLSocketFactory all = TlsSockets.context(true, Optional.empty()).getSocketFactory();
            try (HttpConnection connection = connection(byAddress, all, false)) {
                get(connection, byAddress);
                assertThat(body.text()).isEqualTo("ok");
                // An address is no name to ask for (RFC 6066, 3).
                assertThat(server.serverNames).last().isEqualTo("");
            }
        }
    }

    @Test
    void refusesClearlyWhatItDoesNotDo() {
        HttpTarget target = new HttpTarget("localhost", 80, false);
        assertThatThrownBy(() -> new HttpRequestHead(target, "POST", "/", Map.of("Expect", "100-continue")))
                .hasMessageContaining("--http-client jmeter");
        assertThatThrownBy(() -> new HttpRequestHead(target, "GET", "no slash", Map.of()))
                .hasMessageContaining("must begin with /");
        assertThatThrownBy(() -> new HttpRequestHead(target, "GET", "/", Map.of("X", "a\r\nY: b")))
                .hasMessageContaining("not allowed");
    }
}
