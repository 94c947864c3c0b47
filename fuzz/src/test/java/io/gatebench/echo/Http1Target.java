/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.echo;

import java.nio.charset.StandardCharsets;

/**
 * Requests of HTTP/1 at the back end; the first byte of an input is the number of bytes that come at once, and must change
 * nothing.
 */
public final class Http1Target {

    private Http1Target() {}

    public static void fuzzerTestOneInput(byte[] bytes) {
        if (bytes.length == 0) {
            return;
        }
        int atOnce = 1 + (bytes[0] & 0xff);
        String whole = answer(bytes, bytes.length);
        String pieces = answer(bytes, atOnce);
        if (!whole.equals(pieces)) {
            throw new AssertionError("in pieces of " + atOnce + " bytes:\n" + pieces + "\nat once:\n" + whole);
        }
    }

    /**
     * A body that is there already needs no leave to come, and a first line that does not come at once is not known to be
     * one of HTTP/1, whose mistakes are answered, be it that they are wrong or that the method is too long. After an
     * upgrade the answer is one of HTTP/2: why it says goodbye, Netty words by the bytes that came together.
     */
    private static String answer(byte[] bytes, int atOnce) {
        return new String(Wire.answer(false, new byte[0], bytes, 1, atOnce), StandardCharsets.ISO_8859_1)
                .replace("HTTP/1.1 100 Continue\r\n\r\n", "")
                .replaceFirst("(?s)(HTTP/1.1 101 .*?\r\n\r\n).*", "$1")
                .replaceFirst("^HTTP/1.1 (?:400|501) (?s:.*)", "");
    }
}
