/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.engine.http;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

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
        SSLContext context = SSLContext.getInstance("TLS");
        if (trustAll) {
            context.init(null, new TrustManager[] {new TrustEverything()}, new SecureRandom());
        } else if (caFile.isPresent()) {
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

    private static final class TrustEverything extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
