/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.engine.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Random;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.gatebench.model.ResponseCheck;

class ResponseVerifierTest {

    private static @Nullable String check(ResponseCheck check, String body, int piece, int requestLength) {
        ResponseVerifier verifier = new ResponseVerifier(check, 1024);
        verifier.begin(200);
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        for (int at = 0; at < bytes.length; at += piece) {
            verifier.accept(bytes, at, Math.min(piece, bytes.length - at));
        }
        return verifier.failure(requestLength);
    }

    @Test
    void findsATextAcrossPieces() {
        Random random = new Random(5);
        for (int i = 0; i < 3000; i++) {
            StringBuilder text = new StringBuilder();
            for (int c = 0; c < 40; c++) {
                text.append((char) ('a' + random.nextInt(2)));
            }
            String wanted = text.substring(0, 6)
                    .chars()
                    .map(c -> random.nextInt(5) == 0 ? 'b' : c)
                    .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                    .toString();
            String failure = check(ResponseCheck.okContaining(wanted), text.toString(), 1 + random.nextInt(7), 0);
            assertThat(failure == null).isEqualTo(text.toString().contains(wanted));
        }
    }

    @Test
    void putsTheMessageSizeIntoTheText() {
        assertThat(check(ResponseCheck.okContaining("{size}B"), "{\"size\":\"1024B\"}", 3, 0))
                .isNull();
        assertThat(check(ResponseCheck.okContaining("{size}B"), "{\"size\":\"50B\"}", 3, 0))
                .isEqualTo("body lacks the text '1024B'");
    }

    @Test
    void keepsTheBeginOfABodyOfOnePieceAndOfMany() {
        ResponseVerifier verifier = new ResponseVerifier(ResponseCheck.okContaining("{size}B"), 1024);
        byte[] body = new byte[2 * ResponseVerifier.EXCERPT_BYTES];
        for (int i = 0; i < body.length; i++) {
            body[i] = (byte) ('a' + i % 26);
        }
        String text = new String(body, StandardCharsets.US_ASCII);

        verifier.begin(200);
        verifier.acceptWhole(body, 7, 1500);
        assertThat(verifier.excerpt()).isEqualTo(text.substring(7, 7 + ResponseVerifier.EXCERPT_BYTES));
        verifier.begin(200);
        verifier.accept(body, 0, 3);
        verifier.accept(body, 3, 1500);
        assertThat(verifier.excerpt()).isEqualTo(text.substring(0, ResponseVerifier.EXCERPT_BYTES));
        verifier.clear();
        assertThat(verifier.excerpt()).isEmpty();
    }

    @Test
    void comparesLengthAndStatus() {
        ResponseCheck echo = new ResponseCheck(200, Optional.empty(), true, false);
        assertThat(check(echo, "abc", 2, 3)).isNull();
        assertThat(check(echo, "abc", 2, 4)).isEqualTo("body of 3 bytes instead of 4");
        assertThat(check(new ResponseCheck(201, Optional.empty(), false, false), "abc", 2, 4))
                .isEqualTo("status 200 instead of 201");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"data\":{\"errors\":[1]}}|ok",
                "{\"data\":{},\"errors\":[{\"message\":\"x\"}]}|errors",
                "{\"errors\":[],\"data\":1}|ok",
                "{\"errors\":null,\"data\":[{\"a\":\"errors\"}]}|ok",
                "{ \"errors\" : [ \"x\" ] }|errors",
                "{\"errors\":{\"a\":1}}|errors",
                "{\"errors\":\"x\"}|errors",
                "{\"errors2\":[1],\"error\":[1]}|ok",
                "{\"a\":\"\\\"errors\\\":[1]\"}|ok",
                "[{\"errors\":[1]}]|none",
                "<html>|none",
                "{\"data\":|none",
            })
    void findsGraphQlErrorsAtTheTopOnly(String body, String expected) {
        ResponseCheck check = new ResponseCheck(200, Optional.empty(), false, true);
        String wanted = switch (expected) {
            case "ok" -> null;
            case "errors" -> "GraphQL errors in the response";
            default -> "the response is no JSON object";
        };
        for (int piece : new int[] {1, 3, 100}) {
            assertThat(check(check, body, piece, 0)).isEqualTo(wanted);
        }
    }
}
