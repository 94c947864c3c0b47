/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateway;

import java.time.Duration;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import org.springframework.security.oauth2.core.OAuth2TokenValidatorResult;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtTimestampValidator;
import org.springframework.security.oauth2.jwt.JwtValidationException;
import org.springframework.security.oauth2.jwt.ReactiveJwtDecoder;
import reactor.core.publisher.Mono;

/**
 * Remembers tokens that were verified once, so that only the first request of a token pays for the signature.
 *
 * <p>The key is the whole token, so that a changed payload under a known signature is another token. What depends on the
 * time is checked on every request. Refused tokens are not remembered. Safe for use by many threads.
 */
final class RememberedJwts implements ReactiveJwtDecoder {
    private static final long MAX_TOKENS = 100_000;

    private final ReactiveJwtDecoder verification;
    private final JwtTimestampValidator time;
    private final Cache<String, Jwt> verified;

    RememberedJwts(ReactiveJwtDecoder verification, JwtTimestampValidator time, Duration timeToLive) {
        this.verification = verification;
        this.time = time;
        this.verified = Caffeine.newBuilder()
                .maximumSize(MAX_TOKENS)
                .expireAfterWrite(timeToLive)
                .build();
    }

    @Override
    public Mono<Jwt> decode(String token) {
        Jwt known = verified.getIfPresent(token);
        if (known == null) {
            return verification.decode(token).doOnNext(jwt -> verified.put(token, jwt));
        }
        OAuth2TokenValidatorResult result = time.validate(known);
        if (result.hasErrors()) {
            verified.invalidate(token);
            return Mono.error(new JwtValidationException("The token is not valid now", result.getErrors()));
        }
        return Mono.just(known);
    }
}
