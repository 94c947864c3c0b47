/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.engine.payload;

import io.gatebench.model.PayloadKind;

/** JSON payloads in the shapes of the published gateway results. */
final class JsonPayload {

    static final int MIN_ITEM_LENGTH = 10;

    private static final String FILLER = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    /** A new item starts only when more than this remains, enough for its separators and one character. */
    private static final int ITEM_OVERHEAD = 3;

    private JsonPayload() {}

    private static final class Filler {
        private int next;

        private Filler(int variant) {
            next = variant;
        }

        private void append(StringBuilder out, int count) {
            for (int i = 0; i < count; i++) {
                out.append(FILLER.charAt(Math.floorMod(next++, FILLER.length())));
            }
        }
    }

    private static String head(int size) {
        if (size < Payloads.MIN_JSON_BYTES) {
            throw new IllegalArgumentException("a JSON payload must have at least " + Payloads.MIN_JSON_BYTES
                    + " bytes but " + size + " were asked for");
        }
        return "{\"size\":\"" + size + "B\",\"payload\":";
    }

    static String simple(int size, int variant) {
        StringBuilder out = new StringBuilder(size).append(head(size)).append('"');
        new Filler(variant).append(out, size - out.length() - 2);
        return out.append("\"}").toString();
    }

    static String array(int size, int variant, int itemLength) {
        StringBuilder out = new StringBuilder(size).append(head(size)).append("[\"");
        Filler filler = new Filler(variant);
        // What is left of the text once the end "]} is written.
        int left = size - out.length() - 3;
        int inItem = 0;
        while (left > 0) {
            if (inItem >= itemLength && left > ITEM_OVERHEAD) {
                out.append("\",\"");
                left -= ITEM_OVERHEAD;
                inItem = 0;
            }
            filler.append(out, 1);
            left--;
            inItem++;
        }
        return out.append("\"]}").toString();
    }

    static String object(int size, int variant, int itemLength) {
        StringBuilder out = new StringBuilder(size).append(head(size)).append("{\"payload1\":\"");
        Filler filler = new Filler(variant);
        int member = 1;
        int left = size - out.length() - 3;
        int inItem = 0;
        while (left > 0) {
            String next = "\",\"payload" + (member + 1) + "\":\"";
            if (inItem >= itemLength && left > next.length()) {
                out.append(next);
                left -= next.length();
                member++;
                inItem = 0;
            }
            filler.append(out, 1);
            left--;
            inItem++;
        }
        return out.append("\"}}").toString();
    }

    /** Every payload has ten characters in its first string: it has 50 bytes at least, and items have ten. */
    static int fillingAt(PayloadKind kind, int size) {
        String before = switch (kind) {
            case JSON_ARRAY -> "[\"";
            case JSON_OBJECT -> "{\"payload1\":\"";
            default -> "\"";
        };
        return head(size).length() + before.length();
    }

    static String symbols(int size, int variant, boolean wso2Sizes) {
        int bytes = wso2Sizes ? size - 4 : size;
        String head = "{\"payload\":{\"symbol\":[";
        String end = "]}}";
        String item = "\"json\"";
        int space = bytes - head.length() - end.length();
        if (space < item.length()) {
            throw new IllegalArgumentException("a JSON payload of symbols must have at least "
                    + (head.length() + item.length() + end.length() + (wso2Sizes ? 4 : 0)) + " bytes but " + size
                    + " were asked for");
        }
        StringBuilder out = new StringBuilder(bytes).append(head);
        // Whole items as long as another one fits behind; the last takes the rest.
        while (space >= 2 * item.length() + 1) {
            out.append(item).append(',');
            space -= item.length() + 1;
        }
        out.append("\"json");
        new Filler(variant).append(out, space - item.length());
        return out.append('"').append(end).toString();
    }
}
