/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.engine.payload;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import io.gatebench.model.MessageLevel;
import io.gatebench.model.PayloadKind;

/** Makes request payloads. Stateless. */
public final class Payloads {

    /** Smallest JSON payload with a size member: below it the published shapes do not exist. */
    public static final int MIN_JSON_BYTES = 50;

    private Payloads() {}

    /**
     * Returns the payload of that kind and level, exact to the byte.
     *
     * @throws IllegalArgumentException if the level is of another kind, or there is no payload of that size
     */
    public static byte[] create(PayloadKind kind, MessageLevel level) {
        return create(kind, level, 0, false);
    }

    /**
     * Returns one of several payloads of that kind and level.
     *
     * @param variant which one, from 0; all have the same size
     * @param wso2Sizes whether SOAP payloads have the sizes of the predecessor's files, which are never exact
     * @throws IllegalArgumentException if the level is of another kind, or there is no payload of that size
     */
    public static byte[] create(PayloadKind kind, MessageLevel level, int variant, boolean wso2Sizes) {
        String text = switch (kind) {
            case JSON_SIMPLE -> JsonPayload.simple(bytes(kind, level), variant);
            case JSON_ARRAY -> JsonPayload.array(bytes(kind, level), variant, JsonPayload.MIN_ITEM_LENGTH);
            case JSON_OBJECT -> JsonPayload.object(bytes(kind, level), variant, JsonPayload.MIN_ITEM_LENGTH);
            case JSON_SYMBOLS -> JsonPayload.symbols(bytes(kind, level), variant, wso2Sizes);
            case SOAP_BUY_STOCKS -> SoapPayload.buyStocks(bytes(kind, level), variant, wso2Sizes);
            case XML_ELEMENTS -> SoapPayload.elements(value(kind, level, MessageLevel.Kind.ELEMENTS), variant);
            case GRAPHQL_QUERY -> GraphQlQueries.body(value(kind, level, MessageLevel.Kind.GRAPHQL_QUERY), variant);
            case NONE -> "";
        };
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Returns where a payload of that kind and level has ten characters that are filling alone, in all its variants;
     * negative if it has none.
     */
    public static int fillingAt(PayloadKind kind, MessageLevel level) {
        return switch (kind) {
            case JSON_SIMPLE, JSON_ARRAY, JSON_OBJECT -> JsonPayload.fillingAt(kind, bytes(kind, level));
            default -> -1;
        };
    }

    /** Returns that many different payloads of the same size. */
    public static List<byte[]> variants(PayloadKind kind, MessageLevel level, int count, boolean wso2Sizes) {
        List<byte[]> payloads = new ArrayList<>();
        for (int variant = 0; variant < (kind == PayloadKind.NONE ? 1 : count); variant++) {
            payloads.add(create(kind, level, variant, wso2Sizes));
        }
        return payloads;
    }

    /** Returns the media type of payloads of that kind; empty if there is no body. */
    public static String contentType(PayloadKind kind) {
        return switch (kind) {
            case JSON_SIMPLE, JSON_ARRAY, JSON_OBJECT, JSON_SYMBOLS, GRAPHQL_QUERY -> "application/json";
            case SOAP_BUY_STOCKS, XML_ELEMENTS -> "text/xml";
            case NONE -> "";
        };
    }

    private static int bytes(PayloadKind kind, MessageLevel level) {
        return value(kind, level, MessageLevel.Kind.SIZE_BYTES);
    }

    private static int value(PayloadKind kind, MessageLevel level, MessageLevel.Kind needed) {
        if (level.kind() != needed) {
            throw new IllegalArgumentException(
                    "a payload " + kind + " is made from " + needed + " but the message level is " + level.kind());
        }
        return level.value();
    }
}
