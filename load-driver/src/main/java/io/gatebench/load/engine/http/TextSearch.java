/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.engine.http;

/** Finds a text in a stream of pieces (Knuth, Morris and Pratt: no byte is looked at twice, none is kept). */
final class TextSearch {

    private final byte[] text;
    private final int[] fallback;
    private int matched;

    TextSearch(byte[] text) {
        this.text = text;
        this.fallback = new int[text.length];
        for (int i = 1, length = 0; i < text.length; ) {
            if (text[i] == text[length]) {
                fallback[i++] = ++length;
            } else if (length > 0) {
                length = fallback[length - 1];
            } else {
                i++;
            }
        }
    }

    void reset() {
        matched = 0;
    }

    void accept(byte[] bytes, int offset, int count) {
        int at = matched;
        for (int i = offset; i < offset + count && at < text.length; i++) {
            while (at > 0 && bytes[i] != text[at]) {
                at = fallback[at - 1];
            }
            if (bytes[i] == text[at]) {
                at++;
            }
        }
        matched = at;
    }

    boolean found() {
        return matched == text.length;
    }
}
