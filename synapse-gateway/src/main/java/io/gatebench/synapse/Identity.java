/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.synapse;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Collections;
import java.util.Date;
import java.util.List;
import java.util.stream.Stream;

import org.bouncycastle.asn1.ASN1EncodableVector;
import org.bouncycastle.asn1.ASN1Integer;
import org.bouncycastle.asn1.DERBitString;
import org.bouncycastle.asn1.DERNull;
import org.bouncycastle.asn1.DERSequence;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.Extensions;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.asn1.x509.TBSCertificate;
import org.bouncycastle.asn1.x509.Time;
import org.bouncycastle.asn1.x509.V3TBSCertificateGenerator;

/**
 * The private key and certificate chain of the HTTPS listener.
 *
 * @param key private key
 * @param chain certificates, the listener's own first
 */
record Identity(PrivateKey key, List<Certificate> chain) {
    private static final Duration VALIDITY = Duration.ofDays(365);
    private static final Duration CLOCK_TOLERANCE = Duration.ofDays(1);
    // The size and kind that the published figures of integration products were measured with.
    private static final int RSA_BITS = 2048;

    Identity {
        chain = List.copyOf(chain);
    }

    /** Makes an RSA key and a certificate for localhost and {@code bind}, valid for a year from {@code clock}. */
    static Identity selfSigned(InetAddress bind, Clock clock) {
        SecureRandom random = new SecureRandom();
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(RSA_BITS, random);
            KeyPair pair = generator.generateKeyPair();
            AlgorithmIdentifier algorithm =
                    new AlgorithmIdentifier(PKCSObjectIdentifiers.sha256WithRSAEncryption, DERNull.INSTANCE);
            TBSCertificate body = certificateBody(pair, algorithm, bind, clock.instant(), random);
            Signature signature = Signature.getInstance("SHA256withRSA");
            signature.initSign(pair.getPrivate());
            signature.update(body.getEncoded("DER"));
            ASN1EncodableVector certificate = new ASN1EncodableVector();
            certificate.add(body);
            certificate.add(algorithm);
            certificate.add(new DERBitString(signature.sign()));
            byte[] encoded = new DERSequence(certificate).getEncoded("DER");
            CertificateFactory factory = CertificateFactory.getInstance("X.509");
            return new Identity(
                    pair.getPrivate(), List.of(factory.generateCertificate(new ByteArrayInputStream(encoded))));
        } catch (GeneralSecurityException | IOException e) {
            throw new GatewayException("cannot make a self-signed certificate: " + e.getMessage(), e);
        }
    }

    private static TBSCertificate certificateBody(
            KeyPair pair, AlgorithmIdentifier algorithm, InetAddress bind, Instant now, SecureRandom random)
            throws IOException {
        X500Name name = new X500Name("CN=localhost, O=Gatebench");
        GeneralName[] names = {
            new GeneralName(GeneralName.dNSName, "localhost"),
            new GeneralName(GeneralName.iPAddress, "127.0.0.1"),
            new GeneralName(GeneralName.iPAddress, bind.getHostAddress().replaceFirst("%.*", ""))
        };
        V3TBSCertificateGenerator generator = new V3TBSCertificateGenerator();
        generator.setSerialNumber(new ASN1Integer(new BigInteger(120, random).add(BigInteger.ONE)));
        generator.setSignature(algorithm);
        generator.setIssuer(name);
        generator.setSubject(name);
        generator.setStartDate(new Time(Date.from(now.minus(CLOCK_TOLERANCE))));
        generator.setEndDate(new Time(Date.from(now.plus(VALIDITY))));
        generator.setSubjectPublicKeyInfo(
                SubjectPublicKeyInfo.getInstance(pair.getPublic().getEncoded()));
        generator.setExtensions(new Extensions(
                new Extension(Extension.subjectAlternativeName, false, new GeneralNames(names).getEncoded("DER"))));
        return generator.generateTBSCertificate();
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
