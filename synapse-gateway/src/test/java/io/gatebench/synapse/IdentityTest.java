/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.synapse;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Date;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IdentityTest {
    private static final Instant NOW = Instant.parse("2026-11-21T08:00:00Z");

    @TempDir
    private Path directory;

    @Test
    void theSelfSignedCertificateNamesTheBoundAddressAndIsValidForAYear() throws Exception {
        Identity identity = Identity.selfSigned(InetAddress.getByName("127.0.0.7"), Clock.fixed(NOW, ZoneOffset.UTC));
        X509Certificate certificate = (X509Certificate) identity.chain().get(0);

        certificate.verify(certificate.getPublicKey());
        certificate.checkValidity(Date.from(NOW));
        certificate.checkValidity(Date.from(NOW.plusSeconds(364 * 86_400)));
        assertThat(certificate.getNotAfter()).isBefore(NOW.plusSeconds(366 * 86_400));
        assertThat(certificate.getSubjectAlternativeNames())
                .<Object>extracting(name -> name.get(1))
                .containsExactly("localhost", "127.0.0.1", "127.0.0.7");
        assertThat(certificate.getVersion()).isEqualTo(3);
    }

    @Test
    void whatIsWrittenIsReadAgain() throws Exception {
        Identity identity = Identity.selfSigned(InetAddress.getByName("::1"), Clock.systemUTC());
        Path file = directory.resolve("identity.p12");
        String password = identity.write(file);
        Path passwordFile = Files.writeString(directory.resolve("password"), password + "\nsecond line\n");

        assertThat(Identity.load(new GatewaySettings.KeyStoreFile(file, passwordFile)))
                .isEqualTo(identity);
        assertThat(KeyStore.getInstance(file.toFile(), password.toCharArray()).getType())
                .isEqualToIgnoringCase("pkcs12");
        assertThat(identity.write(file)).isNotEqualTo(password);
    }
}
