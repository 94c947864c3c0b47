/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.echo;

import java.util.Base64;

import io.netty.handler.codec.http2.Http2Settings;

/** Reads the {@code HTTP2-Settings} header: a SETTINGS payload in base64url (RFC 7540, section 3.2.1). */
final class UpgradeSettings {

    private static final int BYTES_PER_SETTING = 6;

    private UpgradeSettings() {}

    static boolean isWellFormed(String text) {
        try {
            decode(text);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /**
     * Returns the settings.
     *
     * @throws IllegalArgumentException if the text is no base64url, or a setting is incomplete or out of range
     */
    static Http2Settings decode(String text) {
        byte[] bytes = Base64.getUrlDecoder().decode(text);
        if (bytes.length % BYTES_PER_SETTING != 0) {
            throw new IllegalArgumentException("a setting is incomplete");
        }
        Http2Settings settings = new Http2Settings();
        for (int i = 0; i < bytes.length; i += BYTES_PER_SETTING) {
            char id = (char) ((bytes[i] & 0xFF) << 8 | bytes[i + 1] & 0xFF);
            long value = (bytes[i + 2] & 0xFFL) << 24
                    | (bytes[i + 3] & 0xFFL) << 16
                    | (bytes[i + 4] & 0xFFL) << 8
                    | bytes[i + 5] & 0xFFL;
            settings.put(id, Long.valueOf(value));
        }
        return settings;
    }
}
