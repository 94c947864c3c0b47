/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateway;

import java.util.Arrays;
import java.util.List;

/** Every property that the program understands, all under the prefix {@code gateway}. */
enum GatewayOption {
    MODE("mode"),
    PROFILE("profile"),
    BIND("bind"),
    HTTPS_PORT("https-port"),
    HTTP_PORT("http-port"),
    HTTP2("http2"),
    BACKEND("backend"),
    BACKEND_TIMEOUT_SECONDS("backend-timeout-seconds"),
    KEYSTORE("keystore"),
    KEYSTORE_PASSWORD_FILE("keystore-password-file"),
    JWT_PUBLIC_KEY("jwt-public-key"),
    JWT_JWKS("jwt-jwks"),
    JWT_AUDIENCE("jwt-audience"),
    JWT_ISSUER("jwt-issuer"),
    JWT_ACCEPT_PADDING("jwt-accept-padding"),
    JWT_CACHE_SECONDS("jwt-cache-seconds"),
    CLOCK_SKEW_SECONDS("clock-skew-seconds"),
    INTROSPECTION_URL("introspection-url"),
    INTROSPECTION_CACHE_SECONDS("introspection-cache-seconds"),
    INTROSPECTION_CREDENTIALS_FILE("introspection-credentials-file"),
    TOKENS("tokens"),
    PORT("port");

    static final String PREFIX = "gateway.";

    private final String shortName;

    GatewayOption(String shortName) {
        this.shortName = shortName;
    }

    /** Returns the full property name, such as {@code gateway.https-port}. */
    String property() {
        return PREFIX + shortName;
    }

    /** Returns every full property name, in the order of the documentation. */
    static List<String> properties() {
        return Arrays.stream(values()).map(GatewayOption::property).toList();
    }
}
