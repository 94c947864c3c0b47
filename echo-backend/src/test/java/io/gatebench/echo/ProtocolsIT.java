/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.echo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.StringReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import javax.xml.parsers.DocumentBuilderFactory;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.xml.sax.InputSource;

/** What must hold on every protocol, through the JDK's client: the predecessor's delay worked on HTTP/1.1 alone. */
@TestInstance(Lifecycle.PER_CLASS)
class ProtocolsIT {

    enum Protocol {
        HTTP_1_1(Version.HTTP_1_1, null),
        HTTP_1_1_TLS(Version.HTTP_1_1, TlsProvider.AUTO),
        HTTP_1_1_JDK_TLS(Version.HTTP_1_1, TlsProvider.JDK),
        /** The JDK's client asks for HTTP/2 in clear by upgrade. */
        H2C_UPGRADE(Version.HTTP_2, null),
        HTTP_2_TLS(Version.HTTP_2, TlsProvider.AUTO),
        HTTP_2_JDK_TLS(Version.HTTP_2, TlsProvider.JDK);

        final Version version;
        final @Nullable TlsProvider tls;

        Protocol(Version version, @Nullable TlsProvider tls) {
            this.version = version;
            this.tls = tls;
        }
    }

    private LeakWatch leaks;
    private EchoServer server;
    private EchoServer jdkServer;
    private SSLContext trust;

    @BeforeAll
    void start() throws IOException, GeneralSecurityException {
        leaks = LeakWatch.start();
        server = start(TlsProvider.AUTO);
        jdkServer = start(TlsProvider.JDK);
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setCertificateEntry("echo", server.certificate().orElseThrow());
        store.setCertificateEntry("jdk", jdkServer.certificate().orElseThrow());
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        trust = SSLContext.getInstance("TLS");
        trust.init(null, factory.getTrustManagers(), null);
    }

    private static EchoServer start(TlsProvider provider) {
        return EchoServer.start(EchoServerConfig.builder()
                .host("127.0.0.1")
                .port(0)
                .tlsPort(0)
                .tlsProvider(provider)
                .http2(true)
                .noAdmin()
                .build());
    }

    @AfterAll
    void stop() {
        server.close();
        jdkServer.close();
        leaks.assertNone();
    }

    private HttpClient client(Protocol protocol) {
        return HttpClient.newBuilder()
                .version(protocol.version)
                .sslContext(trust)
                .build();
    }

    private EchoServer server(Protocol protocol) {
        return protocol.tls == TlsProvider.JDK ? jdkServer : server;
    }

    private HttpRequest.Builder request(Protocol protocol, String path) {
        boolean tls = protocol.tls != null;
        int port = tls ? server(protocol).tlsPort().orElseThrow() : server.port();
        return HttpRequest.newBuilder(URI.create((tls ? "https" : "http") + "://localhost:" + port + path))
                .timeout(Duration.ofSeconds(20));
    }

