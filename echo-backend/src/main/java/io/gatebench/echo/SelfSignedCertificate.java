/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.echo;

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
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;

/**
 * A key and a certificate that vouches for itself, for {@code localhost}, this machine's name and the loopback addresses.
 *
 * <p>Written by hand (RFC 5280, DER), because the JDK has no public way to make a certificate and Netty's ways need
 * BouncyCastle, 8 MB for forty lines.
 *
 * @param key the private key, on the curve P-256
 * @param certificate valid from yesterday for ten years
 */
record SelfSignedCertificate(PrivateKey key, X509Certificate certificate) {

    private static final int SEQUENCE = 0x30;
    private static final int SET = 0x31;
    private static final byte[] ECDSA_WITH_SHA256 = oid(0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x02);
    private static final byte[] COMMON_NAME = oid(0x55, 0x04, 0x03);
    private static final byte[] BASIC_CONSTRAINTS = oid(0x55, 0x1D, 0x13);
    private static final byte[] SUBJECT_ALT_NAME = oid(0x55, 0x1D, 0x11);
    private static final byte[] TRUE = {0x01, 0x01, (byte) 0xFF};
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

    static SelfSignedCertificate create(Instant now) {
        try {
            SecureRandom random = new SecureRandom();
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"), random);
            KeyPair pair = generator.generateKeyPair();
            byte[] algorithm = der(SEQUENCE, ECDSA_WITH_SHA256);
            byte[] name = der(SEQUENCE, der(SET, der(SEQUENCE, COMMON_NAME, utf8("localhost"))));
            byte[] validity = der(SEQUENCE, time(now.minusSeconds(86_400)), time(now.plusSeconds(3_650L * 86_400)));
            byte[] serial = der(0x02, new BigInteger(120, random).setBit(119).toByteArray());
            byte[] version = der(0xA0, new byte[] {0x02, 0x01, 0x02});
            byte[] extensions = der(
                    0xA3,
                    der(
                            SEQUENCE,
                            der(SEQUENCE, BASIC_CONSTRAINTS, TRUE, der(0x04, der(SEQUENCE, TRUE))),
                            der(SEQUENCE, SUBJECT_ALT_NAME, der(0x04, alternativeNames()))));
            byte[] content = der(
                    SEQUENCE,
                    version,
                    serial,
                    algorithm,
                    name,
                    validity,
                    name,
                    pair.getPublic().getEncoded(),
                    extensions);
            Signature signature = Signature.getInstance("SHA256withECDSA");
            signature.initSign(pair.getPrivate(), random);
            signature.update(content);
            byte[] signed = signature.sign();
            byte[] certificate = der(SEQUENCE, content, algorithm, der(0x03, new byte[] {0}, signed));
            return new SelfSignedCertificate(pair.getPrivate(), (X509Certificate)
                    CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(certificate)));
        } catch (GeneralSecurityException e) {
            throw new EchoException(
                    "this JDK cannot make a self-signed certificate (" + e.getMessage()
                            + "); give a PKCS12 key store with --key-store-file",
                    e);
        }
    }

    private static byte[] alternativeNames() {
        Set<String> names = new LinkedHashSet<>();
        names.add("localhost");
        Set<InetAddress> addresses = new LinkedHashSet<>();
        try {
            addresses.add(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}));
            addresses.add(InetAddress.getByName("::1"));
            InetAddress local = InetAddress.getLocalHost();
            if (local.getHostName().matches("[A-Za-z0-9.-]+")) {
                names.add(local.getHostName());
            }
            addresses.add(local);
        } catch (UnknownHostException e) {
            // A machine that does not know its own name is reached by localhost or not by name at all.
            names.add("localhost");
        }
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        names.forEach(name -> all.writeBytes(der(0x82, name.getBytes(StandardCharsets.US_ASCII))));
        addresses.forEach(address -> all.writeBytes(der(0x87, address.getAddress())));
        return der(SEQUENCE, all.toByteArray());
    }

    private static byte[] time(Instant instant) {
        return der(0x18, TIME.format(instant).getBytes(StandardCharsets.US_ASCII));
    }

    private static byte[] utf8(String text) {
        return der(0x0C, text.getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] oid(int... bytes) {
        byte[] content = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            content[i] = (byte) bytes[i];
        }
        return der(0x06, content);
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
            out.write(length & 0xFF);
        }
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }
}
