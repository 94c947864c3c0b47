/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateway;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.UUID;
import java.util.function.Consumer;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;

/** Makes real tokens as the suite does: RS256, issued a minute ago for one year, audience {@code consumer-key}. */
final class TestTokens {
    static final String AUDIENCE = "consumer-key";
    static final String ISSUER = "https://localhost:9443/oauth2/token";

    private final KeyPair keys = rsa();

    static KeyPair rsa() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(2048);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    KeyPair keys() {
        return keys;
    }

    String valid() {
        return token(claims -> {});
    }

    String token(Consumer<JWTClaimsSet.Builder> change) {
        return token(
                new JWSHeader.Builder(JWSAlgorithm.RS256)
                        .type(new JOSEObjectType("at+jwt"))
                        .keyID("gateway_certificate_alias_RS256")
                        .build(),
                new RSASSASigner(keys.getPrivate()),
                change);
    }

    static String token(JWSHeader header, JWSSigner signer, Consumer<JWTClaimsSet.Builder> change) {
        Instant now = Instant.now();
        JWTClaimsSet.Builder claims = new JWTClaimsSet.Builder()
                .subject("admin@carbon.super")
                .audience(AUDIENCE)
                .claim("azp", AUDIENCE)
                .claim("scope", "am_application_scope default")
                .issuer(ISSUER)
                .issueTime(Date.from(now.minusSeconds(60)))
                .notBeforeTime(Date.from(now.minusSeconds(60)))
                .expirationTime(Date.from(now.plusSeconds(365L * 86_400)))
                .jwtID(UUID.randomUUID().toString());
        change.accept(claims);
        SignedJWT jwt = new SignedJWT(header, claims.build());
        try {
            jwt.sign(signer);
        } catch (JOSEException e) {
            throw new AssertionError(e);
        }
        return jwt.serialize();
    }

    /** Signs the way the predecessor does, which pads each part with {@code =}. */
    String padded() {
        String[] parts = token(claims -> claims.claim("pad", "x")).split("\\.");
        Base64.Encoder encoder = Base64.getUrlEncoder();
        Base64.Decoder decoder = Base64.getUrlDecoder();
        String signed = encoder.encodeToString(decoder.decode(parts[0])) + "."
                + encoder.encodeToString(decoder.decode(parts[1]));
        try {
            java.security.Signature signature = java.security.Signature.getInstance("SHA256withRSA");
            signature.initSign(keys.getPrivate());
            signature.update(signed.getBytes(StandardCharsets.US_ASCII));
            return signed + "." + encoder.encodeToString(signature.sign());
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    Path publicKey(Path folder) {
        return pem(folder.resolve("issuer.pem"), keys.getPublic());
    }

    static Path pem(Path file, PublicKey key) {
        String text = "-----BEGIN PUBLIC KEY-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(key.getEncoded())
                + "\n-----END PUBLIC KEY-----\n";
        try {
            return Files.writeString(file, text);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
