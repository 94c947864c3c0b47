/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.certificate;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;

/**
 * A key and a certificate for {@code localhost} that signs itself.
 *
 * <p>The JDK makes certificates only in its key tool, as a process of its own; the DER of RFC 5280 that is needed here is
 * small.
 *
 * @param key the private key
 * @param certificate valid from one day before it was made
 */
public record SelfSignedCertificate(PrivateKey key, X509Certificate certificate) {

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
    private static final byte[] BASIC_CONSTRAINTS = HexFormat.of().parseHex("551d13");
    private static final byte[] SUBJECT_ALTERNATIVE_NAME = HexFormat.of().parseHex("551d11");
    private static final byte[] NULL = {0x05, 0x00};
    private static final byte[] TRUE = {0x01, 0x01, (byte) 0xff};
    private static final byte[] V3 = {INTEGER, 1, 2};
    /** RFC 5280 wants two digits of the year until 2049. */
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyMMddHHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

    /** A kind of key, with its signature. */
    public enum Kind {
        /** RSA of 2048 bits, which WSO2's products bring: a handshake costs the same. */
        RSA("SHA256withRSA", "2a864886f70d01010b") {
            @Override
            void initialize(KeyPairGenerator generator, SecureRandom random) {
                generator.initialize(2048, random);
            }

            @Override
            byte[] algorithm() {
                return der(SEQUENCE, der(OBJECT_IDENTIFIER, signatureIdentifier()), NULL);
            }
        },
        /** The curve P-256. */
        EC("SHA256withECDSA", "2a8648ce3d040302") {
            @Override
            void initialize(KeyPairGenerator generator, SecureRandom random) throws GeneralSecurityException {
                generator.initialize(new ECGenParameterSpec("secp256r1"), random);
            }

            @Override
            byte[] algorithm() {
                return der(SEQUENCE, der(OBJECT_IDENTIFIER, signatureIdentifier()));
            }
        };

        private final String signature;
        private final String identifier;

        Kind(String signature, String identifier) {
            this.signature = signature;
            this.identifier = identifier;
        }

        abstract void initialize(KeyPairGenerator generator, SecureRandom random) throws GeneralSecurityException;

        abstract byte[] algorithm();

        byte[] signatureIdentifier() {
            return HexFormat.of().parseHex(identifier);
        }
    }

    /**
     * Makes a key and a certificate for {@code localhost} and further names and addresses.
     *
     * @param names further names of the host
     * @param addresses the addresses at which it is reached
     * @param now the time
     * @param validity how long it is valid from then on
     * @throws GeneralSecurityException if this JDK cannot make keys of that kind
     */
    public static SelfSignedCertificate create(
            Kind kind, Collection<String> names, Collection<InetAddress> addresses, Instant now, Duration validity)
            throws GeneralSecurityException {
        SecureRandom random = new SecureRandom();
        KeyPairGenerator generator = KeyPairGenerator.getInstance(kind.name());
        kind.initialize(generator, random);
        KeyPair pair = generator.generateKeyPair();
        byte[] name = der(
                SEQUENCE, der(SET, der(SEQUENCE, der(OBJECT_IDENTIFIER, COMMON_NAME), text(UTF8_STRING, "localhost"))));
        byte[] content = der(
                SEQUENCE,
                der(VERSION, V3),
                der(INTEGER, new BigInteger(127, random).setBit(120).toByteArray()),
                kind.algorithm(),
                name,
                der(SEQUENCE, time(now.minus(Duration.ofDays(1))), time(now.plus(validity))),
                name,
                pair.getPublic().getEncoded(),
                der(
                        EXTENSIONS,
                        der(
                                SEQUENCE,
                                // Clients that are given the certificate to trust want it to be an authority.
                                der(
                                        SEQUENCE,
                                        der(OBJECT_IDENTIFIER, BASIC_CONSTRAINTS),
                                        TRUE,
                                        der(OCTET_STRING, der(SEQUENCE, TRUE))),
                                der(
                                        SEQUENCE,
                                        der(OBJECT_IDENTIFIER, SUBJECT_ALTERNATIVE_NAME),
                                        der(OCTET_STRING, alternativeNames(names, addresses))))));
        Signature signature = Signature.getInstance(kind.signature);
        signature.initSign(pair.getPrivate(), random);
        signature.update(content);
        byte[] encoded = der(SEQUENCE, content, kind.algorithm(), der(BIT_STRING, new byte[] {0}, signature.sign()));
        return new SelfSignedCertificate(pair.getPrivate(), (X509Certificate)
                CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(encoded)));
    }

    /** Returns the addresses at which this machine alone reaches itself. */
    public static List<InetAddress> loopback() {
        byte[] six = new byte[16];
        six[15] = 1;
        try {
            return List.of(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), InetAddress.getByAddress(six));
        } catch (UnknownHostException e) {
            throw new IllegalStateException("these have the length of addresses", e);
        }
    }

    private static byte[] alternativeNames(Collection<String> names, Collection<InetAddress> addresses) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(text(DNS_NAME, "localhost"));
        names.stream()
                .filter(name -> !name.equals("localhost"))
                .distinct()
                .forEach(name -> all.writeBytes(text(DNS_NAME, name)));
        addresses.stream()
                .map(InetAddress::getAddress)
                .map(HexFormat.of()::formatHex)
                .distinct()
                .forEach(
                        address -> all.writeBytes(der(IP_ADDRESS, HexFormat.of().parseHex(address))));
        return der(SEQUENCE, all.toByteArray());
    }

    private static byte[] time(Instant instant) {
        return text(UTC_TIME, TIME.format(instant));
    }

    private static byte[] text(int tag, String text) {
        return der(tag, text.getBytes(StandardCharsets.US_ASCII));
    }

    /** Writes tag, length and the parts one after the other. */
    private static byte[] der(int tag, byte[]... parts) {
        int length = 0;
        for (byte[] part : parts) {
            length += part.length;
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream(length + 4);
        out.write(tag);
        if (length < 0x80) {
            out.write(length);
        } else if (length < 0x100) {
            out.write(0x81);
            out.write(length);
        } else {
            out.write(0x82);
            out.write(length >>> 8);
            out.write(length & 0xff);
        }
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }
}
