/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways.wso2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;

import io.gatebench.load.engine.token.SigningKey;
import io.gatebench.load.engine.token.TokenPool;
import io.gatebench.load.engine.token.TokenSpec;
import io.gatebench.model.Probe;
import io.gatebench.spi.role.RoleStartException;

class ApimTokensTest {

    private static final Clock CLOCK = Clock.fixed(Instant.parse("2026-01-01T00:00:00Z"), ZoneOffset.UTC);
    private static final SigningKey KEY = SigningKey.generate(SigningKey.Algorithm.RS256);

    @Test
    void makesTokensLikeTheOneThatTheProductIssued() throws IOException {
        TokenSpec like = TokenSpec.accessToken("the-key")
                .withKeyId("abc_RS256")
                .withThumbprint(Optional.of("abc"))
                .withClaim("application", Map.of("id", 7, "name", "Gatebench", "tier", "Unlimited"))
                .withClaim("subscribedAPIs", List.of(Map.of("name", "GatebenchEcho", "context", "/echo/1.0.0")));
        String issued = TokenPool.generate(like, KEY, CLOCK);

        ApimTokens.Tokens tokens = ApimTokens.generated(issued, KEY, 5, Duration.ofDays(365), CLOCK);

        assertThat(tokens.pool().tokens()).hasSize(5).doesNotHaveDuplicates();
        for (String token : tokens.pool().tokens()) {
            assertThat(part(token, 0)).isEqualTo(part(issued, 0));
            JsonNode claims = part(token, 1);
            assertThat(claims.path("application")).isEqualTo(part(issued, 1).path("application"));
            assertThat(claims.path("subscribedAPIs")).isEqualTo(part(issued, 1).path("subscribedAPIs"));
            assertThat(claims.path("client_id").asText()).isEqualTo("the-key");
            assertThat(claims.path("jti")).isNotEqualTo(part(issued, 1).path("jti"));
            assertThat(claims.path("exp").asLong())
                    .isEqualTo(CLOCK.instant().plus(Duration.ofDays(365)).getEpochSecond());
        }
        assertThat(tokens.probes())
                .containsOnlyKeys(
                        Probe.Token.VALID, Probe.Token.EXPIRED, Probe.Token.FOREIGN, Probe.Token.WRONG_AUDIENCE);
        assertThat(part(tokens.probes().get(Probe.Token.WRONG_AUDIENCE), 1)
                        .path("client_id")
                        .asText())
                .isNotEqualTo("the-key");
    }

    @Test
    void refusesAKeyThatIsNotTheProducts() {
        String issued = TokenPool.generate(TokenSpec.accessToken("k"), KEY, CLOCK);
        SigningKey other = SigningKey.generate(SigningKey.Algorithm.RS256);

        assertThatThrownBy(() -> ApimTokens.generated(issued, other, 1, Duration.ofDays(1), CLOCK))
                .isInstanceOf(RoleStartException.class)
                .hasMessageContaining("another key than that of the key store")
                .hasMessageNotContaining(issued.substring(0, 20));
    }

    @Test
    void saysWhyOtherTokensCannotBeMade() {
        SigningKey pss = SigningKey.generate(SigningKey.Algorithm.PS256);
        String signedOtherwise = TokenPool.generate(TokenSpec.accessToken("k"), pss, CLOCK);

        assertThatThrownBy(() -> ApimTokens.generated("opaque-token", KEY, 1, Duration.ofDays(1), CLOCK))
                .hasMessageContaining("issues opaque tokens and no JWTs; write tokens: fetched");
        assertThatThrownBy(() -> ApimTokens.generated(signedOtherwise, KEY, 1, Duration.ofDays(1), CLOCK))
                .hasMessageContaining("signs with PS256 and not with RS256");
        assertThatThrownBy(() -> ApimTokens.generated("a.b.c", KEY, 1, Duration.ofDays(1), CLOCK))
                .hasMessageContaining("cannot be read");
    }

    @Test
    void hasNoExpiredTokenWhereItCannotSign() {
        String issued = TokenPool.generate(TokenSpec.accessToken("k"), KEY, CLOCK);

        ApimTokens.Tokens tokens = ApimTokens.fetched(new TokenPool(List.of(issued)));

        assertThat(tokens.probes().keySet()).isEqualTo(Set.of(Probe.Token.VALID, Probe.Token.FOREIGN));
        assertThat(tokens.probes().get(Probe.Token.FOREIGN))
                .startsWith(issued.substring(0, issued.lastIndexOf('.') + 1))
                .isNotEqualTo(issued);
    }

    private static JsonNode part(String token, int index) throws IOException {
        return new ObjectMapper().readTree(Base64.getUrlDecoder().decode(token.split("\\.")[index]));
    }
}
