/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.engine.http;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Collection;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

import io.gatebench.certificate.AnyCertificate;

/** TLS contexts for the two ways to trust a gateway that is not signed by a public authority. */
public final class TlsSockets {

    private TlsSockets() {}

    /**
     * Returns a context.
     *
     * @param trustAll whether every certificate is accepted
     * @param caFile PEM file with certificates to trust instead of the JVM's
     * @throws IOException if the file cannot be read or holds no certificate
     * @throws GeneralSecurityException if the JVM refuses the certificates
     */
    public static SSLContext context(boolean trustAll, Optional<Path> caFile)
            throws IOException, GeneralSecurityException {
        if (trustAll) {
            return AnyCertificate.context();
        }
        SSLContext context = SSLContext.getInstance("TLS");
        if (caFile.isPresent()) {
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(keyStore(caFile.get()));
            context.init(null, factory.getTrustManagers(), new SecureRandom());
        } else {
            context.init(null, null, null);
        }
        return context;
    }

    private static KeyStore keyStore(Path pem) throws IOException, GeneralSecurityException {
        Collection<? extends Certificate> certificates;
        try (InputStream in = Files.newInputStream(pem)) {
            certificates = CertificateFactory.getInstance("X.509").generateCertificates(in);
        }
        if (certificates.isEmpty()) {
            throw new IOException(pem + " holds no certificate");
        }
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        int number = 0;
        for (Certificate certificate : certificates) {
            store.setCertificateEntry("ca" + number++, certificate);
        }
        return store;
    }
}
