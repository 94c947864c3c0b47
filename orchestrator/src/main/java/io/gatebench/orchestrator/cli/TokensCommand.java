/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntConsumer;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import io.gatebench.load.engine.LoadException;
import io.gatebench.load.engine.Trust;
import io.gatebench.load.engine.token.SecretFile;
import io.gatebench.load.engine.token.SigningKey;
import io.gatebench.load.engine.token.TokenEndpoint;
import io.gatebench.load.engine.token.TokenPool;
import io.gatebench.load.engine.token.TokenSpec;
import io.gatebench.settings.Durations;
import io.gatebench.settings.FileProblem;

/** {@code tokens}: a file of bearer tokens, made here or fetched from a token endpoint. */
@Command(
        name = "tokens",
        description = {
            "Write a file of bearer tokens, one per line, readable by its owner alone.",
            "jwt: signed here; opaque: 36 random letters and digits; endpoint: fetched by OAuth 2.0."
        },
        footer = {
            "",
            "Secrets are read from files, never given on the command line. Values of --claim may be $${now}, $${expiry} or"
                    + " $${uuid}; whole numbers, true and false keep their type."
        })
final class TokensCommand implements Runnable {

    private enum Kind {
        JWT,
        OPAQUE,
        ENDPOINT
    }

    private enum Compat {
        WSO2
    }

    private enum Grant {
        CLIENT_CREDENTIALS,
        PASSWORD
    }

    @Spec
    private CommandSpec spec;

    @Mixin
    private HelpOption help;

    @Option(names = "--out", required = true, paramLabel = "<file>", description = "Where the tokens go.")
    private Path out;

    @Option(
            names = "--kind",
            paramLabel = "<kind>",
            defaultValue = "jwt",
            description = "jwt, opaque or endpoint (default: ${DEFAULT-VALUE}).")
    private Kind kind;

    @Option(
            names = "--count",
            paramLabel = "<n>",
            defaultValue = "4000",
            description = "How many (default: ${DEFAULT-VALUE}).")
    private int count;

    @Option(
            names = "--algorithm",
            paramLabel = "<name>",
            defaultValue = "RS256",
            description = "RS256, PS256, ES256 or HS256 (default: ${DEFAULT-VALUE}).")
    private SigningKey.Algorithm algorithm;

    @Option(
            names = "--key",
            paramLabel = "<file>",
            description = "Signing key: PEM, or for HS256 a file whose bytes are the secret; a new key if not given.")
    private @Nullable Path key;

    @Option(names = "--key-store", paramLabel = "<file>", description = "Signing key in a PKCS12 or JKS key store.")
    private @Nullable Path keyStore;

    @Option(
            names = "--key-store-password-file",
            paramLabel = "<file>",
            description = "File whose first line is the password of the key store.")
    private @Nullable Path keyStorePassword;

    @Option(names = "--key-alias", paramLabel = "<name>", description = "Its entry, if it holds several keys.")
    private @Nullable String keyAlias;

    @Option(
            names = "--public-key-out",
            paramLabel = "<file>",
            description = "Write the public key as PEM, for the gateway.")
    private @Nullable Path publicKeyOut;

    @Option(names = "--jwks-out", paramLabel = "<file>", description = "Write the public key as a JSON Web Key Set.")
    private @Nullable Path jwksOut;

    @Option(
            names = "--audience",
            paramLabel = "<text>",
            defaultValue = "gatebench",
            description = "The application's consumer key: aud, azp and client_id (default: ${DEFAULT-VALUE}).")
    private String audience;

    @Option(
            names = "--claim",
            paramLabel = "<name>=<value>",
            description = "Set a claim; repeatable. An empty value removes it.")
    private Map<String, String> claims = new LinkedHashMap<>();

    @Option(
            names = "--lifetime",
            paramLabel = "<time>",
            defaultValue = "8760h",
            description = "Until the tokens expire (default: ${DEFAULT-VALUE}).")
    private String lifetime;

    @Option(
            names = "--compat",
            paramLabel = "<name>",
            description = "wso2: the parts end with '=', as the predecessor's do against RFC 7515.")
    private @Nullable Compat compat;

    @Option(names = "--endpoint", paramLabel = "<url>", description = "Token endpoint.")
    private @Nullable URI endpoint;

    @Option(
            names = "--grant",
            paramLabel = "<grant>",
            defaultValue = "client_credentials",
            description = "client_credentials or password (default: ${DEFAULT-VALUE}).")
    private Grant grant;

    @Option(names = "--client-id", paramLabel = "<id>", description = "The client at the endpoint.")
    private @Nullable String clientId;

    @Option(
            names = "--client-secret-file",
            paramLabel = "<file>",
            description = "File whose first line is the client's secret.")
    private @Nullable Path clientSecret;

    @Option(names = "--username", paramLabel = "<name>", description = "The user of the password grant.")
    private @Nullable String username;

    @Option(
            names = "--password-file",
            paramLabel = "<file>",
            description = "File whose first line is the user's password.")
    private @Nullable Path password;

    @Option(names = "--scope", paramLabel = "<scope>", description = "The scope to ask for.")
    private @Nullable String scope;

    @Option(names = "--trust-all", description = "Accept every certificate of the endpoint.")
    private boolean trustAll;

    @Option(names = "--ca-file", paramLabel = "<pem>", description = "Certificates of the endpoint to trust.")
    private @Nullable Path caFile;

