/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.engine.token;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Content of a JWT.
 *
 * <p>Claim values are strings, whole numbers, booleans, lists and maps. The texts {@code ${now}}, {@code ${expiry}} and
 * {@code ${uuid}} as a whole value stand for the time of issue, the time of expiry (both seconds since 1970) and a
 * random UUID.
 *
 * @param type value of the header {@code typ}
 * @param keyId value of the header {@code kid}
 * @param thumbprint value of the header {@code x5t}, if any
 * @param claims the claims in order
 * @param lifetime from the time of issue to the expiry
 * @param padded whether the three parts end with {@code =} as the predecessor's do, against RFC 7515
 * @since 0.1
 */
public record TokenSpec(
        String type,
        String keyId,
        Optional<String> thumbprint,
        Map<String, Object> claims,
        Duration lifetime,
        boolean padded) {

    /** Placeholder of the time of issue. */
    public static final String NOW = "${now}";
    /** Placeholder of the time of expiry. */
    public static final String EXPIRY = "${expiry}";
    /** Placeholder of a random UUID. */
    public static final String UUID = "${uuid}";

    /** Keeps the order of the claims. */
    public TokenSpec {
        claims = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(claims));
    }

    /**
     * Returns the tokens of the published results: an access token of that application, valid for a year.
     *
     * @param consumerKey the application's key: audience, authorized party and client
     */
    public static TokenSpec accessToken(String consumerKey) {
        Map<String, Object> claims = new LinkedHashMap<>();
        claims.put("sub", "admin@carbon.super");
        claims.put("aut", "APPLICATION");
        claims.put("aud", consumerKey);
        claims.put("nbf", NOW);
        claims.put("azp", consumerKey);
        claims.put("scope", "am_application_scope default");
        claims.put("iss", "https://localhost:9443/oauth2/token");
        claims.put("keytype", "PRODUCTION");
        claims.put("exp", EXPIRY);
        claims.put("iat", NOW);
        claims.put("jti", UUID);
        claims.put("client_id", consumerKey);
        return new TokenSpec(
                "at+jwt", "gatebench_RS256", Optional.of("gatebench"), claims, Duration.ofDays(365), false);
    }

    /** Returns this with another value of one claim; null removes it. */
    public TokenSpec withClaim(String name, @org.jspecify.annotations.Nullable Object value) {
        Map<String, Object> changed = new LinkedHashMap<>(claims);
        if (value == null) {
            changed.remove(name);
        } else {
            changed.put(name, value);
        }
        return new TokenSpec(type, keyId, thumbprint, changed, lifetime, padded);
    }

    /** Returns this with another lifetime, negative for a token that has expired. */
    public TokenSpec withLifetime(Duration time) {
        return new TokenSpec(type, keyId, thumbprint, claims, time, padded);
    }

    /** Returns this with another key identifier. */
    public TokenSpec withKeyId(String id) {
        return new TokenSpec(type, id, thumbprint, claims, lifetime, padded);
    }

    /** Returns this with another or without a thumbprint. */
    public TokenSpec withThumbprint(Optional<String> value) {
        return new TokenSpec(type, keyId, value, claims, lifetime, padded);
    }

    /** Returns this with another type. */
    public TokenSpec withType(String value) {
        return new TokenSpec(value, keyId, thumbprint, claims, lifetime, padded);
    }

    /** Returns this with or without padding. */
    public TokenSpec withPadding(boolean value) {
        return new TokenSpec(type, keyId, thumbprint, claims, lifetime, value);
    }
}
