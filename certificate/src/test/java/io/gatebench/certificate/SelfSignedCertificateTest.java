/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.certificate;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SelfSignedCertificateTest {

    private static final Instant NOW = Instant.parse("2026-11-21T08:00:00Z");

    @ParameterizedTest
    @EnumSource
    void signsItselfForTheNamesAndTheTimeThatItIsGiven(SelfSignedCertificate.Kind kind) throws Exception {
        SelfSignedCertificate made = SelfSignedCertificate.create(
                kind,
                List.of("gateway.example", "localhost"),
                SelfSignedCertificate.loopback(),
                NOW,
                Duration.ofDays(365));
        X509Certificate certificate = made.certificate();

        certificate.verify(certificate.getPublicKey());
        certificate.checkValidity(Date.from(NOW));
        assertThat(certificate.getNotAfter()).isEqualTo(NOW.plus(Duration.ofDays(365)));
        assertThat(certificate.getSubjectAlternativeNames())
                .<Object>extracting(name -> name.get(1))
                .containsExactly("localhost", "gateway.example", "127.0.0.1", "0:0:0:0:0:0:0:1");
        assertThat(certificate.getVersion()).isEqualTo(3);
        assertThat(certificate.getBasicConstraints()).isNotNegative();
        assertThat(made.key().getAlgorithm()).isEqualTo(kind.name());
    }
}
