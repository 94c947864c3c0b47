/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways.wso2;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import com.fasterxml.jackson.databind.ObjectMapper;

/** The registration of clients and the token endpoint of the double. */
final class TokenDouble {

    private static final ObjectMapper JSON = new ObjectMapper();

    final List<String> issued = new ArrayList<>();

    private final PortalDouble portal;
    private final Map<String, String> clients = new ConcurrentHashMap<>();
    private final Map<String, Set<String>> tokens = new ConcurrentHashMap<>();
    private Set<String> grantable = Set.of();
    private Supplier<String> accessToken = () -> UUID.randomUUID().toString();

    TokenDouble(PortalDouble portal) {
        this.portal = portal;
    }

    /** Grants no other scopes than these. */
    void grantOnly(String... scopes) {
        grantable = Set.of(scopes);
    }

    /** Issues such tokens to applications. */
    void issue(Supplier<String> token) {
        accessToken = token;
    }

    void revokeAll() {
        tokens.clear();
    }

    /** Returns the scopes of a token that was issued for the interfaces. */
    Optional<Set<String>> scopes(String token) {
        return Optional.ofNullable(tokens.get(token));
    }

    DoubleReply revoke(String body) {
        tokens.remove(ApimDouble.form(body).get("token"));
        return new DoubleReply(200, "");
    }

    DoubleReply register(String authorization, String body) {
        if (!authorization.equals(basic(ApimDouble.USER, ApimDouble.PASSWORD))) {
            return DoubleReply.refused(401, "wrong user or password");
        }
        try {
            String name = JSON.readTree(body).path("clientName").asText();
            String secret = clients.computeIfAbsent(name, n -> "secret-of-" + UUID.randomUUID());
            return DoubleReply.of(
                    200,
                    JSON.createObjectNode()
                            .put("clientId", name)
                            .put("clientSecret", secret)
                            .put("clientName", name));
        } catch (IOException e) {
            return DoubleReply.refused(400, "no JSON");
        }
    }

    DoubleReply token(String authorization, String body) {
        Map<String, String> form = ApimDouble.form(body);
        if ("client_credentials".equals(form.get("grant_type"))) {
            boolean known = portal.keys.values().stream()
                    .anyMatch(key -> authorization.equals(basic(
                            key.path("consumerKey").asText(),
                            key.path("consumerSecret").asText())));
            if (!known) {
                return DoubleReply.refused(401, "invalid_client");
            }
            String token = accessToken.get();
            issued.add(token);
            return DoubleReply.of(
                    200,
                    JSON.createObjectNode()
                            .put("access_token", token)
                            .put("token_type", "Bearer")
                            .put("expires_in", 3600));
        }
        boolean known = clients.entrySet().stream()
                .anyMatch(client -> authorization.equals(basic(client.getKey(), client.getValue())));
        if (!known || !ApimDouble.PASSWORD.equals(form.get("password"))) {
            return DoubleReply.refused(401, "invalid_client");
        }
        Set<String> granted =
                new LinkedHashSet<>(Arrays.asList(form.get("scope").split(" ")));
        if (!grantable.isEmpty()) {
            granted.retainAll(grantable);
        }
        String token = "token-" + UUID.randomUUID();
        tokens.put(token, granted);
        return DoubleReply.of(
                200,
                JSON.createObjectNode()
                        .put("access_token", token)
                        .put("scope", String.join(" ", granted))
                        .put("token_type", "Bearer")
                        .put("expires_in", 3600));
    }

    private static String basic(String name, String secret) {
        return "Basic " + Base64.getEncoder().encodeToString((name + ":" + secret).getBytes(StandardCharsets.UTF_8));
    }
}
