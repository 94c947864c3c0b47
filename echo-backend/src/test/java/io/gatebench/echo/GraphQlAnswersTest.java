/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.echo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Seals the canned answers: they are what the queries yield on the example data. Refresh with -Dgolden.update. */
class GraphQlAnswersTest {

    private static final Path RESOURCES = Path.of("src/main/resources/io/gatebench/echo/graphql");

    private final GraphQlAnswers answers = new GraphQlAnswers(UnpooledByteBufAllocator.DEFAULT);

    @AfterEach
    void release() {
        answers.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void cannedAnswersAreWhatTheQueriesYield(int number) throws IOException {
        String made = StarWars.answer(query(number));
        Path file = RESOURCES.resolve("answer-" + number + ".json");
        if (System.getProperty("golden.update") != null) {
            Files.writeString(file, made);
        }
        assertThat(file).hasContent(made);
    }

    @ParameterizedTest
    @CsvSource({"1, 790", "2, 5166", "3, 27204"})
    void answersAreAsLargeAsThoseOfThePublishedResults(int number, int published) throws IOException {
        assertThat(RESOURCES.resolve("answer-" + number + ".json")).hasSize(published);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void recognisesAQueryByItsTextHoweverItIsWritten(int number) throws IOException {
        String expected = Files.readString(RESOURCES.resolve("answer-" + number + ".json"));
        String query = query(number);
        String escaped = query.replace("\"", "\\\"").replace("\n", "\\n");
        assertThat(answer(0, "{\"operationName\":null,\"query\":\"" + escaped + "\"}"))
                .isEqualTo(expected);
        assertThat(answer(0, "{\"query\" : \"query Q " + escaped + "#000042\", \"variables\":{\"a\":[1,\"}\"]}}"))
                .isEqualTo(expected);
        assertThat(answer(0, "{\"variables\":{\"a\":[1,\"}\"]},\"query\":\"" + escaped.replace("\\n", " ,\\t") + "\"}"))
                .isEqualTo(expected);
        assertThat(answer(0, query)).isEqualTo(expected);
        assertThat(answer(3 - number / 2, "{\"query\":\"" + escaped + "\"}")).isEqualTo(expected);
    }

    @Test
    void goesByTheHeaderWhereTheTextSaysNothing() throws IOException {
        assertThat(answer(2, "")).isEqualTo(Files.readString(RESOURCES.resolve("answer-2.json")));
        assertThat(answer(1, "{\"query\":\"{ hero { height } }\"}"))
                .isEqualTo(Files.readString(RESOURCES.resolve("answer-1.json")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"query\":\"{ hero { height } }\"}",
                "{\"query\":\"\"}",
                "{ jedi }",
                "query { hero }",
                "{\"query\":\"\\u12\"}"
            })
    void answersAnUnknownQueryWithAnError(String body) {
        assertThat(answer(0, body)).startsWith("{\"errors\":[{\"message\":\"Unknown query");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "null", "[]", "{}", "{\"query\":1}", "{\"a\"", "\"", "{\"query\"", "{\"a\":{", "\\"})
    void answersABodyWithoutAQueryWithAnError(String body) {
        assertThat(answer(0, body)).startsWith("{\"errors\":[{\"message\":\"The body is no JSON object");
    }

    private static String query(int number) throws IOException {
        return Files.readString(RESOURCES.resolve("query-" + number + ".graphql"));
    }

    private String answer(int number, String body) {
        ByteBuf answer = answers.answer(number, body.getBytes(StandardCharsets.UTF_8));
        try {
            return answer.toString(StandardCharsets.UTF_8);
        } finally {
            answer.release();
        }
    }
}
