/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateway;

import java.time.Clock;
import java.util.List;
import java.util.Optional;

import com.github.benmanes.caffeine.cache.Ticker;
import org.springframework.security.authentication.ReactiveAuthenticationManager;
import org.springframework.security.core.Authentication;
import org.springframework.security.oauth2.server.resource.InvalidBearerTokenException;
import org.springframework.security.oauth2.server.resource.authentication.BearerTokenAuthenticationToken;
import org.springframework.security.oauth2.server.resource.authentication.JwtAuthenticationToken;
import org.springframework.security.oauth2.server.resource.authentication.JwtReactiveAuthenticationManager;
import org.springframework.security.oauth2.server.resource.authentication.OpaqueTokenReactiveAuthenticationManager;
import org.springframework.security.oauth2.server.resource.introspection.ReactiveOpaqueTokenIntrospector;
import org.springframework.security.oauth2.server.resource.introspection.SpringReactiveOpaqueTokenIntrospector;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;

/**
 * Checks a bearer token by its form: a JSON Web Token with the issuer's keys, any other at the introspection endpoint.
 *
 * @param jwt the check of JSON Web Tokens
 * @param opaque the check of opaque tokens
 */
record TokenChecks(ReactiveAuthenticationManager jwt, ReactiveAuthenticationManager opaque)
        implements ReactiveAuthenticationManager {

    /**
     * Builds both checks; a form that is not configured is refused.
     *
     * @throws UsageException if the issuer's keys cannot be read
     */
    static TokenChecks create(GatewaySettings settings, Clock clock) {
        ReactiveAuthenticationManager jwt = refuse("JSON Web Tokens are not accepted here");
        if (settings.jwt().configured()) {
            JwtReactiveAuthenticationManager manager =
                    new JwtReactiveAuthenticationManager(JwtChecks.decoder(settings.jwt(), clock));
            // No route asks for a scope, so that there is nothing to derive authorities for.
            manager.setJwtAuthenticationConverter(token -> Mono.just(new JwtAuthenticationToken(token, List.of())));
            jwt = manager;
        }
        ReactiveAuthenticationManager opaque = settings.introspection()
                .map(introspection -> opaque(introspection, clock))
                .orElseGet(() -> refuse("Opaque tokens are not accepted here"));
        return new TokenChecks(jwt, opaque);
    }

    @Override
    public Mono<Authentication> authenticate(Authentication authentication) {
        String token = ((BearerTokenAuthenticationToken) authentication).getToken();
        return (BearerToken.isJwt(token) ? jwt : opaque).authenticate(authentication);
    }

    private static ReactiveAuthenticationManager opaque(GatewaySettings.Introspection settings, Clock clock) {
        WebClient.Builder client = WebClient.builder();
        Optional<ClientCredentials> credentials = settings.credentials();
        credentials.ifPresent(
                known -> client.defaultHeaders(headers -> headers.setBasicAuth(known.id(), known.secret())));
        ReactiveOpaqueTokenIntrospector endpoint =
                new SpringReactiveOpaqueTokenIntrospector(settings.url().toString(), client.build());
        return new OpaqueTokenReactiveAuthenticationManager(
                settings.cache().isZero()
                        ? endpoint
                        : new RememberedIntrospection(endpoint, settings.cache(), clock, Ticker.systemTicker()));
    }

    private static ReactiveAuthenticationManager refuse(String reason) {
        return authentication -> Mono.error(new InvalidBearerTokenException(reason));
    }
}
