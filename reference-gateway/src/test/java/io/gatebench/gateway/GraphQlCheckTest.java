/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class GraphQlCheckTest {
    static final String QUERY_1 = """
            {
              hero {
                id
                name
                friends { id name appearsIn }
                friendsConnection { totalCount }
                appearsIn
              }
            }
            """;

    static final String QUERY_3 = """
            {
              hero { id name friends { id name appearsIn } friendsConnection { totalCount } appearsIn }
              search(text: "Luke Skywalker") {
                ... on Human {
                  id name homePlanet height mass
                  friends { id name } friendsConnection { totalCount } appearsIn
                  starships { id name length coordinates }
                }
                ... on Droid { id name friends { id name } appearsIn primaryFunction }
                ... on Starship { id name length coordinates }
              }
              character(id: "1000") { id name }
              droid(id: "2000") { id name primaryFunction }
              human(id: "1000") { id name height mass }
              allHumans { id name }
              allDroids { id name }
              allCharacters { id name appearsIn }
              starship(id: "3000") { id name length coordinates }
            }
            """;

    private static final GraphQlCheck CHECK = GraphQlCheck.starWars();
    private static final JsonMapper JSON = new JsonMapper();

    @ParameterizedTest
    @ValueSource(
            strings = {
                QUERY_1,
                QUERY_3,
                "query Heroes($e: Episode) { hero(episode: $e) { name } }",
                "mutation { createReview(episode: JEDI, review: {stars: 5, commentary: \"good\"}) { stars } }",
                "subscription { reviewAdded(episode: SITH) { stars commentary } }",
                "{ reviews(episode: EMPIRE) { episode stars } }",
                "{ __schema { types { name } } __type(name: \"Human\") { name } }",
                "fragment F on Human { name } { human(id: 1) { ...F } }",
            })
    void letsValidDocumentsThrough(String query) {
        assertThat(refusal(query, null)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "{ hero { name }",
                "query { hero { name } } }",
                "{ hero }",
                "{ hero { nme } }",
                "{ nobody { name } }",
                "{ hero { name { first } } }",
                "{ hero(episode: PHANTOM) { name } }",
                "{ hero(film: JEDI) { name } }",
                "{ human { name } }",
                "{ reviews { stars } }",
                "{ human(id: $id) { name } }",
                "query($id: Int!) { human(id: $id) { name } }",
                "{ search(text: \"x\") { name } }",
                "{ hero { ...F } }",
                "mutation { createReview(episode: JEDI, review: {commentary: \"no stars\"}) { stars } }",
                "mutation { deleteReview { stars } }",
                "query A { hero { name } } query A { hero { id } }",
            })
    void refusesInvalidDocumentsWithErrors(String query) {
        JsonAnswer answer = refusal(query, null).orElseThrow();

        assertThat(answer.status()).isEqualTo(HttpStatus.OK);
        assertThat(answer.type()).isEqualTo(MediaType.APPLICATION_JSON);
        JsonNode errors = JSON.readTree(answer.json()).path("errors");
        assertThat(errors.size()).isPositive();
        assertThat(errors.get(0).path("message").stringValue()).isNotBlank();
    }

    @Test
    void answersWithBadRequestWhereTheClientKnowsTheNewerMediaType() {
        JsonAnswer answer = CHECK.refusal(
                        body("{ nobody { name } }", null), List.of(GraphQlCheck.RESPONSE, MediaType.APPLICATION_JSON))
                .orElseThrow();

        assertThat(answer.status()).isEqualTo(HttpStatus.BAD_REQUEST);
        assertThat(answer.type()).isEqualTo(GraphQlCheck.RESPONSE);
    }

    @Test
    void wantsTheOperationNamedWhereThereAreSeveral() {
        String query = "query A { hero { name } } query B { hero { id } }";

        assertThat(refusal(query, "A")).isEmpty();
        assertThat(refusal(query, "B")).isEmpty();
        assertThat(refusal(query, null))
                .hasValueSatisfying(answer -> assertThat(answer.json()).contains("2 operations"));
        assertThat(refusal(query, "C"))
                .hasValueSatisfying(answer -> assertThat(answer.json()).contains("no operation named 'C'"));
    }

    @Test
    void refusesADocumentOfFragmentsOnly() {
        assertThat(refusal("fragment F on Human { name }", null)).isPresent();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "x",
                "[]",
                "null",
                "{}",
                "{\"query\":null}",
                "{\"query\":1}",
                "{\"query\":\"{ hero { name } }\",\"operationName\":1}",
                "{\"query\":\"{ hero { name } }\",\"variables\":[]}",
                "{\"query\":\"{ hero { name } }\"} {}",
                "{\"query\":\"{ hero { name } }\",\"query\":\"{ hero { id } }\"}",
            })
    void answersABodyThatIsNoGraphQlRequestWithBadRequest(String body) {
        assertThat(CHECK.refusal(body.getBytes(StandardCharsets.UTF_8), List.of()))
                .hasValueSatisfying(answer -> {
                    assertThat(answer.status()).isEqualTo(HttpStatus.BAD_REQUEST);
                    assertThat(JSON.readTree(answer.json()).path("errors").size())
                            .isEqualTo(1);
                });
    }

    @Test
    void acceptsTheBodyOfTheSuite() {
        String body = "{\"operationName\":null,\"variables\":null,\"query\":\"{ hero { name } }\",\"extensions\":{}}";
        assertThat(CHECK.refusal(body.getBytes(StandardCharsets.UTF_8), List.of()))
                .isEmpty();
    }

    private static Optional<JsonAnswer> refusal(String query, @Nullable String operationName) {
        return CHECK.refusal(body(query, operationName), List.of(MediaType.ALL));
    }

    static byte[] body(String query, @Nullable String operationName) {
        Map<String, @Nullable Object> request = new LinkedHashMap<>();
        request.put("operationName", operationName);
        request.put("query", query);
        return JSON.writeValueAsBytes(request);
    }
}
