/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.echo;

import java.util.Locale;

/**
 * Names the code that does TLS.
 *
 * @since 0.1
 */
public enum TlsProvider {
    /** OpenSSL where its native code loads, else the JDK. */
    AUTO,
    /** BoringSSL through native code; Linux only. */
    OPENSSL,
    /** The JDK's own; works everywhere, at a higher price per request. */
    JDK;

    /** Returns the name as it is written on the command line and in the ready line, for example {@code openssl}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
