/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateway;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;

/**
 * A key of RSA 2048 and a certificate for {@code localhost}, 127.0.0.1 and ::1 that signs itself.
 *
 * <p>The JDK makes certificates only in its key tool, as a process of its own; the DER of RFC 5280 that is needed here is
 * small. RSA 2048 is what the products bring by default, so that a handshake costs the same.
 *
 * @param key the private key
 * @param certificate valid from one day ago for ten years
 */
record SelfSignedCertificate(PrivateKey key, X509Certificate certificate) {

    private static final int SEQUENCE = 0x30;
    private static final int SET = 0x31;
    private static final int INTEGER = 0x02;
    private static final int BIT_STRING = 0x03;
    private static final int OCTET_STRING = 0x04;
    private static final int OBJECT_IDENTIFIER = 0x06;
    private static final int UTF8_STRING = 0x0c;
    private static final int UTC_TIME = 0x17;
    private static final int VERSION = 0xa0;
    private static final int EXTENSIONS = 0xa3;
    private static final int DNS_NAME = 0x82;
    private static final int IP_ADDRESS = 0x87;
    private static final byte[] COMMON_NAME = HexFormat.of().parseHex("550403");
    private static final byte[] SUBJECT_ALTERNATIVE_NAME = HexFormat.of().parseHex("551d11");
    private static final byte[] SHA256_WITH_RSA = HexFormat.of().parseHex("2a864886f70d01010b");
    private static final byte[] NULL = {0x05, 0x00};
    private static final byte[] V3 = {INTEGER, 1, 2};
    /** RFC 5280 wants two digits of the year until 2049. */
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);

    /** Makes a new key and its certificate. */
    static SelfSignedCertificate create(Clock clock) throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2048);
        KeyPair keys = generator.generateKeyPair();
        Instant now = clock.instant();

        byte[] algorithm = der(SEQUENCE, der(OBJECT_IDENTIFIER, SHA256_WITH_RSA), NULL);
        byte[] name = der(
                SEQUENCE,
                der(
                        SET,
                        der(
                                SEQUENCE,
                                der(OBJECT_IDENTIFIER, COMMON_NAME),
                                der(UTF8_STRING, "localhost".getBytes(StandardCharsets.UTF_8)))));
        byte[] validity = der(SEQUENCE, time(now.minus(Duration.ofDays(1))), time(now.plus(Duration.ofDays(3650))));
        byte[] loopback6 = new byte[16];
        loopback6[15] = 1;
        byte[] alternativeNames = der(
                SEQUENCE,
                der(DNS_NAME, "localhost".getBytes(StandardCharsets.US_ASCII)),
                der(IP_ADDRESS, new byte[] {127, 0, 0, 1}),
                der(IP_ADDRESS, loopback6));
        byte[] extensions = der(
                EXTENSIONS,
                der(
                        SEQUENCE,
                        der(
                                SEQUENCE,
                                der(OBJECT_IDENTIFIER, SUBJECT_ALTERNATIVE_NAME),
                                der(OCTET_STRING, alternativeNames))));
        byte[] serial = new BigInteger(127, new SecureRandom()).setBit(120).toByteArray();
        byte[] signed = der(
                SEQUENCE,
                der(VERSION, V3),
                der(INTEGER, serial),
                algorithm,
                name,
                validity,
                name,
                keys.getPublic().getEncoded(),
                extensions);

        Signature signer = Signature.getInstance("SHA256withRSA");
        signer.initSign(keys.getPrivate());
        signer.update(signed);
        byte[] encoded = der(SEQUENCE, signed, algorithm, der(BIT_STRING, new byte[] {0}, signer.sign()));
        X509Certificate certificate = (X509Certificate)
                CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(encoded));
        return new SelfSignedCertificate(keys.getPrivate(), certificate);
    }

    private static byte[] time(Instant instant) {
        return der(UTC_TIME, TIME.format(instant).getBytes(StandardCharsets.US_ASCII));
    }

    private static byte[] der(int tag, byte[]... parts) {
        int length = 0;
        for (byte[] part : parts) {
            length += part.length;
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream(length + 6);
        out.write(tag);
        if (length < 0x80) {
            out.write(length);
        } else {
            byte[] digits = BigInteger.valueOf(length).toByteArray();
            int skip = digits[0] == 0 ? 1 : 0;
            out.write(0x80 | (digits.length - skip));
            out.write(digits, skip, digits.length - skip);
        }
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }
}
