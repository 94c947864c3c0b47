/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.engine.token;

import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPrivateCrtKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.RSAPublicKeySpec;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.spec.SecretKeySpec;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.RSAKey;

import io.gatebench.load.engine.LoadException;

/**
 * A key that signs tokens, with its algorithm. Immutable and thread-safe.
 *
 * @since 0.1
 */
public final class SigningKey {

    private static final Base64.Encoder URL = Base64.getUrlEncoder().withoutPadding();
    private static final Pattern PEM =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([A-Za-z0-9+/=\\s]+)-----END \\1-----");

    private final Algorithm algorithm;
    private final Key key;
    private final Optional<PublicKey> publicKey;

    /** Signature algorithms of RFC 7518. */
    public enum Algorithm {
        /** RSA, PKCS #1 version 1.5, SHA-256: what the products issue. */
        RS256,
        /** RSA-PSS, SHA-256. */
        PS256,
        /** ECDSA on P-256, SHA-256. */
        ES256,
        /** HMAC, SHA-256: the gateway must hold the same secret. */
        HS256
    }

    private SigningKey(Algorithm algorithm, Key key, Optional<PublicKey> publicKey) {
        this.algorithm = algorithm;
        this.key = key;
        this.publicKey = publicKey;
    }

    /** Returns a new key: RSA of 2,048 bits, EC on P-256, or a secret of 256 bits. */
    public static SigningKey generate(Algorithm algorithm) {
        try {
            switch (algorithm) {
                case HS256 -> {
                    byte[] secret = new byte[32];
                    new SecureRandom().nextBytes(secret);
                    return secret(secret);
                }
                case ES256 -> {
                    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
                    generator.initialize(new ECGenParameterSpec("secp256r1"));
                    return of(algorithm, generator.generateKeyPair());
                }
                default -> {
                    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
                    generator.initialize(2048);
                    return of(algorithm, generator.generateKeyPair());
                }
            }
        } catch (GeneralSecurityException e) {
            throw new LoadException("this JVM cannot make a key for " + algorithm + ": " + e.getMessage(), e);
        }
    }

    private static SigningKey of(Algorithm algorithm, KeyPair pair) {
        return new SigningKey(algorithm, pair.getPrivate(), Optional.of(pair.getPublic()));
    }

    /**
     * Returns an HS256 key.
     *
     * @throws IllegalArgumentException if the secret has less than 32 bytes (RFC 7518, 3.2)
     */
    public static SigningKey secret(byte[] secret) {
        if (secret.length < 32) {
            throw new IllegalArgumentException(
                    "a secret for HS256 must have at least 32 bytes but had " + secret.length);
        }
        return new SigningKey(Algorithm.HS256, new SecretKeySpec(secret, "HmacSHA256"), Optional.empty());
    }

    /**
     * Returns the key of a PKCS12 or JKS key store.
     *
     * @param alias its entry; empty if there is only one with a key
     * @throws LoadException if the store cannot be read or holds no such key
     */
    public static SigningKey fromKeyStore(Path file, char[] password, Optional<String> alias, Algorithm algorithm) {
        try {
            SecretFile.bytes(file);
            KeyStore store = KeyStore.getInstance(file.toFile(), password);
            String entry = alias.isPresent() ? alias.get() : onlyKey(store, file);
            Key key = store.getKey(entry, password);
            if (!(key instanceof PrivateKey privateKey) || store.getCertificate(entry) == null) {
                throw new LoadException("the key store " + file + " has no private key with a certificate under '"
                        + entry + "'; its entries are " + java.util.Collections.list(store.aliases()));
            }
            return checked(algorithm, privateKey, store.getCertificate(entry).getPublicKey(), file);
        } catch (IOException | GeneralSecurityException e) {
            throw new LoadException("cannot read the key store " + file + ": " + e.getMessage(), e);
        }
    }

    private static String onlyKey(KeyStore store, Path file) throws GeneralSecurityException {
        String found = null;
        for (String alias : java.util.Collections.list(store.aliases())) {
            if (store.isKeyEntry(alias)) {
                if (found != null) {
                    throw new LoadException("the key store " + file + " holds several keys, name one of "
                            + java.util.Collections.list(store.aliases()));
                }
                found = alias;
            }
        }
        if (found == null) {
            throw new LoadException("the key store " + file + " holds no private key");
        }
        return found;
    }

