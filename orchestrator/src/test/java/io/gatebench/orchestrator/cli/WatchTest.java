/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.gatebench.gateways.ProductRegistry;
import io.gatebench.model.RunManifest;
import io.gatebench.model.TestCase;
import io.gatebench.model.TestCaseResult;
import io.gatebench.report.results.ResultsDirectory;
import io.gatebench.runner.plan.PlanBuilder;
import io.gatebench.runner.plan.PlanInput;
import io.gatebench.runner.plan.PlanKey;
import io.gatebench.runner.plan.RunPlan;
import io.gatebench.spi.RunListener;
import io.gatebench.spi.RunListener.LiveSecond;

/** A run is watched by what it leaves in its results directory, by a real server on loopback. */
class WatchTest {

    private final SteppedClock clock = new SteppedClock();
    private final HttpClient http = HttpClient.newHttpClient();
    private final RunPlan plan = plan();
    private final List<TestCase> cells = plan.plan().testCases();

    @TempDir
    private Path directory;

    @Test
    void showsTheCellTheSecondsTheTimeLeftAndEveryResultBelowASecretPath() throws Exception {
        ResultsDirectory results = results();
        Files.createDirectories(results.root().resolve(".work"));
        LiveFile run = new LiveFile(RunListener.SILENT, results.root(), plan, clock);
        try (WatchServer server = WatchServer.start(results.root(), InetAddress.getLoopbackAddress(), 0)) {
            assertThat(server.address().getHost()).isEqualTo("127.0.0.1");
            assertThat(server.address().getPath()).matches("/[0-9a-f]{32}/");
            run.runStarted(2, plan.estimate());
            run.cellStarted(1, cells.get(0), 1);
            run.step("load");
            clock.forward(Duration.ofSeconds(10));
            run.second(new LiveSecond(4, 812, 3, 7.25, 10));

            JsonNode state = state(server);

            assertThat(state.path("version").asInt()).isZero();
            assertThat(state.path("live").path("seconds").toString()).isEqualTo("[[4,812,3,7.25,10]]");
            assertThat(state.path("live").path("leftSeconds").asLong())
                    .isEqualTo(plan.estimate().minusSeconds(10).toSeconds());
            assertThat(state.path("live").path("cells").findValuesAsText("state"))
                    .containsExactly("now", "waiting");
            assertThat(get(server.address()).body()).contains("id=\"live\"", "connect-src 'self'");

            TestCaseResult skipped = new TestCaseResult.Skipped(cells.get(0), 1, "interrupted");
            results.write(skipped);
            run.cellEnded(1, skipped, Duration.ofSeconds(30));

            assertThat(state(server).path("version").asInt()).isEqualTo(1);
            assertThat(get(server.address()).body()).contains(cells.get(0).id());
        }
    }

    @Test
    void answersNothingOutsideItsPathAndChangesNothing() throws Exception {
        try (WatchServer server = WatchServer.start(results().root(), InetAddress.getLoopbackAddress(), 0)) {
            assertThat(get(server.address().resolve("/")).statusCode()).isEqualTo(404);
            assertThat(get(server.address().resolve("/state")).statusCode()).isEqualTo(404);
            assertThat(get(server.address().resolve("run.json")).statusCode()).isEqualTo(404);
            assertThat(http.send(
                                    HttpRequest.newBuilder(server.address())
                                            .DELETE()
                                            .build(),
                                    HttpResponse.BodyHandlers.ofString())
                            .statusCode())
                    .isEqualTo(405);
            assertThat(state(server).path("live").isNull()).isTrue();
        }
    }

    private static RunPlan plan() {
        PlanInput input = new PlanInput();
        input.option(PlanKey.PRODUCT, "apim");
        input.option(PlanKey.SCENARIO, "passthrough");
        input.option(PlanKey.USERS, "10,20");
        return new PlanBuilder(ProductRegistry.load().products()).build(input);
    }

    private ResultsDirectory results() {
        return ResultsDirectory.create(
                directory.resolve("results"),
                new RunManifest(
                        RunManifest.SCHEMA_VERSION,
                        "r1",
                        "0.1",
                        "Reference Gateway",
                        RunManifest.Variant.GATEWAY,
                        plan.plan(),
                        "local",
                        1,
                        1,
                        Instant.EPOCH,
                        Optional.empty(),
                        Map.of(),
                        List.of(),
                        List.of()));
    }

    private JsonNode state(WatchServer server) throws Exception {
        return new ObjectMapper()
                .readTree(get(server.address().resolve("state")).body());
    }

    private HttpResponse<String> get(URI address) throws Exception {
        return http.send(HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofString());
    }
}
