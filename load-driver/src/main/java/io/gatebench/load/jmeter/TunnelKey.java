/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.jmeter;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;

/** The key that a controller and its load generators share, in the form in which it is put on their machines. */
public final class TunnelKey {

    /** PKCS #12 wants one; what protects the file is who can read it. */
    static final String PASSWORD = "gatebench";

    private TunnelKey() {}

    /**
     * Writes a key store, for whose protection the caller cares.
     *
     * @throws IOException if it cannot be written
     */
    public static void write(PrivateKey key, X509Certificate certificate, Path file) throws IOException {
        try (OutputStream out = Files.newOutputStream(file)) {
            KeyStore keys = KeyStore.getInstance("PKCS12");
            keys.load(null, null);
            keys.setKeyEntry("rmi", key, PASSWORD.toCharArray(), new Certificate[] {certificate});
            keys.store(out, PASSWORD.toCharArray());
        } catch (GeneralSecurityException e) {
            throw new IOException("no key store can be written to " + file + ": " + e.getMessage(), e);
        }
    }
}
