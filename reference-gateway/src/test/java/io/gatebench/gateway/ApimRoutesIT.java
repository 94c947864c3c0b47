/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ApimRoutesIT {
    private static final TestTokens TOKENS = new TestTokens();
    private static final String TOKEN = TOKENS.valid();
    private static final String ROUTING = "xadmin;server1;community#1.0##";
    private static final JsonMapper JSON = new JsonMapper();

    @TempDir
    static Path folder;

    static RecordingBackend backend;
    static RunningGateway gateway;

    @BeforeAll
    static void start() throws Exception {
        backend = new RecordingBackend();
        gateway = new RunningGateway(
                "--gateway.backend=" + backend.url(),
                "--gateway.backend-timeout-seconds=5",
                "--gateway.jwt-public-key=" + TOKENS.publicKey(folder));
    }

    @AfterAll
    static void stop() {
        gateway.close();
        backend.close();
    }

    @BeforeEach
    void reset() {
        backend.reset();
    }

    @Test
    void swapsTheMembersOfTheMediatedAnswer() throws Exception {
        HttpResponse<String> response = gateway.postWithToken(
                "/mediation/1.0.0", "{\"size\":\"50B\",\"x\":1,\"payload\":[\"0123456789\",\"ABCDEFGH\"]}", TOKEN);

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEqualTo("{\"payload\":[\"0123456789\",\"ABCDEFGH\"],\"size\":\"50B\"}");
        assertThat(response.headers().firstValue("Content-Type")).contains("application/json");
        assertThat(response.headers().firstValueAsLong("Content-Length"))
                .hasValue(response.body().length());
        assertThat(backend.seen()).singleElement().satisfies(seen -> {
            assertThat(seen.path()).isEqualTo("/");
            assertThat(seen.text()).startsWith("{\"size\":\"50B\",\"x\":1");
            assertThat(seen.headers()).doesNotContainKeys("Authorization", "Accept-encoding");
        });
    }

    @Test
    void mediatesABodyOfOneMebibyte() throws Exception {
        String filler = "0123456789".repeat(1024 * 1024 / 10);
        HttpResponse<String> response = gateway.postWithToken(
                "/mediation/1.0.0", "{\"size\":\"1048576B\",\"payload\":\"" + filler + "\"}", TOKEN);

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEqualTo("{\"payload\":\"" + filler + "\",\"size\":\"1048576B\"}");
    }

    @Test
    void passesABodyOfManyMebibytesThroughTheEchoRoute() throws Exception {
        String large = "x".repeat(8 * 1024 * 1024);

        assertThat(gateway.postWithToken("/echo/1.0.0", large, TOKEN).body()).isEqualTo(large);
    }

    @Test
    void refusesInvalidJsonOfTheClientBeforeTheBackEndSeesIt() throws Exception {
        HttpResponse<String> response = gateway.postWithToken("/mediation/1.0.0", "{\"payload\":", TOKEN);

        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(JSON.readTree(response.body()).path("detail").stringValue())
                .startsWith("the request body is no valid JSON");
        assertThat(backend.seen()).isEmpty();
    }

    @Test
    void refusesARequestBodyAboveTheLimit() throws Exception {
        HttpResponse<String> response =
                gateway.postWithToken("/mediation/1.0.0", "\"" + "x".repeat(3 * 1024 * 1024) + "\"", TOKEN);

        assertThat(response.statusCode()).isEqualTo(413);
        assertThat(response.body()).contains("2097152 bytes");
        assertThat(backend.seen()).isEmpty();
    }

    @Test
    void turnsAnAnswerThatIsNoJsonIntoABadGateway() throws Exception {
        backend.behave(request -> RecordingBackend.Answer.json(200, "<html>"));
        HttpResponse<String> response = gateway.postWithToken("/mediation/1.0.0", "{}", TOKEN);

        assertThat(response.statusCode()).isEqualTo(502);
        assertThat(JSON.readTree(response.body()).path("detail").stringValue())
                .startsWith("the back end's response is no valid JSON");
        assertThat(response.headers().firstValueAsLong("Content-Length"))
                .hasValue(response.body().length());
    }

    @Test
    void turnsAnEmptyOrOverlongAnswerIntoABadGateway() throws Exception {
        backend.behave(request -> RecordingBackend.Answer.json(200, ""));
        assertThat(gateway.postWithToken("/mediation/1.0.0", "{}", TOKEN).statusCode())
                .isEqualTo(502);

        backend.behave(request -> RecordingBackend.Answer.json(200, "\"" + "x".repeat(3 * 1024 * 1024) + "\""));
        assertThat(gateway.postWithToken("/mediation/1.0.0", "{}", TOKEN).statusCode())
                .isEqualTo(502);
    }

    @Test
    void leavesErrorsOfTheBackEndAsTheyAre() throws Exception {
        backend.behave(request -> RecordingBackend.Answer.json(503, "overloaded"));
        HttpResponse<String> response = gateway.postWithToken("/mediation/1.0.0", "{}", TOKEN);

        assertThat(response.statusCode()).isEqualTo(503);
        assertThat(response.body()).isEqualTo("overloaded");
    }

    @Test
    void leavesAnAnswerWithoutContentAsItIs() throws Exception {
        backend.behave(request -> RecordingBackend.Answer.json(204, ""));

        assertThat(gateway.postWithToken("/mediation/1.0.0", "{}", TOKEN).statusCode())
                .isEqualTo(204);
    }

    @Test
    void sendsAValidQueryOnWithItsNumber() throws Exception {
        backend.behave(request -> RecordingBackend.Answer.json(200, "{\"data\":{}}"));
        String body = new String(GraphQlCheckTest.body(GraphQlCheckTest.QUERY_3, null), StandardCharsets.UTF_8);
        HttpResponse<String> response = gateway.post(
                "/starwars/1.0.0",
                body,
                request -> request.header("Authorization", "Bearer " + TOKEN).header("query-number", "3"));

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEqualTo("{\"data\":{}}");
        assertThat(backend.seen()).singleElement().satisfies(seen -> {
            assertThat(seen.path()).isEqualTo("/graphql");
            assertThat(seen.text()).isEqualTo(body);
            assertThat(seen.headers().getFirst("query-number")).isEqualTo("3");
        });
    }

    @Test
    void refusesAnInvalidQueryBeforeTheBackEndSeesIt() throws Exception {
        HttpResponse<String> response = gateway.postWithToken("/starwars/1.0.0", "{\"query\":\"{ nobody }\"}", TOKEN);

        assertThat(response.statusCode()).isEqualTo(200);
        JsonNode answer = JSON.readTree(response.body());
        assertThat(answer.path("errors").size()).isPositive();
        assertThat(answer.has("data")).isFalse();
        assertThat(backend.seen()).isEmpty();
    }

    @Test
    void refusesAnInvalidQueryWithBadRequestForNewerClients() throws Exception {
        HttpResponse<String> response = gateway.post(
                "/starwars/1.0.0",
                "{\"query\":\"{ nobody }\"}",
                request -> request.header("Authorization", "Bearer " + TOKEN)
                        .header("Accept", "application/graphql-response+json"));

        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(response.headers().firstValue("Content-Type"))
                .hasValueSatisfying(type -> assertThat(type).startsWith("application/graphql-response+json"));
    }

    @Test
    void answersAnEmptyBodyAndAnotherMethodOnTheGraphQlPath() throws Exception {
        assertThat(gateway.postWithToken("/starwars/1.0.0", "", TOKEN).statusCode())
                .isEqualTo(400);
        HttpResponse<String> get = gateway.post(
                "/starwars/1.0.0",
                "",
                request -> request.header("Authorization", "Bearer " + TOKEN).GET());
        assertThat(get.statusCode()).isEqualTo(405);
        assertThat(get.headers().firstValue("Allow")).contains("POST");
        assertThat(backend.seen()).isEmpty();
    }

    @Test
    void guardsEveryApiWithTheToken() throws Exception {
        for (String path : new String[] {"/mediation/1.0.0", "/starwars/1.0.0", "/echo/1.0.0"}) {
            assertThat(gateway.post(path, "{}", request -> request).statusCode())
                    .as(path)
                    .isEqualTo(401);
        }
        assertThat(backend.seen()).isEmpty();
    }

    @Test
    void readsTheSamePathInSecurityAndRouting() throws Exception {
        for (String path : new String[] {
            "/echo/1.0.0;a=b", "//echo/1.0.0", "/%65cho/1.0.0", "/cbr/../echo/1.0.0", "/cbr/", "/cbr/x", "/CBR"
        }) {
            assertThat(gateway.post(path, "{}", request -> request).statusCode())
                    .as(path)
                    .isIn(400, 401);
        }
        assertThat(backend.seen()).isEmpty();
    }

    @Test
    void routesByTheHeader() throws Exception {
        HttpResponse<String> response = gateway.post("/cbr", "{}", request -> request.header("routing", ROUTING));

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(backend.seen())
                .singleElement()
                .satisfies(seen -> assertThat(seen.path()).isEqualTo("/"));
    }

    @Test
    void refusesAWrongOrMissingRoutingHeader() throws Exception {
        for (String value :
                new String[] {"", "xadmin;server2;community#1.0##", ROUTING + "x", "xadmin;server1;community#1x0##"}) {
            HttpResponse<String> response = gateway.post("/cbr", "{}", request -> header(request, value));
            assertThat(response.statusCode()).as(value).isEqualTo(403);
            assertThat(response.body()).contains("Invalid routing header");
        }
        assertThat(backend.seen()).isEmpty();
    }

    @Test
    void answersASlowBackEndWithATimeout() throws Exception {
        backend.behave(request -> RecordingBackend.Answer.json(200, "{}").after(15_000));

        assertThat(gateway.postWithToken("/echo/1.0.0", "{}", TOKEN).statusCode())
                .isEqualTo(504);
    }

    private static HttpRequest.Builder header(HttpRequest.Builder request, String value) {
        return value.isEmpty() ? request : request.header("routing", value);
    }
}
