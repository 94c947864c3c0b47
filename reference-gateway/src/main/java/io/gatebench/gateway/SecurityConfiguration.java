/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateway;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.annotation.web.reactive.EnableWebFluxSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.oauth2.server.resource.web.server.BearerTokenServerAuthenticationEntryPoint;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.security.web.server.context.NoOpServerSecurityContextRepository;
import reactor.core.publisher.Mono;

/** Asks for a valid bearer token on every path but the one of the header-based routing. */
@Configuration(proxyBeanMethods = false)
@EnableWebFluxSecurity
class SecurityConfiguration {

    /**
     * A path is open only if it is named here, so that a path which security and routing read differently is refused.
     * What guards browsers (CSRF, sessions, headers, log-in pages) is off, as on any gateway for machines.
     */
    @Bean
    SecurityWebFilterChain security(ServerHttpSecurity http, GatewaySettings settings, TokenChecks checks) {
        return http.authorizeExchange(paths -> paths.pathMatchers(Routes.HEADER_ROUTING_PATH, Routes.VERSION_PATH)
                        .permitAll()
                        .anyExchange()
                        .authenticated())
                .oauth2ResourceServer(server -> server.bearerTokenConverter(
                                new BearerToken(settings.jwt().acceptPadding()))
                        .authenticationManagerResolver(exchange -> Mono.just(checks)))
                .exceptionHandling(
                        refusal -> refusal.authenticationEntryPoint(new BearerTokenServerAuthenticationEntryPoint()))
                .securityContextRepository(NoOpServerSecurityContextRepository.getInstance())
                .csrf(ServerHttpSecurity.CsrfSpec::disable)
                .headers(ServerHttpSecurity.HeaderSpec::disable)
                .requestCache(ServerHttpSecurity.RequestCacheSpec::disable)
                .httpBasic(ServerHttpSecurity.HttpBasicSpec::disable)
                .formLogin(ServerHttpSecurity.FormLoginSpec::disable)
                .logout(ServerHttpSecurity.LogoutSpec::disable)
                .build();
    }
}
