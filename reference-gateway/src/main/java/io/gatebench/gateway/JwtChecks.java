/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateway;

import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.DefaultJOSEObjectTypeVerifier;
import com.nimbusds.jose.proc.JOSEObjectTypeVerifier;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWT;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import org.springframework.security.oauth2.core.DelegatingOAuth2TokenValidator;
import org.springframework.security.oauth2.core.OAuth2TokenValidator;
import org.springframework.security.oauth2.jose.jws.SignatureAlgorithm;
import org.springframework.security.oauth2.jwt.BadJwtException;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtAudienceValidator;
import org.springframework.security.oauth2.jwt.JwtIssuerValidator;
import org.springframework.security.oauth2.jwt.JwtTimestampValidator;
import org.springframework.security.oauth2.jwt.NimbusReactiveJwtDecoder;
import org.springframework.security.oauth2.jwt.ReactiveJwtDecoder;
import reactor.core.publisher.Mono;

/**
 * Builds the check of JSON Web Tokens: signature (RS256, PS256 or ES256), {@code typ} ({@code JWT}, {@code at+jwt} or
 * absent), {@code exp} (required), {@code nbf}, and where configured {@code aud} and {@code iss}.
 */
final class JwtChecks {
    private JwtChecks() {}

    /**
     * Reads the keys and builds the check; call it only if {@link GatewaySettings.Jwt#configured()}.
     *
     * @throws UsageException if the keys cannot be read
     */
    static ReactiveJwtDecoder decoder(GatewaySettings.Jwt settings, Clock clock) {
        NimbusReactiveJwtDecoder decoder = settings.publicKey()
                .map(pem -> withKeys(IssuerKeys.fromPem(pem)))
                .orElseGet(() -> withKeySet(settings.jwks().orElseThrow()));
        JwtTimestampValidator time = new JwtTimestampValidator(settings.clockSkew());
        time.setClock(clock);
        time.setAllowEmptyExpiryClaim(false);
        List<OAuth2TokenValidator<Jwt>> validators = new ArrayList<>();
        validators.add(time);
        settings.audience().ifPresent(audience -> validators.add(new JwtAudienceValidator(audience)));
        settings.issuer().ifPresent(issuer -> validators.add(new JwtIssuerValidator(issuer)));
        decoder.setJwtValidator(new DelegatingOAuth2TokenValidator<>(validators));
        return settings.cache().isZero() ? decoder : new RememberedJwts(decoder, time, settings.cache());
    }

    private static NimbusReactiveJwtDecoder withKeySet(String fileOrUrl) {
        if (!fileOrUrl.startsWith("http://") && !fileOrUrl.startsWith("https://")) {
            return withKeys(IssuerKeys.fromJwks(Path.of(fileOrUrl)));
        }
        return NimbusReactiveJwtDecoder.withJwkSetUri(URI.create(fileOrUrl).toString())
                .jwsAlgorithms(allowed -> allowed.addAll(
                        Set.of(SignatureAlgorithm.RS256, SignatureAlgorithm.PS256, SignatureAlgorithm.ES256)))
                .validateType(false)
                .jwtProcessorCustomizer(processor -> processor.setJWSTypeVerifier(types()))
                .build();
    }

    private static NimbusReactiveJwtDecoder withKeys(IssuerKeys keys) {
        DefaultJWTProcessor<SecurityContext> processor = new DefaultJWTProcessor<>();
        processor.setJWSTypeVerifier(types());
        processor.setJWSKeySelector(keys.selector());
        // Times, audience and issuer are checked by Spring Security's validators, which can be told the clock.
        processor.setJWTClaimsSetVerifier((claims, context) -> {});
        return new NimbusReactiveJwtDecoder(token -> verify(processor, token));
    }

    private static Mono<JWTClaimsSet> verify(DefaultJWTProcessor<SecurityContext> processor, JWT token) {
        try {
            return Mono.just(processor.process(token, null));
        } catch (BadJOSEException | JOSEException e) {
            return Mono.error(new BadJwtException("Failed to validate the token: " + Problem.of(e), e));
        }
    }

    private static <C extends SecurityContext> JOSEObjectTypeVerifier<C> types() {
        return new DefaultJOSEObjectTypeVerifier<>(JOSEObjectType.JWT, new JOSEObjectType("at+jwt"), null);
    }
}
