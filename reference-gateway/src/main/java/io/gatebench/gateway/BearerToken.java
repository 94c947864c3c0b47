/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateway;

import java.util.List;

import org.springframework.http.HttpHeaders;
import org.springframework.security.core.Authentication;
import org.springframework.security.oauth2.core.OAuth2AuthenticationException;
import org.springframework.security.oauth2.server.resource.BearerTokenErrors;
import org.springframework.security.oauth2.server.resource.authentication.BearerTokenAuthenticationToken;
import org.springframework.security.web.server.authentication.ServerAuthenticationConverter;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/**
 * Takes the token from the {@code Authorization} header, as RFC 6750 section 2.1 describes it.
 *
 * <p>Spring Security's own converter lets {@code =} stand only at the end of a token; tokens of older suites carry it at
 * the end of each of their three parts.
 *
 * @param acceptPadding whether such tokens are let through
 */
record BearerToken(boolean acceptPadding) implements ServerAuthenticationConverter {
    private static final String SCHEME = "Bearer ";

    @Override
    public Mono<Authentication> convert(ServerWebExchange exchange) {
        List<String> values = exchange.getRequest().getHeaders().getOrEmpty(HttpHeaders.AUTHORIZATION);
        if (values.isEmpty() || !values.get(0).regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            return Mono.empty();
        }
        if (values.size() > 1) {
            return Mono.error(malformed("Found more than one Authorization header"));
        }
        String token = values.get(0).substring(SCHEME.length());
        if (!wellFormed(token)) {
            return Mono.error(malformed("Bearer token is malformed"));
        }
        return Mono.just(new BearerTokenAuthenticationToken(token));
    }

    /** Tells a JSON Web Token, which has three parts, from an opaque one. */
    static boolean isJwt(String token) {
        int first = token.indexOf('.');
        return first > 0 && token.indexOf('.', first + 1) > first;
    }

    private boolean wellFormed(String token) {
        boolean jwt = isJwt(token);
        boolean padded = false;
        for (int i = 0; i < token.length(); i++) {
            char c = token.charAt(i);
            if (c == '=') {
                if (jwt && !acceptPadding) {
                    return false;
                }
                padded = true;
            } else if (c == '.' && jwt) {
                padded = false;
            } else if (padded || !isTokenCharacter(c)) {
                return false;
            }
        }
        return !token.isEmpty();
    }

    private static boolean isTokenCharacter(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || "-._~+/".indexOf(c) >= 0;
    }

    private static OAuth2AuthenticationException malformed(String description) {
        return new OAuth2AuthenticationException(BearerTokenErrors.invalidToken(description));
    }
}
