/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways.wso2;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import io.gatebench.gateways.token.OwnTokens;
import io.gatebench.load.engine.token.SigningKey;
import io.gatebench.load.engine.token.TokenPool;
import io.gatebench.load.engine.token.TokenSpec;
import io.gatebench.model.Probe;
import io.gatebench.spi.role.RoleStartException;

/**
 * Tokens like those that an API Manager issues itself.
 *
 * <p>What a token says differs from release to release. So one that the product has issued is the pattern: header and
 * claims are taken over, and only times and identifier are made anew. Before that its signature is checked with the
 * key that is to sign: with another key every request would be refused.
 */
final class ApimTokens {

    private static final List<String> TIMES_AND_ID = List.of("exp", "iat", "nbf", "jti");

    private ApimTokens() {}

    /**
     * Tokens for load and probes.
     *
     * @param pool those of the load
     * @param probes one of each kind that can be had
     */
    record Tokens(TokenPool pool, Map<Probe.Token, String> probes) {
        @Override
        public String toString() {
            return "Tokens[" + pool + "]";
        }
    }

    /**
     * Returns signed tokens.
     *
     * @param issued a token of the product's
     * @throws RoleStartException if that is no RS256 JWT, or the key is not the one that signed it
     */
    static Tokens generated(String issued, SigningKey key, int count, Duration lifetime, Clock clock) {
        TokenSpec spec = pattern(issued, lifetime);
        requireSigner(issued, key);
        TokenPool pool = TokenPool.generate(count, spec, key, clock, made -> {});
        return new Tokens(pool, OwnTokens.probes(pool, spec, key, clock));
    }

    /** Returns the tokens that a token endpoint has issued; the probes that need the signing key are left out. */
    static Tokens fetched(TokenPool pool) {
        String issued = pool.tokens().get(0);
        return new Tokens(pool, Map.of(Probe.Token.VALID, issued, Probe.Token.FOREIGN, foreign(issued)));
    }

    private static String foreign(String token) {
        int dot = token.lastIndexOf('.');
        if (dot < 0) {
            return TokenPool.opaque(1).tokens().get(0);
        }
        // The same claims under a signature that cannot be theirs.
        byte[] signature = new byte[256];
        new java.security.SecureRandom().nextBytes(signature);
        return token.substring(0, dot + 1)
                + Base64.getUrlEncoder().withoutPadding().encodeToString(signature);
    }

    private static TokenSpec pattern(String issued, Duration lifetime) {
        String[] parts = issued.split("\\.", -1);
        if (parts.length != 3) {
            throw new RoleStartException("tokens cannot be generated: the product issues opaque tokens and no JWTs;"
                    + " write tokens: fetched into the settings");
        }
        ObjectMapper mapper = new ObjectMapper();
        try {
            JsonNode header = mapper.readTree(Base64.getUrlDecoder().decode(parts[0]));
            JsonNode payload = mapper.readTree(Base64.getUrlDecoder().decode(parts[1]));
            if (!header.path("alg").asText().equals("RS256")) {
                throw new RoleStartException("tokens cannot be generated: the product signs with "
                        + header.path("alg").asText("no algorithm")
                        + " and not with RS256; write tokens: fetched into the settings");
            }
            Map<String, Object> claims = new LinkedHashMap<>();
            payload.properties().forEach(claim -> {
                Object value = plain(claim.getValue());
                if (value != null && !TIMES_AND_ID.contains(claim.getKey())) {
                    claims.put(claim.getKey(), value);
                }
            });
            claims.put("exp", TokenSpec.EXPIRY);
            claims.put("iat", TokenSpec.NOW);
            if (payload.has("nbf")) {
                claims.put("nbf", TokenSpec.NOW);
            }
            claims.put("jti", TokenSpec.UUID);
            return new TokenSpec(
                    header.path("typ").asText("JWT"),
                    header.path("kid").asText(),
                    header.has("x5t") ? Optional.of(header.path("x5t").asText()) : Optional.empty(),
                    claims,
                    lifetime,
                    parts[0].endsWith("=") || parts[1].endsWith("="));
        } catch (IOException | IllegalArgumentException e) {
            throw new RoleStartException("tokens cannot be generated: the token that the product issued cannot be"
                    + " read: " + e.getClass().getSimpleName());
        }
    }

    private static @org.jspecify.annotations.Nullable Object plain(JsonNode node) {
        if (node.isTextual()) {
            return node.asText();
        }
        if (node.isIntegralNumber()) {
            return node.asLong();
        }
        if (node.isBoolean()) {
            return node.asBoolean();
        }
        if (node.isArray()) {
            List<Object> items = new ArrayList<>();
            node.forEach(item -> {
                Object value = plain(item);
                if (value != null) {
                    items.add(value);
                }
            });
            return items;
        }
        if (node.isObject()) {
            Map<String, Object> members = new LinkedHashMap<>();
            node.properties().forEach(member -> {
                Object value = plain(member.getValue());
                if (value != null) {
                    members.put(member.getKey(), value);
                }
            });
            return members;
        }
        // A claim that is null says nothing, and fractions do not occur.
        return null;
    }

    private static void requireSigner(String issued, SigningKey key) {
        int dot = issued.lastIndexOf('.');
        try {
            String pem = key.publicKeyPem().replaceAll("-----[^-]+-----|\\s", "");
            PublicKey publicKey = KeyFactory.getInstance("RSA")
                    .generatePublic(new X509EncodedKeySpec(Base64.getDecoder().decode(pem)));
            Signature signature = Signature.getInstance("SHA256withRSA");
            signature.initVerify(publicKey);
            signature.update(issued.substring(0, dot).getBytes(StandardCharsets.US_ASCII));
            if (signature.verify(Base64.getUrlDecoder().decode(issued.substring(dot + 1)))) {
                return;
            }
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            // The message below holds for both.
        }
        throw new RoleStartException("tokens cannot be generated: the product signs its tokens with another key than"
                + " that of the key store; name the right one (key-store), or write tokens: fetched into the settings");
    }
}
