/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateway;

import java.nio.charset.StandardCharsets;

import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.json.JsonFactory;

/**
 * The payload factory {@code {"payload": $.payload, "size": $.size}}: the same two members, in this order, and nothing
 * else.
 *
 * <p>The whole text is parsed, and the two values are copied as they were written, so that numbers keep their digits and
 * strings their escapes. A member that is missing, or a text that is no object, gives {@code null}; of a name that occurs
 * twice the last one counts. Safe for use by many threads.
 */
final class PayloadMediation {
    private static final byte[] BEFORE_PAYLOAD = ascii("{\"payload\":");
    private static final byte[] BEFORE_SIZE = ascii(",\"size\":");
    private static final byte[] END = ascii("}");
    private static final byte[] NULL = ascii("null");

    /** Without detection every text is UTF-8, as RFC 8259 demands, and offsets are offsets of bytes. */
    private final JsonFactory json = JsonFactory.builder()
            .disable(TokenStreamFactory.Feature.CHARSET_DETECTION)
            .build();

    /**
     * Parses a text to its end.
     *
     * @throws JacksonException if it is no JSON text in UTF-8
     */
    void check(byte[] text) {
        try (JsonParser parser = json.createParser(ObjectReadContext.empty(), text)) {
            requireUtf8(text, parser);
            requireValue(parser.nextToken(), parser);
            skipValue(parser);
            requireEnd(parser);
        }
    }

    /**
     * Builds the new message.
     *
     * @throws JacksonException if the text is no JSON text in UTF-8
     */
    byte[] apply(byte[] text) {
        Slice payload = Slice.MISSING;
        Slice size = Slice.MISSING;
        try (JsonParser parser = json.createParser(ObjectReadContext.empty(), text)) {
            requireUtf8(text, parser);
            JsonToken first = requireValue(parser.nextToken(), parser);
            if (first == JsonToken.START_OBJECT) {
                while (parser.nextToken() != JsonToken.END_OBJECT) {
                    String name = parser.currentName();
                    parser.nextToken();
                    int start = offset(parser.currentTokenLocation().getByteOffset());
                    skipValue(parser);
                    Slice value =
                            new Slice(start, offset(parser.currentLocation().getByteOffset()));
                    if ("payload".equals(name)) {
                        payload = value;
                    } else if ("size".equals(name)) {
                        size = value;
                    }
                }
            } else {
                skipValue(parser);
            }
            requireEnd(parser);
        }
        byte[] message =
                new byte[BEFORE_PAYLOAD.length + payload.length() + BEFORE_SIZE.length + size.length() + END.length];
        int position = append(BEFORE_PAYLOAD, message, 0);
        position = payload.append(text, message, position);
        position = append(BEFORE_SIZE, message, position);
        position = size.append(text, message, position);
        append(END, message, position);
        return message;
    }

    /** The parser looks at the bytes of a string closely only if the string is asked for. */
    private static void requireUtf8(byte[] text, JsonParser parser) {
        if (!ByteBufUtil.isText(Unpooled.wrappedBuffer(text), StandardCharsets.UTF_8)) {
            throw new NoJsonException(parser, "the text is not UTF-8");
        }
    }

    private static JsonToken requireValue(JsonToken token, JsonParser parser) {
        if (token == null) {
            throw new NoJsonException(parser, "the text is empty");
        }
        return token;
    }

    /** Goes to the end of the value that has just begun; what is skipped is parsed all the same. */
    private static void skipValue(JsonParser parser) {
        parser.skipChildren();
        parser.finishToken();
    }

    private static void requireEnd(JsonParser parser) {
        if (parser.nextToken() != null) {
            throw new NoJsonException(parser, "there is something after the end of the text");
        }
    }

    private static int offset(long byteOffset) {
        return Math.toIntExact(byteOffset);
    }

    private static int append(byte[] part, byte[] target, int position) {
        System.arraycopy(part, 0, target, position, part.length);
        return position + part.length;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private record Slice(int start, int end) {
        private static final Slice MISSING = new Slice(-1, -1);

        int length() {
            return start < 0 ? NULL.length : end - start;
        }

        int append(byte[] source, byte[] target, int position) {
            if (start < 0) {
                return PayloadMediation.append(NULL, target, position);
            }
            System.arraycopy(source, start, target, position, end - start);
            return position + end - start;
        }
    }

    /** Reports what the parser alone would not find. */
    private static final class NoJsonException extends JacksonException {
        private static final long serialVersionUID = 1L;

        NoJsonException(JsonParser parser, String message) {
            super(message, parser.currentLocation(), null);
        }

        @Override
        public Object processor() {
            return PayloadMediation.class;
        }
    }
}
