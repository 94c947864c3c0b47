/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateway;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.cert.CertificateFactory;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.KeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.text.ParseException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.jwk.AsymmetricJWK;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.proc.JWSKeySelector;
import com.nimbusds.jose.proc.SecurityContext;

/**
 * The public keys of the token issuer, from a file.
 *
 * <p>A token is checked with the keys that fit its algorithm and, where both name one, its key id. A key without an id
 * fits every token, because a PEM file cannot name one.
 *
 * @param keys at least one
 */
record IssuerKeys(List<VerificationKey> keys) {

    /** The algorithms that are verified with an RSA key. */
    static final Set<JWSAlgorithm> RSA = Set.of(JWSAlgorithm.RS256, JWSAlgorithm.PS256);

    /** The algorithms that are verified with a key on the curve P-256. */
    static final Set<JWSAlgorithm> EC = Set.of(JWSAlgorithm.ES256);

    private static final Pattern PUBLIC_KEY =
            Pattern.compile("-----BEGIN PUBLIC KEY-----([^-]+)-----END PUBLIC KEY-----");

    /**
     * A key and what it may verify.
     *
     * @param id key id, or the empty string if the key has none
     * @param key public key
     * @param algorithms allowed algorithms
     */
    record VerificationKey(String id, PublicKey key, Set<JWSAlgorithm> algorithms) {
        boolean fits(JWSHeader header) {
            String wanted = header.getKeyID();
            return algorithms.contains(header.getAlgorithm()) && (id.isEmpty() || wanted == null || id.equals(wanted));
        }
    }

    IssuerKeys {
        keys = List.copyOf(keys);
    }

    /**
     * Reads a PEM file with a public key or an X.509 certificate.
     *
     * @throws UsageException if the file holds no RSA key of 2048 bits or more and no key on P-256
     */
    static IssuerKeys fromPem(Path file) {
        PublicKey key;
        try {
            key = publicKey(Files.readString(file));
        } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
            throw new UsageException("'" + file + "' holds no public key or certificate in PEM form: " + Problem.of(e));
        }
        return new IssuerKeys(List.of(new VerificationKey("", key, algorithms(key, file.toString()))));
    }

    /**
     * Reads a JSON Web Key Set from a file.
     *
     * @throws UsageException if the file is no key set or holds no key that can be used
     */
    static IssuerKeys fromJwks(Path file) {
        try {
            return of(JWKSet.parse(Files.readString(file)).getKeys(), file.toString());
        } catch (IOException | ParseException e) {
            throw new UsageException("'" + file + "' is no JSON Web Key Set: " + Problem.of(e));
        }
    }

    /** Returns the selection of keys as the token library wants it. */
    <C extends SecurityContext> JWSKeySelector<C> selector() {
        return (header, context) -> {
            List<Key> fitting = new ArrayList<>(1);
            for (VerificationKey key : keys) {
                if (key.fits(header)) {
                    fitting.add(key.key());
                }
            }
            return fitting;
        };
    }

    private static IssuerKeys of(List<JWK> jwks, String source) {
        List<VerificationKey> usable = new ArrayList<>();
        for (JWK jwk : jwks) {
            if (!(jwk instanceof RSAKey) && !(jwk instanceof ECKey)) {
                continue;
            }
            try {
                PublicKey key = ((AsymmetricJWK) jwk).toPublicKey();
                String id = jwk.getKeyID() == null ? "" : jwk.getKeyID();
                usable.add(new VerificationKey(id, key, algorithms(key, source)));
            } catch (JOSEException e) {
                throw new UsageException("'" + source + "' holds a broken key: " + Problem.of(e));
            }
        }
        if (usable.isEmpty()) {
            throw new UsageException("'" + source + "' holds no RSA or EC key");
        }
        return new IssuerKeys(usable);
    }

    private static Set<JWSAlgorithm> algorithms(PublicKey key, String source) {
        if (key instanceof RSAPublicKey rsa && rsa.getModulus().bitLength() >= 2048) {
            return RSA;
        }
        if (key instanceof ECPublicKey ec && Curve.P_256.equals(Curve.forECParameterSpec(ec.getParams()))) {
            return EC;
        }
        throw new UsageException("the key in '" + source + "' must be RSA of at least 2048 bits or EC on P-256");
    }

    private static PublicKey publicKey(String pem) throws GeneralSecurityException {
        if (pem.contains("-----BEGIN CERTIFICATE-----")) {
            return CertificateFactory.getInstance("X.509")
                    .generateCertificate(new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII)))
                    .getPublicKey();
        }
        Matcher block = PUBLIC_KEY.matcher(pem);
        if (!block.find()) {
            throw new InvalidKeyException("there is no block BEGIN PUBLIC KEY or BEGIN CERTIFICATE");
        }
        KeySpec encoded = new X509EncodedKeySpec(Base64.getMimeDecoder().decode(block.group(1)));
        try {
            return KeyFactory.getInstance("RSA").generatePublic(encoded);
        } catch (InvalidKeySpecException notRsa) {
            return KeyFactory.getInstance("EC").generatePublic(encoded);
        }
    }
}
