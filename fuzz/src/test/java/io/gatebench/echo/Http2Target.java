/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.echo;

import java.nio.charset.StandardCharsets;

/** Frames of HTTP/2 at the back end, behind the preface and empty settings. */
public final class Http2Target {

    private static final byte[] PREFACE =
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0".getBytes(StandardCharsets.ISO_8859_1);

    private Http2Target() {}

    public static void fuzzerTestOneInput(byte[] bytes) {
        Wire.answer(true, PREFACE, bytes, 0, Math.max(1, bytes.length));
    }
}