    @Override
    public void run() {
        requireOwnFiles();
        if (count < 1) {
            throw CommandException.usage("--count must be at least 1 but was " + count);
        }
        Clock clock = Clock.systemUTC();
        long begin = System.nanoTime();
        try {
            TokenPool pool = switch (kind) {
                case JWT -> jwts(clock);
                case OPAQUE -> TokenPool.opaque(count);
                case ENDPOINT -> fetched(clock);
            };
            pool.writeCsv(out);
            PrintWriter text = spec.commandLine().getOut();
            text.printf(
                    java.util.Locale.ROOT,
                    "%d tokens in %s, made in %.1f s%s%n",
                    pool.tokens().size(),
                    out,
                    (System.nanoTime() - begin) / 1e9,
                    pool.earliestExpiry().map(end -> ", valid until " + end).orElse(""));
            if (pool.tokens().size() < count) {
                text.println("The endpoint answered " + count + " requests with "
                        + pool.tokens().size() + " different tokens.");
            }
            text.flush();
        } catch (LoadException | IllegalArgumentException e) {
            throw CommandException.usage(e.getMessage());
        }
    }

    /** The second of two outputs would silently take the place of the first. */
    private void requireOwnFiles() {
        Map<Path, String> taken = new HashMap<>();
        output("--out", out, taken);
        output("--public-key-out", publicKeyOut, taken);
        output("--jwks-out", jwksOut, taken);
    }

    private static void output(String option, @Nullable Path file, Map<Path, String> taken) {
        if (file == null) {
            return;
        }
        String other = taken.putIfAbsent(file.toAbsolutePath().normalize(), option);
        if (other != null) {
            throw CommandException.usage(
                    other + " and " + option + " name the same file " + file + "; give each one of its own");
        }
    }

    private TokenPool jwts(Clock clock) {
        SigningKey signing = signingKey();
        TokenSpec tokens = TokenSpec.accessToken(audience)
                .withKeyId("gatebench_" + algorithm)
                .withLifetime(Durations.parse(lifetime, "s"))
                .withPadding(compat == Compat.WSO2);
        for (Map.Entry<String, String> claim : claims.entrySet()) {
            tokens = tokens.withClaim(claim.getKey(), value(claim.getValue()));
        }
        if (publicKeyOut != null) {
            write(publicKeyOut, signing.publicKeyPem());
        }
        if (jwksOut != null) {
            write(jwksOut, signing.jwksJson(tokens.keyId()));
        }
        return TokenPool.generate(count, tokens, signing, clock, progress());
    }

    private SigningKey signingKey() {
        if (key != null && keyStore != null) {
            throw CommandException.usage("give --key or --key-store, not both");
        }
        if (keyStore != null) {
            return SigningKey.fromKeyStore(
                    keyStore,
                    secret("--key-store-password-file", keyStorePassword).toCharArray(),
                    Optional.ofNullable(keyAlias),
                    algorithm);
        }
        if (key == null) {
            if (publicKeyOut == null && jwksOut == null) {
                throw CommandException.usage(
                        "without --key or --key-store a new key is made, and its public key must go somewhere:"
                                + " give --public-key-out or --jwks-out");
            }
            return SigningKey.generate(algorithm);
        }
        if (algorithm != SigningKey.Algorithm.HS256) {
            return SigningKey.fromPem(key, algorithm);
        }
        try {
            return SigningKey.secret(SecretFile.bytes(key));
        } catch (IOException e) {
            throw CommandException.usage("cannot read " + key + ": " + FileProblem.of(e));
        }
    }

    private static @Nullable Object value(String text) {
        if (text.isEmpty()) {
            return null;
        }
        if (text.equals("true") || text.equals("false")) {
            return Boolean.valueOf(text);
        }
        return text.matches("-?(0|[1-9]\\d{0,17})") ? Long.valueOf(text) : text;
    }

    private TokenPool fetched(Clock clock) {
        if (endpoint == null
                || endpoint.getHost() == null
                || !List.of("http", "https").contains(endpoint.getScheme())) {
            throw CommandException.usage("--kind endpoint needs --endpoint, an http or https address, but it was "
                    + (endpoint == null ? "not given" : endpoint));
        }
        if (clientId == null) {
            throw CommandException.usage("--kind endpoint needs --client-id");
        }
        Optional<TokenEndpoint.Owner> owner = Optional.empty();
        if (grant == Grant.PASSWORD) {
            if (username == null) {
                throw CommandException.usage("--grant password needs --username");
            }
            owner = Optional.of(new TokenEndpoint.Owner(username, secret("--password-file", password)));
        }
        return new TokenEndpoint(
                        endpoint,
                        clientId,
                        secret("--client-secret-file", clientSecret),
                        owner,
                        Optional.ofNullable(scope),
                        new Trust(trustAll, Optional.ofNullable(caFile)))
                .fetch(count, clock, progress());
    }

    private static String secret(String option, @Nullable Path file) {
        if (file == null) {
            throw CommandException.usage(option + " is missing");
        }
        try {
            String line = SecretFile.firstLine(file);
            if (line.isEmpty()) {
                throw CommandException.usage(option + ": the first line of " + file + " is empty");
            }
            return line;
        } catch (IOException e) {
            throw CommandException.usage(option + ": cannot read " + file + ": " + FileProblem.of(e));
        }
    }

    private static void write(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw CommandException.usage("cannot write " + file + ": " + FileProblem.of(e));
        }
    }

    /** Tells every tenth part. */
    private IntConsumer progress() {
        PrintWriter err = spec.commandLine().getErr();
        int step = Math.max(1, count / 10);
        return done -> {
            if (count >= 1000 && done % step == 0) {
                synchronized (err) {
                    err.println(done + " of " + count + " tokens");
                    err.flush();
                }
            }
        };
    }
}
