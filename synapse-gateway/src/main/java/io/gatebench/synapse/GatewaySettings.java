/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.synapse;

import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Settings of one gateway process: what it serves and where.
 *
 * @param bind address that both listeners bind
 * @param httpPort port of the HTTP listener, 1 to 65535
 * @param httpsPort port of the HTTPS listener, 1 to 65535, not {@code httpPort}
 * @param backend absolute http or https URL that the {@code EchoService} endpoint calls; absent: the one in its file
 * @param config Synapse configuration folder to serve in place of the built-in scenarios
 * @param keyStore key store that holds the listener's certificate; a self-signed one is made when absent
 */
record GatewaySettings(
        InetAddress bind,
        int httpPort,
        int httpsPort,
        Optional<URI> backend,
        Optional<Path> config,
        Optional<KeyStoreFile> keyStore) {

    /**
     * A key store given by the user.
     *
     * @param file JKS or PKCS#12 file
     * @param passwordFile file whose first line is the password of the store and of its key
     */
    record KeyStoreFile(Path file, Path passwordFile) {}
}
