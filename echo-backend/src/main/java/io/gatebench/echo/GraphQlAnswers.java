/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.echo;

import java.nio.charset.StandardCharsets;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/** The canned answers to the Star Wars queries. */
final class GraphQlAnswers implements AutoCloseable {

    /** Whether a target names a GraphQL service: it holds {@code graphql} or {@code starwars}, in any case. */
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

    /** Returns the answer as a reference of the caller's own. */
    ByteBuf answer(int queryNumber, byte[] body) {
        return Unpooled.copiedBuffer("{\"errors\":[{\"message\":\"unknown query\"}]}", StandardCharsets.UTF_8);
    }

    @Override
    public void close() {}
}
