/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateway;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

import com.github.benmanes.caffeine.cache.AsyncCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import com.github.benmanes.caffeine.cache.Ticker;
import org.jspecify.annotations.Nullable;
import org.springframework.security.oauth2.core.OAuth2AuthenticatedPrincipal;
import org.springframework.security.oauth2.core.OAuth2TokenIntrospectionClaimNames;
import org.springframework.security.oauth2.server.resource.introspection.BadOpaqueTokenException;
import org.springframework.security.oauth2.server.resource.introspection.ReactiveOpaqueTokenIntrospector;
import reactor.core.publisher.Mono;

/**
 * Remembers active tokens for a time, but never past their expiry.
 *
 * <p>Requests that come while the question is under way wait for its answer, so that a token is asked for once. Refusals
 * and failures are not remembered: a token may become active a moment later. Safe for use by many threads.
 */
final class RememberedIntrospection implements ReactiveOpaqueTokenIntrospector {
    private static final long MAX_TOKENS = 100_000;

    private final ReactiveOpaqueTokenIntrospector endpoint;
    private final Clock clock;
    private final AsyncCache<String, OAuth2AuthenticatedPrincipal> active;

    RememberedIntrospection(ReactiveOpaqueTokenIntrospector endpoint, Duration timeToLive, Clock clock, Ticker ticker) {
        this.endpoint = endpoint;
        this.clock = clock;
        this.active = Caffeine.newBuilder()
                .maximumSize(MAX_TOKENS)
                .ticker(ticker)
                .expireAfter(Expiry.<String, OAuth2AuthenticatedPrincipal>creating(
                        (token, principal) -> remaining(principal, timeToLive)))
                .buildAsync();
    }

    @Override
    public Mono<OAuth2AuthenticatedPrincipal> introspect(String token) {
        return Mono.fromFuture(
                        // suppressCancel: a client that hangs up must not fail the others that wait.
                        () -> active.get(
                                token,
                                (unknown, executor) ->
                                        endpoint.introspect(unknown).toFuture()),
                        true)
                .flatMap(this::unlessExpired);
    }

    private Mono<OAuth2AuthenticatedPrincipal> unlessExpired(OAuth2AuthenticatedPrincipal principal) {
        Instant expiry = expiry(principal);
        return expiry != null && !expiry.isAfter(clock.instant())
                ? Mono.error(new BadOpaqueTokenException("The token has expired"))
                : Mono.just(principal);
    }

    private Duration remaining(OAuth2AuthenticatedPrincipal principal, Duration timeToLive) {
        Instant expiry = expiry(principal);
        if (expiry == null) {
            return timeToLive;
        }
        Duration left = Duration.between(clock.instant(), expiry);
        if (left.isNegative()) {
            return Duration.ZERO;
        }
        return left.compareTo(timeToLive) < 0 ? left : timeToLive;
    }

    private static @Nullable Instant expiry(OAuth2AuthenticatedPrincipal principal) {
        return principal.getAttribute(OAuth2TokenIntrospectionClaimNames.EXP);
    }
}