    @ParameterizedTest
    @EnumSource
    void echoesBodyAndType(Protocol protocol) throws Exception {
        HttpClient client = client(protocol);
        for (int size : new int[] {1, 1024, 10_240, 102_400, 1 << 20}) {
            byte[] body = new byte[size];
            new Random(size).nextBytes(body);
            HttpResponse<byte[]> response = client.send(
                    request(protocol, "/x")
                            .header("content-type", "application/x-test; a=\"b\"")
                            .method("PATCH", BodyPublishers.ofByteArray(body))
                            .build(),
                    BodyHandlers.ofByteArray());
            assertThat(response.version()).isEqualTo(protocol.version);
            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(response.headers().firstValue("content-type")).contains("application/x-test; a=\"b\"");
            assertThat(Arrays.equals(response.body(), body)).isTrue();
        }
        HttpResponse<byte[]> empty = client.send(request(protocol, "/").GET().build(), BodyHandlers.ofByteArray());
        assertThat(empty.statusCode()).isEqualTo(200);
        assertThat(empty.body()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void waitsAsLongAsItIsTold(Protocol protocol) throws Exception {
        HttpClient client = client(protocol);
        // What it takes to connect is no delay of a response.
        client.send(request(protocol, "/").build(), BodyHandlers.discarding());
        for (String delay :
                new String[] {"150ms", "uniform:150ms-160ms", "normal:170ms,2ms", "lognormal:p50=170ms,p99=175ms"}) {
            long start = System.nanoTime();
            HttpResponse<String> response = client.send(
                    request(protocol, "/")
                            .header("echo-delay", delay)
                            .POST(BodyPublishers.ofString("late"))
                            .build(),
                    BodyHandlers.ofString());
            long millis = (System.nanoTime() - start) / 1_000_000;
            assertThat(response.body()).isEqualTo("late");
            assertThat(millis).as("never early, and not by far too late").isBetween(150L, 1_500L);
        }
    }

    @ParameterizedTest
    @EnumSource
    void delaysRunSideBySide(Protocol protocol) {
        HttpClient client = client(protocol);
        client.sendAsync(request(protocol, "/").build(), BodyHandlers.discarding())
                .join();
        long start = System.nanoTime();
        List<CompletableFuture<HttpResponse<String>>> all = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            all.add(client.sendAsync(
                    request(protocol, "/")
                            .header("echo-delay", "300ms")
                            .POST(BodyPublishers.ofString("n" + i))
                            .build(),
                    BodyHandlers.ofString()));
        }
        for (int i = 0; i < all.size(); i++) {
            assertThat(all.get(i).join().body()).isEqualTo("n" + i);
        }
        // One after the other they would take 30 s.
        assertThat((System.nanoTime() - start) / 1_000_000).isBetween(300L, 15_000L);
    }

    @ParameterizedTest
    @EnumSource
    void refusesALargeBodyAndLivesOn(Protocol protocol) throws Exception {
        HttpClient client = client(protocol);
        assertThat(statusOrEnd(
                        client,
                        request(protocol, "/")
                                .POST(BodyPublishers.ofByteArray(new byte[(1 << 20) + 1]))
                                .timeout(Duration.ofSeconds(3))
                                .build()))
                .isIn(413, 0);
        HttpResponse<String> next = client.send(
                request(protocol, "/").POST(BodyPublishers.ofString("next")).build(), BodyHandlers.ofString());
        assertThat(next.body()).isEqualTo("next");
        assertThat(server(protocol).stats().responses()).containsKey(413);
    }

    /** The JDK's client may fail on a response that comes before its request has been sent, or wait for ever. */
    private static int statusOrEnd(HttpClient client, HttpRequest request) throws InterruptedException {
        try {
            return client.send(request, BodyHandlers.discarding()).statusCode();
        } catch (IOException e) {
            return 0;
        }
    }

    @ParameterizedTest
    @EnumSource
    void answersAsTheControlHeadersAsk(Protocol protocol) throws Exception {
        HttpClient client = client(protocol);
        for (int size : new int[] {0, 10, 31, 32, 10_240, 3_000_000}) {
            HttpResponse<String> sized = client.send(
                    request(protocol, "/")
                            .header("echo-response-size", Integer.toString(size))
                            .POST(BodyPublishers.ofString("ignored"))
                            .build(),
                    BodyHandlers.ofString());
            assertThat(sized.body()).hasSize(size);
            if (size >= 32) {
                assertThat(sized.body())
                        .startsWith("{\"size\":\"" + size + "B\",\"payload\":\"0123")
                        .endsWith("\"}");
            }
        }
        for (int size : new int[] {100, 288, 289, 1024, 10_240, 200_000}) {
            HttpResponse<String> soap = client.send(
                    request(protocol, "/")
                            .header("content-type", "application/soap+XML; charset=utf-8")
                            .header("echo-response-size", Integer.toString(size))
                            .POST(BodyPublishers.ofString("<ignored/>"))
                            .build(),
                    BodyHandlers.ofString());
            assertThat(soap.body()).hasSize(size);
            if (size >= 289) {
                assertThat(soap.headers().firstValue("content-type")).contains("text/xml");
                assertThat(soap.body()).contains("<soapenv:Body>", "<symbol>IBM</symbol>");
                DocumentBuilderFactory.newInstance()
                        .newDocumentBuilder()
                        .parse(new InputSource(new StringReader(soap.body())));
            }
        }
        HttpResponse<String> failing =
                client.send(request(protocol, "/").header("echo-status", "429").build(), BodyHandlers.ofString());
        assertThat(failing.statusCode()).isEqualTo(429);
        HttpResponse<String> nothing =
                client.send(request(protocol, "/").header("echo-status", "204").build(), BodyHandlers.ofString());
        assertThat(nothing.statusCode()).isEqualTo(204);
        HttpResponse<String> wrong =
                client.send(request(protocol, "/").header("echo-delay", "soon").build(), BodyHandlers.ofString());
        assertThat(wrong.statusCode()).isEqualTo(400);
        assertThat(wrong.body()).contains("echo-delay: 'soon' is no delay");
    }

    @ParameterizedTest
    @EnumSource
    void returnsTheMarkOfEachRequest(Protocol protocol) throws Exception {
        HttpClient client = client(protocol);
        for (String mark : new String[] {"a", "0aZ-_", "m".repeat(64)}) {
            HttpResponse<String> marked = client.send(
                    request(protocol, "/")
                            .header("echo-mark", mark)
                            .POST(BodyPublishers.ofString("body"))
                            .build(),
                    BodyHandlers.ofString());
            assertThat(marked.body()).isEqualTo("body");
            assertThat(marked.headers().allValues("echo-mark")).containsExactly(mark);
        }
        HttpResponse<String> tooLong = client.send(
                request(protocol, "/").header("echo-mark", "m".repeat(65)).build(), BodyHandlers.ofString());
        assertThat(tooLong.headers().firstValue("echo-mark")).isEmpty();
        HttpResponse<String> none = client.send(request(protocol, "/").build(), BodyHandlers.ofString());
        assertThat(none.headers().firstValue("echo-mark")).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void sendsASlowBodySlowly(Protocol protocol) throws Exception {
        byte[] body = new byte[20_000];
        new Random(7).nextBytes(body);
        HttpClient client = client(protocol);
        client.send(request(protocol, "/").build(), BodyHandlers.discarding());
        long start = System.nanoTime();
        HttpResponse<byte[]> response = client.send(
                request(protocol, "/")
                        .header("echo-body-rate", "100kB/s")
                        .POST(BodyPublishers.ofByteArray(body))
                        .build(),
                BodyHandlers.ofByteArray());
        assertThat(Arrays.equals(response.body(), body)).isTrue();
        assertThat((System.nanoTime() - start) / 1_000_000).isBetween(199L, 2_000L);
    }

    @ParameterizedTest
    @EnumSource
    void failsOnPurpose(Protocol protocol) throws Exception {
        HttpClient client = client(protocol);
        assertThatThrownBy(() -> client.send(
                        request(protocol, "/").header("echo-fault", "reset").build(), BodyHandlers.discarding()))
                .isInstanceOf(IOException.class);
        assertThatThrownBy(() -> client.send(
                        request(protocol, "/")
                                .header("echo-fault", "never-answer")
                                .timeout(Duration.ofMillis(300))
                                .build(),
                        BodyHandlers.discarding()))
                .isInstanceOf(java.net.http.HttpTimeoutException.class);
        HttpResponse<String> next = client.send(
                request(protocol, "/").POST(BodyPublishers.ofString("next")).build(), BodyHandlers.ofString());
        assertThat(next.body()).isEqualTo("next");
    }

    @ParameterizedTest
    @EnumSource
    void answersGraphQl(Protocol protocol) throws Exception {
        HttpResponse<String> response = client(protocol)
                .send(
                        request(protocol, "/starwars/1.0.0")
                                .header("content-type", "application/json")
                                .header("query-number", "1")
                                .POST(BodyPublishers.ofString("{}"))
                                .build(),
                        BodyHandlers.ofString());
        assertThat(response.body()).contains("R2-D2").hasSize(790);
        HttpResponse<String> unknown = client(protocol)
                .send(
                        request(protocol, "/graphql")
                                .POST(BodyPublishers.ofString("{\"query\":\"{ a }\"}"))
                                .build(),
                        BodyHandlers.ofString());
        assertThat(unknown.statusCode()).isEqualTo(200);
        assertThat(unknown.body()).startsWith("{\"errors\":");
    }

    @Test
    void theJdkDoesTlsWhereItIsAskedTo() {
        assertThat(jdkServer.tlsProvider()).contains("jdk");
    }

    @Test
    void certificateIsForThisMachineAndValidNow() throws Exception {
        server.certificate().orElseThrow().checkValidity();
        assertThat(server.certificate().orElseThrow().getSubjectAlternativeNames())
                .anySatisfy(name -> assertThat(name.get(1)).isEqualTo("localhost"))
                .anySatisfy(name -> assertThat(name.get(1)).isEqualTo("127.0.0.1"));
    }
}
