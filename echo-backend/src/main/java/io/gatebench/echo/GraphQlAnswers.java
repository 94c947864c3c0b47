/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.echo;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceArray;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;

/**
 * The canned answers to the three Star Wars queries, and GraphQL errors for anything else; thread-safe.
 *
 * <p>The text of the query decides, whatever its white space, commas and comments; the number in the header decides only
 * where the text is none of the three. Errors come with status 200, as GraphQL does it.
 */
final class GraphQlAnswers implements AutoCloseable {

    private static final int QUERIES = 3;
    private static final byte[] UNKNOWN = ("{\"errors\":[{\"message\":\"Unknown query: only the three Star Wars queries"
                    + " have an answer here\",\"extensions\":{\"code\":\"UNKNOWN_QUERY\"}}]}")
            .getBytes(StandardCharsets.UTF_8);
    private static final byte[] NO_QUERY =
            ("{\"errors\":[{\"message\":\"The body is no JSON object with a query, and the"
                            + " header query-number is none of 1, 2, 3\",\"extensions\":{\"code\":\"NO_QUERY\"}}]}")
                    .getBytes(StandardCharsets.UTF_8);

    private final String[] queries = new String[QUERIES];
    private final ByteBuf[] answers = new ByteBuf[QUERIES];

    /** The request body that was last seen for each query: the next one is nearly always the same. */
    private final AtomicReferenceArray<byte[]> lastBodies = new AtomicReferenceArray<>(QUERIES);

    GraphQlAnswers(ByteBufAllocator allocator) {
        for (int i = 0; i < QUERIES; i++) {
            queries[i] = GraphQlText.normalised(
                    new String(resource("query-" + (i + 1) + ".graphql"), StandardCharsets.UTF_8));
            byte[] answer = resource("answer-" + (i + 1) + ".json");
            answers[i] = allocator.directBuffer(answer.length, answer.length).writeBytes(answer);
        }
    }

    private static byte[] resource(String name) {
        try (InputStream in = GraphQlAnswers.class.getResourceAsStream("graphql/" + name)) {
            return Objects.requireNonNull(in, name).readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Tells whether a target names a GraphQL service: it holds {@code graphql} or {@code starwars}, in any case. */
    static boolean isGraphQlPath(byte[] bytes, int from, int to) {
        for (int i = from; i + 7 <= to; i++) {
            int c = bytes[i] | 0x20;
            if (c == 'g' && matches(bytes, i, to, "graphql") || c == 's' && matches(bytes, i, to, "starwars")) {
                return true;
            }
        }
        return false;
    }

    private static boolean matches(byte[] bytes, int from, int to, String word) {
        if (to - from < word.length()) {
            return false;
        }
        for (int i = 0; i < word.length(); i++) {
            if ((bytes[from + i] | 0x20) != word.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns the answer as a reference of the caller's own.
     *
     * @param queryNumber 1 to 3 from the header, 0 for none
     * @param body the body of the request
     */
    ByteBuf answer(int queryNumber, byte[] body) {
        for (int i = 0; i < QUERIES; i++) {
            if (Arrays.equals(lastBodies.get(i), body)) {
                return answers[i].retainedDuplicate();
            }
        }
        String text = new String(body, StandardCharsets.UTF_8);
        Optional<String> query = GraphQlText.queryOf(text);
        if (query.isPresent()) {
            String normalised = GraphQlText.normalised(query.get());
            for (int i = 0; i < QUERIES; i++) {
                if (queries[i].equals(normalised)) {
                    lastBodies.set(i, body);
                    return answers[i].retainedDuplicate();
                }
            }
        }
        if (queryNumber > 0) {
            return answers[queryNumber - 1].retainedDuplicate();
        }
        return Unpooled.wrappedBuffer(query.isPresent() ? UNKNOWN : NO_QUERY);
    }

    @Override
    public void close() {
        for (ByteBuf answer : answers) {
            answer.release();
        }
    }
}
