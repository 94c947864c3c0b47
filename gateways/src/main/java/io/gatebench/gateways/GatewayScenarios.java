/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.gatebench.gateways.token.Refusals;
import io.gatebench.model.PayloadKind;
import io.gatebench.model.ResponseCheck;
import io.gatebench.model.TestScenario;
import io.gatebench.model.TokenKind;

/** The published scenarios of the API gateways: secured, JSON over HTTPS. */
final class GatewayScenarios {

    private static final Map<String, String> JSON = Map.of("Content-Type", "application/json");

    private GatewayScenarios() {}

    static List<TestScenario> apim() {
        return List.of(
                secured(
                        "passthrough",
                        "Passthrough",
                        "A secured API, which directly invokes the back-end service.",
                        "/echo/1.0.0",
                        TokenKind.JWT,
                        new ResponseCheck(200, Optional.of("{size}B"), true, false)),
                secured(
                        "transformation",
                        "Transformation",
                        "A secured API, which has a mediation extension to modify the message.",
                        "/mediation/1.0.0",
                        TokenKind.JWT,
                        new ResponseCheck(200, Optional.of("{size}B"), false, false)
                                .withBody(new ResponseCheck.Body(ResponseCheck.Body.Form.PAYLOAD_AND_SIZE, 0))),
                new TestScenario(
                        "starwars",
                        "StarwarsGraphqlApi",
                        "A secured GraphQL API, which directly invokes the backend service.",
                        true,
                        "POST",
                        "/starwars/1.0.0",
                        JSON,
                        PayloadKind.GRAPHQL_QUERY,
                        TokenKind.JWT,
                        new ResponseCheck(200, Optional.of("\"data\""), false, true),
                        Refusals.of(TokenKind.JWT)));
    }

    static List<TestScenario> microgateway() {
        ResponseCheck check = new ResponseCheck(200, Optional.of("{size}B"), true, false);
        return List.of(
                secured(
                        "microgw-passthrough-oauth",
                        "Microgateway-Passthrough-OAuth2",
                        "A secured API, which directly invokes the backend through Microgateway using OAuth2 tokens",
                        "/echo/1.0.0",
                        TokenKind.OPAQUE,
                        check),
                secured(
                        "microgw-passthrough-jwt",
                        "Microgateway-Passthrough-JWT",
                        "A secured API, which directly invokes the backend through Microgateway using JWT tokens",
                        "/echo/1.0.0",
                        TokenKind.JWT,
                        check));
    }

    private static TestScenario secured(
            String name, String displayName, String description, String path, TokenKind token, ResponseCheck check) {
        return new TestScenario(
                name,
                displayName,
                description,
                true,
                "POST",
                path,
                JSON,
                PayloadKind.JSON_ARRAY,
                token,
                check,
                Refusals.of(token));
    }
}
