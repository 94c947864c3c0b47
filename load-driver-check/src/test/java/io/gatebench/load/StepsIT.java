/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.gatebench.load.engine.LoadProgress;
import io.gatebench.load.engine.LoadRequest;
import io.gatebench.model.LoadResult;
import io.gatebench.model.PayloadKind;
import io.gatebench.model.ResponseCheck;
import io.gatebench.model.SampleStatistics;
import io.gatebench.model.ScenarioSteps;
import io.gatebench.model.ScenarioSteps.Route;
import io.gatebench.model.ScenarioSteps.Step;
import io.gatebench.model.ScenarioSteps.Value;
import io.gatebench.model.TestScenario;
import io.gatebench.model.TokenKind;

/** Steps against a server of orders that knows which it has given out, and to whom. */
class StepsIT {

    @TempDir
    private Path directory;

    private final Set<String> orders = ConcurrentHashMap.newKeySet();
    private final Set<String> items = ConcurrentHashMap.newKeySet();
    private final AtomicInteger wrong = new AtomicInteger();
    private final AtomicInteger next = new AtomicInteger();
    private HttpServer server;

    @BeforeEach
    void serve() throws IOException {
        server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        server.setExecutor(Executors.newCachedThreadPool());
        server.createContext("/orders", this::answer);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    /** A POST creates the order of an item; a GET must name one that is there, with the session of its POST. */
    private void answer(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        String answer;
        int status = 200;
        if (exchange.getRequestMethod().equals("POST")) {
            int id = next.incrementAndGet();
            items.add(body);
            orders.add(id + ":s" + id + "x");
            exchange.getResponseHeaders().add("Set-Cookie", "other=1; Path=/");
            exchange.getResponseHeaders().add("Set-Cookie", "session=s" + id + "x; Path=/");
            answer = "{\"list\": [{\"id\": " + id + ", \"item\": \"n\"}], \"etag\": null}";
            status = 201;
        } else {
            String id = exchange.getRequestURI().getPath().substring("/orders/".length());
            String cookie = exchange.getRequestHeaders().getFirst("Cookie");
            boolean known = cookie != null && orders.remove(id + ":" + cookie.replace("session=", ""));
            wrong.addAndGet(known || id.equals("all") ? 0 : 1);
            answer = "order <" + id + ">";
        }
        byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private static Step create(String pointer) {
        return new Step(
                "create",
                "POST",
                "/orders",
                Map.of(),
                Optional.of("{\"item\": \"${item}\"}"),
                new ResponseCheck(201, Optional.empty(), false, false),
                List.of(
                        new Value("id", Value.Source.JSON, pointer, Optional.empty()),
                        new Value("session", Value.Source.HEADER, "Set-Cookie", Optional.of("session=([^;]+)"))));
    }

    private static Step read() {
        return new Step(
                "read",
                "GET",
                "/orders/${id}",
                Map.of("Cookie", "session=${session}"),
                Optional.empty(),
                ResponseCheck.okContaining("<${id}>"),
                List.of());
    }

    private LoadResult run(ScenarioSteps steps) {
        TestScenario scenario = new TestScenario(
                        "passthrough",
                        "Orders",
                        "Orders.",
                        false,
                        "POST",
                        "/orders",
                        Map.of(),
                        PayloadKind.NONE,
                        TokenKind.NONE,
                        ResponseCheck.ok(),
                        List.of())
                .withSteps(Optional.of(steps));
        LoadRequest request = LoadRequest.of(
                scenario,
                URI.create("http://127.0.0.1:" + server.getAddress().getPort()),
                Scenarios.users(3),
                Scenarios.timing(1.2, 0.2, 0));
        return new JMeterLoadDriver().run(LoadRequest.fromJson(request.toJson()), directory, LoadProgress.none());
    }

    private ScenarioSteps.Data data() throws IOException {
        return new ScenarioSteps.Data(
                Files.writeString(directory.resolve("items.csv"), "item\ntea\n\"green tea\"\ncoffee\n"), false);
    }

    @Test
    void sendsWhatEarlierStepsAndTheDataGaveAndCountsEachStep() throws IOException {
        LoadResult run = run(new ScenarioSteps(
                List.of(new Route("order", 1, List.of(create("/list/0/id"), read()))), Optional.of(data())));

        assertThat(run.failures()).isEmpty();
        assertThat(wrong).hasValue(0);
        assertThat(items)
                .containsExactlyInAnyOrder(
                        "{\"item\": \"tea\"}", "{\"item\": \"green tea\"}", "{\"item\": \"coffee\"}");
        assertThat(run.steps()).extracting(SampleStatistics::label).containsExactly("create", "read");
        SampleStatistics all = run.measurement().get(0);
        assertThat(run.measurement()).hasSize(1);
        assertThat(all.label()).isEqualTo("passthrough");
        assertThat(all.samples())
                .isEqualTo(run.steps().stream()
                        .mapToLong(SampleStatistics::samples)
                        .sum())
                .isPositive();
        assertThat(run.steps().get(0).samples()).isCloseTo(run.steps().get(1).samples(), within(3L));
    }

    @Test
    void endsARouteWhoseAnswerLacksAValueAndSaysWhich() throws IOException {
        LoadResult run = run(new ScenarioSteps(
                List.of(new Route("order", 1, List.of(create("/list/0/number"), read()))), Optional.of(data())));

        assertThat(run.failures())
                .containsOnlyKeys(
                        "step create: no value for ${id}: the body has nothing at the JSON pointer '/list/0/number'");
        assertThat(run.steps()).extracting(SampleStatistics::label).containsExactly("create");
        assertThat(run.measurement().get(0).errorPercent()).isEqualTo(100);
    }

    @Test
    void takesRoutesByTheirWeightsAndSaysWhichShareTheyGot() {
        Step list = new Step("list", "GET", "/orders/all", Map.of(), Optional.empty(), ResponseCheck.ok(), List.of());
        Step plain = new Step(
                "plain",
                "POST",
                "/orders",
                Map.of(),
                Optional.of("{}"),
                new ResponseCheck(201, Optional.empty(), false, false),
                List.of());
        LoadResult run = run(new ScenarioSteps(
                List.of(new Route("often", 3, List.of(list)), new Route("seldom", 1, List.of(plain))),
                Optional.empty()));

        double often =
                100.0 * run.steps().get(0).samples() / run.measurement().get(0).samples();
        // Three standard deviations of as few as 1,000 draws.
        assertThat(often).isCloseTo(75, within(4.2));
        assertThat(run.facts().get(LoadResult.ROUTES))
                .matches(
                        "often [\\d.]+ % \\(by its weight 75\\.00 %\\), seldom [\\d.]+ % \\(by its weight 25\\.00 %\\)");
    }
}
