/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateway;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * Settings of the gateway, validated.
 *
 * @param profile whose routes are served
 * @param listener where clients connect
 * @param backend the service behind every route
 * @param jwt how JSON Web Tokens are checked
 * @param introspection how opaque tokens are checked; empty means that they are refused
 */
record GatewaySettings(
        GatewayProfile profile, Listener listener, Backend backend, Jwt jwt, Optional<Introspection> introspection) {

    static final String DEFAULT_BIND = "127.0.0.1";
    static final int DEFAULT_BACKEND_TIMEOUT_SECONDS = 120;
    /** Clocks of two hosts differ; more than this is a fault worth an error. */
    static final int DEFAULT_CLOCK_SKEW_SECONDS = 5;
    /** API Manager keeps checked tokens for 15 minutes by default. */
    static final int DEFAULT_INTROSPECTION_CACHE_SECONDS = 900;

    /**
     * Address to which clients connect.
     *
     * @param bind address to listen on
     * @param httpsPort 0 means a free one
     * @param httpPort plain port, 0 means a free one; empty means none
     * @param http2 whether HTTP/2 is offered on the HTTPS port next to HTTP/1.1
     * @param keystore PKCS12 with the server key; empty means a key made at start
     */
    record Listener(
            String bind, int httpsPort, Optional<Integer> httpPort, boolean http2, Optional<Keystore> keystore) {}

    /**
     * A PKCS12 file.
     *
     * @param file the key store
     * @param passwordFile the file whose first line is its password
     */
    record Keystore(Path file, Path passwordFile) {}

    /**
     * The service behind every route.
     *
     * @param url base URL
     * @param timeout how long an answer may take
     */
    record Backend(URI url, Duration timeout) {}

    /**
     * Checks of JSON Web Tokens.
     *
     * @param publicKey PEM file of the public key or certificate of the issuer
     * @param jwks file or URL of the key set of the issuer
     * @param audience required member of {@code aud}
     * @param issuer required {@code iss}
     * @param acceptPadding whether base64url with {@code =} is let through, which RFC 7515 forbids
     * @param cache how long a verified token is remembered; zero means that every request is verified
     * @param clockSkew tolerance for {@code exp} and {@code nbf}
     */
    record Jwt(
            Optional<Path> publicKey,
            Optional<String> jwks,
            Optional<String> audience,
            Optional<String> issuer,
            boolean acceptPadding,
            Duration cache,
            Duration clockSkew) {

        boolean configured() {
            return publicKey.isPresent() || jwks.isPresent();
        }
    }

    /**
     * Checks of opaque tokens.
     *
     * @param url endpoint of RFC 7662
     * @param cache how long an active token is remembered; zero means that every request asks
     * @param credentials what the gateway proves itself with
     */
    record Introspection(URI url, Duration cache, Optional<ClientCredentials> credentials) {}

    /**
     * Reads and validates the options.
     *
     * @throws UsageException with one line for each problem
     */
    static GatewaySettings read(OptionReader options) {
        GatewayProfile profile = options.choice(GatewayOption.PROFILE, GatewayProfile.class, GatewayProfile.APIM);
        Optional<URI> backend = options.url(GatewayOption.BACKEND);
        options.require(
                backend.isPresent() || options.text(GatewayOption.BACKEND).isPresent(),
                "--gateway.backend is missing: give the base URL of the back end, such as http://127.0.0.1:8688");
        Listener listener = readListener(options, profile);
        Jwt jwt = readJwt(options);
        Optional<Introspection> introspection = readIntrospection(options);
        options.require(
                jwt.configured() || introspection.isPresent() || rejected(options),
                "no way to check tokens: give --gateway.jwt-public-key, --gateway.jwt-jwks or"
                        + " --gateway.introspection-url");
        Duration timeout = Duration.ofSeconds(
                options.number(GatewayOption.BACKEND_TIMEOUT_SECONDS, 1, 86_400, DEFAULT_BACKEND_TIMEOUT_SECONDS));
        options.finish();
        return new GatewaySettings(profile, listener, new Backend(backend.orElseThrow(), timeout), jwt, introspection);
    }

    private static boolean rejected(OptionReader options) {
        return options.text(GatewayOption.JWT_PUBLIC_KEY).isPresent()
                || options.text(GatewayOption.INTROSPECTION_URL).isPresent();
    }

    private static Listener readListener(OptionReader options, GatewayProfile profile) {
        Optional<Path> keystore = options.readableFile(GatewayOption.KEYSTORE);
        Optional<Path> password = options.readableFile(GatewayOption.KEYSTORE_PASSWORD_FILE);
        options.require(
                options.text(GatewayOption.KEYSTORE).isPresent()
                        == options.text(GatewayOption.KEYSTORE_PASSWORD_FILE).isPresent(),
                "--gateway.keystore and --gateway.keystore-password-file must be given together");
        return new Listener(
                options.text(GatewayOption.BIND, DEFAULT_BIND),
                options.number(GatewayOption.HTTPS_PORT, 0, 65_535, profile.defaultHttpsPort()),
                options.number(GatewayOption.HTTP_PORT, 0, 65_535),
                options.flag(GatewayOption.HTTP2),
                keystore.flatMap(file -> password.map(secret -> new Keystore(file, secret))));
    }

    private static Jwt readJwt(OptionReader options) {
        options.require(
                options.text(GatewayOption.JWT_PUBLIC_KEY).isEmpty()
                        || options.text(GatewayOption.JWT_JWKS).isEmpty(),
                "--gateway.jwt-public-key and --gateway.jwt-jwks exclude each other");
        return new Jwt(
                options.readableFile(GatewayOption.JWT_PUBLIC_KEY),
                options.text(GatewayOption.JWT_JWKS),
                options.text(GatewayOption.JWT_AUDIENCE),
                options.text(GatewayOption.JWT_ISSUER),
                options.flag(GatewayOption.JWT_ACCEPT_PADDING),
                Duration.ofSeconds(options.number(GatewayOption.JWT_CACHE_SECONDS, 0, 86_400, 0)),
                Duration.ofSeconds(
                        options.number(GatewayOption.CLOCK_SKEW_SECONDS, 0, 3_600, DEFAULT_CLOCK_SKEW_SECONDS)));
    }

    private static Optional<Introspection> readIntrospection(OptionReader options) {
        Duration cache = Duration.ofSeconds(options.number(
                GatewayOption.INTROSPECTION_CACHE_SECONDS, 0, 86_400, DEFAULT_INTROSPECTION_CACHE_SECONDS));
        Optional<ClientCredentials> credentials = options.readableFile(GatewayOption.INTROSPECTION_CREDENTIALS_FILE)
                .map(ClientCredentials::read);
        return options.url(GatewayOption.INTROSPECTION_URL).map(url -> new Introspection(url, cache, credentials));
    }
}
