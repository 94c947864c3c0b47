/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.echo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Faults, limits, counts and the end of a server. */
class ServerLifeIT {

    private static final String POST = "POST /e HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n";

    private static EchoServerConfig.Builder quiet() {
        return EchoServerConfig.builder().host("127.0.0.1").port(0).noAdmin();
    }

    @Test
    void theSameSeedGivesTheSameFaultsAndAnotherSeedOthers() {
        List<Integer> first = statuses(7);
        assertThat(statuses(7)).isEqualTo(first);
        assertThat(statuses(8)).isNotEqualTo(first);
        assertThat(first).contains(200, 502);
        assertThat(first.stream().filter(status -> status == 502).count()).isBetween(60L, 140L);
    }

    private static List<Integer> statuses(long seed) {
        List<Integer> statuses = new ArrayList<>();
        try (EchoServer server = EchoServer.start(
                        quiet().seed(seed).errorRate(0.25).errorStatus(502).build());
                RawClient client = new RawClient(server.port())) {
            for (int i = 0; i < 400; i++) {
                statuses.add(client.send(POST + "\r\nx").response().status());
            }
        }
        return statuses;
    }

    @Test
    void resetsAndNeverAnswersAsOftenAsTold() throws Exception {
        try (EchoServer server = EchoServer.start(quiet().resetRate(1).build());
                RawClient client = new RawClient(server.port())) {
            assertThatThrownBy(() -> client.send(POST + "\r\nx").response()).hasMessageContaining("reset");
            assertThat(server.stats().resets()).isEqualTo(1);
        }
        try (EchoServer server = EchoServer.start(
                        quiet().neverAnswerRate(1).delay(Duration.ofMillis(1)).build());
                RawClient client = new RawClient(server.port())) {
            client.send(POST + "\r\nx");
            await(() -> server.stats().neverAnswered() == 1);
            assertThat(client.isSilentFor(200)).isTrue();
        }
    }

    @Test
    void answersNoneOf2000WaitingConnectionsEarlyOrFarTooLate() {
        int count = 2000;
        List<RawClient> clients = new ArrayList<>();
        try (EchoServer server = EchoServer.start(quiet().delay(Duration.ofMillis(500))
                .shutdownTimeout(Duration.ofMillis(500))
                .build())) {
            try {
                long[] sent = new long[count];
                for (int i = 0; i < count; i++) {
                    RawClient client = new RawClient(server.port());
                    clients.add(client);
                    sent[i] = System.nanoTime();
                    client.send(POST + "\r\nx");
                }
                for (int i = 0; i < count; i++) {
                    assertThat(clients.get(i).response().text()).isEqualTo("x");
                    assertThat(System.nanoTime() - sent[i]).isGreaterThanOrEqualTo(500_000_000);
                }
                EchoStats.Delays delays = server.stats().delays();
                assertThat(delays.count()).isEqualTo(count);
                assertThat(delays.lateP50Micros()).as("microseconds too late").isBetween(0L, 250_000L);
            } finally {
                clients.forEach(RawClient::close);
            }
        }
    }

    @Test
    void ignoresControlHeadersWhenToldTo() {
        try (EchoServer server = EchoServer.start(quiet().controlHeaders(false).build());
                RawClient client = new RawClient(server.port())) {
            client.send(POST + "echo-status: 500\r\necho-delay: nonsense\r\n\r\nx");
            assertThat(client.response().text()).isEqualTo("x");
        }
    }

