/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.junit;

import static io.gatebench.junit.GatebenchAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.gatebench.model.GatewayRestart;
import io.gatebench.runner.BenchmarkResult;
import io.gatebench.runner.CaseResult;
import io.gatebench.runner.GatewayBenchmark;
import io.gatebench.spi.OwnGateway;

/** A gateway that a test starts in its own JVM gets what a started one gets. */
class OwnGatewayIT {

    private static final String CPU = "Process - CPU (% of one processor)";

    @TempDir
    private Path results;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Deque<HttpServer> running = new ArrayDeque<>();
    private final AtomicInteger starts = new AtomicInteger();

    private URI start(URI backend) throws IOException {
        assertThat(running).as("gateways that were not stopped").isEmpty();
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        server.createContext("/orders", exchange -> forward(exchange, backend));
        server.setExecutor(threads);
        server.start();
        running.push(server);
        starts.incrementAndGet();
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    private void forward(HttpExchange exchange, URI backend) throws IOException {
        try (exchange) {
            HttpResponse<byte[]> response = client.send(
                    HttpRequest.newBuilder(backend)
                            .POST(HttpRequest.BodyPublishers.ofByteArray(
                                    exchange.getRequestBody().readAllBytes()))
                            .build(),
                    HttpResponse.BodyHandlers.ofByteArray());
            exchange.sendResponseHeaders(response.statusCode(), response.body().length);
            exchange.getResponseBody().write(response.body());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void isStartedForEachCaseAndHasTheFiguresOfItsProcess() {
        BenchmarkResult result = GatewayBenchmark.gateway(OwnGateway.startedBy(this::start)
                        .at("/orders")
                        .named("Orders")
                        .stoppedBy(() -> running.pop().stop(0)))
                .users(2, 4)
                .thinkTime(Duration.ofMillis(20))
                .warmUp(Duration.ofSeconds(1))
                .duration(Duration.ofSeconds(3))
                .restart(GatewayRestart.CASE)
                .controlRun(true)
                .results(results.resolve("r"))
                .run();

        assertThat(result).hasNoErrors().throughputRatioToControlIsAbove(0.0001);
        assertThat(starts).hasValue(2);
        assertThat(running).isEmpty();
        assertThat(result.info().applicationName()).isEqualTo("Orders");
        for (CaseResult cell : result.cells()) {
            assertThat(cell.gatewayGc().orElseThrow().exact().fullGcCount().value())
                    .isPresent();
            assertThat(cell.gateway().orElseThrow().hostMetrics()).containsKey(CPU);
        }
    }
}
