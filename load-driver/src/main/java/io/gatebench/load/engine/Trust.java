/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.engine;

import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Choice of the server certificates that are accepted.
 *
 * @param all whether every certificate is accepted and host names are not checked
 * @param caFile PEM file with the certificates to trust instead of those of the JVM
 * @since 0.1
 */
public record Trust(boolean all, Optional<Path> caFile) {

    /**
     * Checks that one rule is given.
     *
     * @throws IllegalArgumentException if everything is trusted and a file is given as well
     */
    public Trust {
        if (all && caFile.isPresent()) {
            throw new IllegalArgumentException(
                    "either trust every certificate or those of " + caFile.get() + ", not both");
        }
    }

    /** Returns the trust of the JVM: its own certificate authorities, host names checked. */
    public static Trust system() {
        return new Trust(false, Optional.empty());
    }

    /** Returns a trust that accepts everything, for gateways with a self-signed certificate. */
    public static Trust everything() {
        return new Trust(true, Optional.empty());
    }

    /** Returns the trust for a gateway under test: one that serves HTTPS may have a certificate of its own making. */
    public static Trust ofGateway(URI url) {
        return url.getScheme().equals("https") ? everything() : system();
    }

    /** Returns a trust in the certificates of a PEM file; host names are checked. */
    public static Trust certificates(Path pem) {
        return new Trust(false, Optional.of(pem));
    }
}