    @Test
    void theServersOwnResponseSizeNeedsNoBodyAndHoldsNone() {
        try (EchoServer server = EchoServer.start(quiet().responseSize(100).build());
                RawClient client = new RawClient(server.port())) {
            client.send("POST /e HTTP/1.1\r\nHost: a\r\nContent-Length: 500000\r\n\r\n")
                    .send(new byte[500_000]);
            assertThat(client.response().text()).hasSize(100).startsWith("{\"size\":\"100B\"");
            client.send("GET /e HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(client.response().text()).hasSize(100);
            assertThat(server.stats().requestBytes()).isEqualTo(500_000);
            assertThat(server.stats().responseBytes()).isEqualTo(200);
        }
    }

    @Test
    void turnsConnectionsAwayAboveTheLimitAndTakesThemAgainBelow() throws Exception {
        try (EchoServer server = EchoServer.start(quiet().maxConnections(2).build())) {
            try (RawClient first = new RawClient(server.port());
                    RawClient second = new RawClient(server.port())) {
                assertThat(first.send(POST + "\r\n1").response().text()).isEqualTo("1");
                assertThat(second.send(POST + "\r\n2").response().text()).isEqualTo("2");
                try (RawClient third = new RawClient(server.port())) {
                    assertThat(third.isEnded()).isTrue();
                }
                assertThat(server.stats().connectionsRefused()).isEqualTo(1);
            }
            await(() -> server.stats().connectionsOpen() == 0);
            try (RawClient again = new RawClient(server.port())) {
                assertThat(again.send(POST + "\r\n3").response().text()).isEqualTo("3");
            }
        }
    }

    @Test
    void closesRestingConnectionsButNoneThatWaitsForItsAnswer() {
        try (EchoServer server = EchoServer.start(
                        quiet().idleTimeout(Duration.ofMillis(500)).build());
                RawClient resting = new RawClient(server.port());
                RawClient waiting = new RawClient(server.port())) {
            waiting.send(POST + "echo-delay: 1500ms\r\n\r\nw");
            assertThat(resting.send(POST + "\r\nr").response().text()).isEqualTo("r");
            assertThat(resting.isEnded()).isTrue();
            assertThat(waiting.response().text()).isEqualTo("w");
        }
    }

    @Test
    void givesUpOnAClientThatReadsNothing() throws Exception {
        try (EchoServer server = EchoServer.start(
                        quiet().writeTimeout(Duration.ofMillis(500)).build());
                RawClient client = new RawClient(server.port())) {
            for (int i = 0; i < 4; i++) {
                client.send(POST + "echo-response-size: 16MiB\r\n\r\nx");
            }
            await(() -> server.stats().timeouts() == 1);
            await(() -> server.stats().connectionsOpen() == 0);
        }
    }

    @Test
    void finishesWhatIsInFlightWhenItIsClosed() throws Exception {
        EchoServer server = EchoServer.start(quiet().http2(true).build());
        RawClient idle = new RawClient(server.port());
        RawClient busy = new RawClient(server.port());
        RawClient never = new RawClient(server.port());
        busy.send(POST + "echo-delay: 2s\r\n\r\nb");
        never.send(POST + "echo-fault: never-answer\r\n\r\nb");
        await(() -> server.stats().requests() == 2);
        CompletableFuture<Void> closed = CompletableFuture.runAsync(server::close);
        RawClient.Response response = busy.response();
        assertThat(response.text()).isEqualTo("b");
        assertThat(response.headers()).containsEntry("connection", "close");
        assertThat(idle.isEnded()).isTrue();
        assertThat(never.isEnded()).isTrue();
        busy.close();
        closed.get(5, TimeUnit.SECONDS);
        assertThatThrownBy(() -> new Socket(InetAddress.getLoopbackAddress(), server.port()))
                .isInstanceOf(IOException.class);
        server.close();
    }

    @Test
    void countsExactlyAndLogsEveryResponse(@TempDir Path dir) throws Exception {
        Path log = dir.resolve("access.csv");
        EchoServer server = EchoServer.start(
                quiet().accessLog(log).delay(Duration.ofMillis(20)).threads(2).build());
        for (int c = 0; c < 5; c++) {
            try (RawClient client = new RawClient(server.port())) {
                for (int i = 0; i < 20; i++) {
                    client.send("POST /a,b?\"c\" HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nbody");
                    assertThat(client.response().status()).isEqualTo(200);
                }
                client.send(POST + "echo-status: 404\r\n\r\nx");
                assertThat(client.response().status()).isEqualTo(404);
                client.send("nonsense\r\n\r\n");
                assertThat(client.response().status()).isEqualTo(400);
            }
        }
        EchoStats stats = server.stats();
        assertThat(stats.requests()).isEqualTo(105);
        assertThat(stats.responses())
                .containsEntry(200, 100L)
                .containsEntry(404, 5L)
                .containsEntry(400, 5L);
        assertThat(stats.responseCount()).isEqualTo(110);
        assertThat(stats.requestBytes()).isEqualTo(405);
        assertThat(stats.connectionsOpened()).isEqualTo(5);
        assertThat(stats.delays().count()).isEqualTo(105);
        assertThat(stats.delays().askedMeanMicros()).isBetween(19_900.0, 20_100.0);
        assertThat(stats.delays().lateP50Micros()).isNotNegative();
        assertThat(stats.delays().lateMaxMicros())
                .isGreaterThanOrEqualTo(stats.delays().lateP99Micros());
        server.close();
        List<String> lines = Files.readAllLines(log);
        assertThat(lines.get(0)).isEqualTo(AccessLog.HEADER.strip());
        assertThat(lines).hasSize(111);
        assertThat(lines.stream().filter(line -> line.contains(",HTTP/1.1,POST,\"/a,b?\"\"c\"\"\",200,4,4,20000,")))
                .hasSize(100)
                .allSatisfy(line -> assertThat(Long.parseLong(line.substring(line.lastIndexOf(',') + 1)))
                        .isGreaterThanOrEqualTo(20_000));
    }

    @Test
    void servesHealthAndMetricsOnTheirOwnPort() throws Exception {
        try (EchoServer server = EchoServer.start(quiet().adminPort(0).build());
                RawClient client = new RawClient(server.port())) {
            client.send(POST + "\r\nx").response();
            String admin = "http://127.0.0.1:" + server.adminPort().orElseThrow();
            assertThat(get(admin + "/health")).isEqualTo("200 ok\n");
            assertThat(get(admin + "/nothing")).startsWith("404 ");
            String metrics = get(admin + "/metrics");
            assertThat(metrics)
                    .contains("\necho_requests_total 1\n")
                    .contains("\necho_responses_total{status=\"200\"} 1\n")
                    .contains("\necho_connections_open 1\n");
            assertThat(metrics.substring(4).lines())
                    .allMatch(line -> line.matches("# (HELP|TYPE) \\w+ .+|\\w+(\\{[^}]*\\})? -?[0-9.]+"));
        }
    }

    private static String get(String url) throws Exception {
        java.net.http.HttpResponse<String> response = HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.ofString());
        return response.statusCode() + " " + response.body();
    }

    private interface Condition {
        boolean holds();
    }

    private static void await(Condition condition) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (!condition.holds()) {
            assertThat(System.nanoTime()).as("time to wait for it").isLessThan(deadline);
            Thread.sleep(5);
        }
    }
}
