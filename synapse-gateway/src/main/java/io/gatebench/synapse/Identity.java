/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.synapse;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

import io.gatebench.certificate.SelfSignedCertificate;

/**
 * The private key and certificate chain of the HTTPS listener.
 *
 * @param key private key
 * @param chain certificates, the listener's own first
 */
record Identity(PrivateKey key, List<Certificate> chain) {
    private static final Duration VALIDITY = Duration.ofDays(365);

    Identity {
        chain = List.copyOf(chain);
    }

    /** Makes an RSA key and a certificate for localhost and {@code bind}, valid for a year from {@code clock}. */
    static Identity selfSigned(InetAddress bind, Clock clock) {
        try {
            SelfSignedCertificate made = SelfSignedCertificate.create(
                    SelfSignedCertificate.Kind.RSA,
                    List.of(),
                    List.of(SelfSignedCertificate.loopback().get(0), bind),
                    clock.instant(),
                    VALIDITY);
            return new Identity(made.key(), List.of(made.certificate()));
        } catch (GeneralSecurityException e) {
            throw new GatewayException("cannot make a self-signed certificate: " + e.getMessage(), e);
        }
    }

    /**
     * Reads the first private key of a JKS or PKCS#12 file.
     *
     * @throws GatewayException if a file cannot be read, the password is wrong or the store holds no private key
     */
    static Identity load(GatewaySettings.KeyStoreFile source) {
        char[] password = password(source.passwordFile());
        Path file = source.file();
        try {
            KeyStore store = KeyStore.getInstance(file.toFile(), password);
            for (String alias : Collections.list(store.aliases())) {
                Key key = store.isKeyEntry(alias) ? store.getKey(alias, password) : null;
                if (key instanceof PrivateKey privateKey) {
                    return new Identity(privateKey, List.of(store.getCertificateChain(alias)));
                }
            }
        } catch (GeneralSecurityException | IOException e) {
            throw new GatewayException("cannot read key store " + file + ": " + e.getMessage(), e);
        }
        throw new GatewayException("key store " + file + " holds no private key; --keystore needs one for HTTPS");
    }

    private static char[] password(Path file) {
        try (Stream<String> lines = Files.lines(file, StandardCharsets.UTF_8)) {
            return lines.findFirst().orElse("").toCharArray();
        } catch (IOException | UncheckedIOException e) {
            throw new GatewayException("cannot read key-store password file " + file + ": " + e.getMessage(), e);
        }
    }

    /**
     * Writes this identity as a PKCS#12 file, because the engine reads its keys from a file only.
     *
     * @return the password of the file, made for this one
     */
    String write(Path file) {
        byte[] secret = new byte[24];
        new SecureRandom().nextBytes(secret);
        String password = Base64.getUrlEncoder().withoutPadding().encodeToString(secret);
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            store.setKeyEntry("gateway", key, password.toCharArray(), chain.toArray(Certificate[]::new));
            try (OutputStream out = Files.newOutputStream(file)) {
                store.store(out, password.toCharArray());
            }
        } catch (GeneralSecurityException | IOException e) {
            throw new GatewayException("cannot write key store " + file + ": " + e.getMessage(), e);
        }
        return password;
    }
}