    /**
     * Returns the key of a PEM file: PKCS #8, or PKCS #1 for RSA. For ES256 the file must hold the public key too.
     *
     * @throws LoadException if the file cannot be read or holds no such key
     */
    public static SigningKey fromPem(Path file, Algorithm algorithm) {
        try {
            String text = new String(SecretFile.bytes(file), StandardCharsets.US_ASCII);
            Matcher matcher = PEM.matcher(text);
            PrivateKey privateKey = null;
            PublicKey publicKey = null;
            KeyFactory factory = KeyFactory.getInstance(algorithm == Algorithm.ES256 ? "EC" : "RSA");
            while (matcher.find()) {
                byte[] der = Base64.getMimeDecoder().decode(matcher.group(2));
                switch (matcher.group(1)) {
                    case "PRIVATE KEY" -> privateKey = factory.generatePrivate(new PKCS8EncodedKeySpec(der));
                    case "RSA PRIVATE KEY" ->
                        privateKey = factory.generatePrivate(new PKCS8EncodedKeySpec(pkcs8OfRsa(der)));
                    case "PUBLIC KEY" ->
                        publicKey = factory.generatePublic(new java.security.spec.X509EncodedKeySpec(der));
                    case "CERTIFICATE" -> publicKey = certificateKey(der);
                    case "EC PRIVATE KEY", "ENCRYPTED PRIVATE KEY" ->
                        throw new LoadException(file + " holds an " + matcher.group(1)
                                + "; convert it: openssl pkcs8 -topk8 -nocrypt -in key.pem -out key-pkcs8.pem");
                    default -> {
                        // EC PARAMETERS and the like say nothing that the key does not.
                    }
                }
            }
            if (privateKey == null) {
                throw new LoadException(file + " holds no private key in PEM form");
            }
            if (publicKey == null && privateKey instanceof RSAPrivateCrtKey rsa) {
                publicKey = factory.generatePublic(new RSAPublicKeySpec(rsa.getModulus(), rsa.getPublicExponent()));
            }
            if (publicKey == null) {
                throw new LoadException(file + " holds no public key; append it: openssl pkey -in key.pem -pubout");
            }
            return checked(algorithm, privateKey, publicKey, file);
        } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
            throw new LoadException("cannot read the key " + file + ": " + e.getMessage(), e);
        }
    }

    private static PublicKey certificateKey(byte[] der) throws GeneralSecurityException, IOException {
        try (InputStream in = new java.io.ByteArrayInputStream(der)) {
            return java.security.cert.CertificateFactory.getInstance("X.509")
                    .generateCertificate(in)
                    .getPublicKey();
        }
    }

    /** Puts the algorithm identifier of RSA before the key, as PKCS #8 wants it (RFC 5208). */
    private static byte[] pkcs8OfRsa(byte[] pkcs1) {
        byte[] algorithm = {
            2, 1, 0, 0x30, 0x0d, 6, 9, 0x2a, (byte) 0x86, 0x48, (byte) 0x86, (byte) 0xf7, 0x0d, 1, 1, 1, 5, 0
        };
        byte[] key = der(4, pkcs1);
        byte[] content = new byte[algorithm.length + key.length];
        System.arraycopy(algorithm, 0, content, 0, algorithm.length);
        System.arraycopy(key, 0, content, algorithm.length, key.length);
        return der(0x30, content);
    }

    private static byte[] der(int tag, byte[] content) {
        byte[] length = BigInteger.valueOf(content.length).toByteArray();
        int skip = length[0] == 0 ? 1 : 0;
        int lengthBytes = content.length < 128 ? 0 : length.length - skip;
        byte[] out = new byte[2 + lengthBytes + content.length];
        out[0] = (byte) tag;
        out[1] = (byte) (lengthBytes == 0 ? content.length : 0x80 | lengthBytes);
        System.arraycopy(length, skip, out, 2, lengthBytes);
        System.arraycopy(content, 0, out, 2 + lengthBytes, content.length);
        return out;
    }

    private static SigningKey checked(Algorithm algorithm, PrivateKey privateKey, PublicKey publicKey, Path file) {
        String needed = algorithm == Algorithm.ES256 ? "EC" : "RSA";
        if (algorithm == Algorithm.HS256 || !privateKey.getAlgorithm().equals(needed)) {
            throw new LoadException(
                    "the key of " + file + " is " + privateKey.getAlgorithm() + " and cannot sign " + algorithm);
        }
        return new SigningKey(algorithm, privateKey, Optional.of(publicKey));
    }

    /** Returns the algorithm. */
    public Algorithm algorithm() {
        return algorithm;
    }

    /**
     * Returns the public key as PEM.
     *
     * @throws IllegalStateException if the algorithm has none (HS256)
     */
    public String publicKeyPem() {
        String base64 = Base64.getMimeEncoder(64, new byte[] {'\n'})
                .encodeToString(publicKeyOrThrow().getEncoded());
        return "-----BEGIN PUBLIC KEY-----\n" + base64 + "\n-----END PUBLIC KEY-----\n";
    }

    private PublicKey publicKeyOrThrow() {
        return publicKey.orElseThrow(
                () -> new IllegalStateException("an " + algorithm + " key is a shared secret and has no public key"));
    }

    /** Returns the private key as PKCS #8 PEM, or for HS256 the secret in base64url. */
    public String privateKeyPem() {
        if (algorithm == Algorithm.HS256) {
            return URL.encodeToString(key.getEncoded());
        }
        String base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(key.getEncoded());
        return "-----BEGIN PRIVATE KEY-----\n" + base64 + "\n-----END PRIVATE KEY-----\n";
    }

    /**
     * Returns the public key as a JSON Web Key Set (RFC 7517).
     *
     * @param keyId the {@code kid} that the tokens carry
     * @throws IllegalStateException if the algorithm has no public key (HS256)
     */
    public String jwksJson(String keyId) {
        JWK jwk = publicKeyOrThrow() instanceof RSAPublicKey rsa
                ? new RSAKey.Builder(rsa)
                        .keyUse(KeyUse.SIGNATURE)
                        .algorithm(joseAlgorithm())
                        .keyID(keyId)
                        .build()
                : new ECKey.Builder(Curve.P_256, (ECPublicKey) publicKeyOrThrow())
                        .keyUse(KeyUse.SIGNATURE)
                        .algorithm(joseAlgorithm())
                        .keyID(keyId)
                        .build();
        return new JWKSet(jwk).toString();
    }

    JWSAlgorithm joseAlgorithm() {
        return JWSAlgorithm.parse(algorithm.name());
    }

    /** Returns Nimbus's signer for this key; it is safe for use by several threads. */
    JWSSigner signer() {
        try {
            return switch (algorithm) {
                case HS256 -> new MACSigner(key.getEncoded());
                case ES256 -> new ECDSASigner((PrivateKey) key, Curve.P_256);
                default -> new RSASSASigner((PrivateKey) key);
            };
        } catch (JOSEException e) {
            throw new LoadException("the key cannot sign " + algorithm + ": " + e.getMessage(), e);
        }
    }
}
