/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;
import org.springframework.security.oauth2.core.DefaultOAuth2AuthenticatedPrincipal;
import org.springframework.security.oauth2.core.OAuth2AuthenticatedPrincipal;
import org.springframework.security.oauth2.server.resource.introspection.BadOpaqueTokenException;
import reactor.core.publisher.Mono;

class RememberedIntrospectionTest {
    private static final Instant NOW = Instant.parse("2027-01-01T00:00:00Z");

    private final AtomicInteger questions = new AtomicInteger();
    private final AtomicLong nanos = new AtomicLong();

    @Test
    void asksAgainWhenTheTimeIsOver() {
        RememberedIntrospection introspection = remembering(Map.of("sub", "admin"));

        introspection.introspect("t").block();
        nanos.addAndGet(Duration.ofSeconds(59).toNanos());
        introspection.introspect("t").block();
        assertThat(questions).hasValue(1);

        nanos.addAndGet(Duration.ofSeconds(2).toNanos());
        introspection.introspect("t").block();
        assertThat(questions).hasValue(2);
    }

    @Test
    void forgetsATokenWhenItExpires() {
        RememberedIntrospection introspection = remembering(Map.of("exp", NOW.plusSeconds(10)));

        introspection.introspect("t").block();
        nanos.addAndGet(Duration.ofSeconds(11).toNanos());
        introspection.introspect("t").block();

        assertThat(questions).hasValue(2);
    }

    @Test
    void keepsTokensApart() {
        RememberedIntrospection introspection = remembering(Map.of("sub", "admin"));

        introspection.introspect("a").block();
        introspection.introspect("b").block();

        assertThat(questions).hasValue(2);
    }

    @Test
    void refusesATokenThatEndedWhateverTheEndpointSays() {
        RememberedIntrospection introspection = remembering(Map.of("exp", NOW));

        assertThatThrownBy(() -> introspection.introspect("t").block()).isInstanceOf(BadOpaqueTokenException.class);
    }

    private RememberedIntrospection remembering(Map<String, Object> attributes) {
        OAuth2AuthenticatedPrincipal principal = new DefaultOAuth2AuthenticatedPrincipal("admin", attributes, null);
        return new RememberedIntrospection(
                token -> Mono.fromSupplier(() -> {
                    questions.incrementAndGet();
                    return principal;
                }),
                Duration.ofMinutes(1),
                Clock.fixed(NOW, ZoneOffset.UTC),
                nanos::get);
    }
}
