/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateway;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.time.Clock;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslStoreBundle;

import io.gatebench.certificate.SelfSignedCertificate;

/** The key and certificate chain of the HTTPS port. */
final class ServerKey {
    private ServerKey() {}

    /**
     * Loads the configured key store or makes a key that lasts as long as the process.
     *
     * @throws UsageException if the key store cannot be read, its password is wrong or it holds no private key
     */
    static SslBundle bundle(Optional<GatewaySettings.Keystore> keystore, Clock clock) {
        if (keystore.isPresent()) {
            Path file = keystore.get().file();
            String password = firstLine(keystore.get().passwordFile());
            return SslBundle.of(SslStoreBundle.of(load(file, password), password, null));
        }
        try {
            SelfSignedCertificate made = selfSigned(clock);
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            store.setKeyEntry("gateway", made.key(), new char[0], new Certificate[] {made.certificate()});
            return SslBundle.of(SslStoreBundle.of(store, "", null));
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("this JDK cannot make an RSA key and certificate", e);
        }
    }

    /** Makes a key that costs a handshake as much as those that the products bring. */
    static SelfSignedCertificate selfSigned(Clock clock) throws GeneralSecurityException {
        return SelfSignedCertificate.create(
                SelfSignedCertificate.Kind.RSA,
                List.of(),
                SelfSignedCertificate.loopback(),
                clock.instant(),
                Duration.ofDays(3650));
    }

    private static KeyStore load(Path file, String password) {
        try (InputStream in = Files.newInputStream(file)) {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(in, password.toCharArray());
            for (String alias : Collections.list(store.aliases())) {
                if (store.isKeyEntry(alias)) {
                    return store;
                }
            }
        } catch (IOException | GeneralSecurityException e) {
            throw new UsageException("the key store '" + file + "' cannot be opened: " + Problem.of(e));
        }
        throw new UsageException("the key store '" + file + "' holds no private key");
    }

    private static String firstLine(Path passwordFile) {
        try {
            return Files.readString(passwordFile).lines().findFirst().orElse("");
        } catch (IOException e) {
            throw new UsageException("the password file '" + passwordFile + "' cannot be read: " + Problem.of(e));
        }
    }
}
