/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways.wso2;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

import io.gatebench.gateways.http.ContainerKeys;
import io.gatebench.settings.ConfigNode;
import io.gatebench.settings.Durations;
import io.gatebench.settings.PlanException;
import io.gatebench.settings.SecretHeaders;

/** Reads the settings file of a product; every problem is named with its line. */
final class ProductSettingsFile {

    /** The keys that {@code apim} knows. */
    static final List<String> APIM = List.of(
            "admin-url",
            "admin-user",
            "admin-password",
            "ca",
            "insecure",
            "key-store",
            "tokens",
            "token-count",
            "java-home",
            "start-timeout",
            "database",
            "container");

    /** The keys that {@code mi} and {@code ei} know. */
    static final List<String> INTEGRATOR = List.of("java-home", "start-timeout", "deploy-to");

    /** The keys that {@code microgateway} knows. */
    static final List<String> MICROGATEWAY =
            List.of("project", "toolkit", "key-store", "token-count", "java-home", "start-timeout", "container");

    private final Path file;
    private final Map<String, ConfigNode> values;

    private ProductSettingsFile(Path file, Map<String, ConfigNode> values) {
        this.file = file;
        this.values = values;
    }

    /**
     * Returns what a file says.
     *
     * @param known the keys that the product knows
     * @throws PlanException with every problem
     */
    static ProductSettings read(Path file, List<String> known) {
        List<String> problems = new ArrayList<>();
        ConfigNode root = ConfigNode.read(file, problems);
        ProductSettings settings = new ProductSettingsFile(file, root.mapping(known)).settings();
        if (!problems.isEmpty()) {
            throw new PlanException(problems);
        }
        return settings;
    }

    private ProductSettings settings() {
        return new ProductSettings(
                parsed("admin-url", ProductSettingsFile::url),
                parsed("admin-user", Function.identity()).orElse("admin"),
                secret(values.get("admin-password")),
                parsed("ca", this::existing),
                parsed("insecure", ProductSettingsFile::parseBoolean).orElse(false),
                keyStore(),
                parsed("tokens", ProductSettingsFile::tokens),
                parsed("token-count", text -> number(text, 1, 1_000_000)).orElse(ProductSettings.TOKENS),
                parsed("java-home", Function.identity()),
                parsed("start-timeout", text -> Durations.parse(text, "s")).orElse(ProductSettings.START_TIMEOUT),
                database(),
                parsed("project", this::existing),
                parsed("toolkit", this::existing),
                parsed("deploy-to", ProductSettingsFile::absolute),
                Optional.ofNullable(values.get("container"))
                        .map(node -> ContainerKeys.read(node, node.mapping(ContainerKeys.NAMES), this::existing)));
    }

    private <T> Optional<T> parsed(String key, Function<String, T> parser) {
        return parsed(values, key, parser);
    }

    private static <T> Optional<T> parsed(Map<String, ConfigNode> from, String key, Function<String, T> parser) {
        return Optional.ofNullable(from.get(key)).flatMap(node -> node.parsed(parser));
    }

    private Optional<Secret> secret(@org.jspecify.annotations.Nullable ConfigNode node) {
        if (node == null) {
            return Optional.empty();
        }
        if (!node.isMapping()) {
            node.problem("is never written into a file of settings; say where it lies: {environment: NAME} or"
                    + " {file: path}");
            return Optional.empty();
        }
        Map<String, ConfigNode> places = node.mapping(List.of("environment", "file"));
        if (places.size() != 1) {
            node.problem("must name one place: {environment: NAME} or {file: path}");
            return Optional.empty();
        }
        return parsed(places, "environment", Secret::environment)
                .or(() -> parsed(places, "file", text -> Secret.file(existing(text))));
    }

    private Optional<ProductSettings.KeyStoreFile> keyStore() {
        ConfigNode node = values.get("key-store");
        if (node == null) {
            return Optional.empty();
        }
        Map<String, ConfigNode> of = node.mapping(List.of("file", "alias", "password"));
        Optional<Path> store = required(node, of, "file", this::existing);
        Optional<String> alias = parsed(of, "alias", Function.identity());
        Optional<Secret> password = secret(of.get("password"));
        return store.map(path -> new ProductSettings.KeyStoreFile(path, alias, password));
    }

    private Optional<ProductSettings.Database> database() {
        ConfigNode node = values.get("database");
        if (node == null) {
            return Optional.empty();
        }
        Map<String, ConfigNode> of =
                node.mapping(List.of("host", "port", "user", "password", "connector", "name-prefix"));
        Optional<Path> connector = required(node, of, "connector", this::existing);
        String prefix = parsed(of, "name-prefix", text -> matching(text, "[A-Za-z0-9_]{1,40}"))
                .orElse("gatebench_");
        boolean created = of.keySet().stream().noneMatch(List.of("host", "port", "user", "password")::contains);
        Optional<ProductSettings.Server> server = created ? Optional.empty() : server(node, of);
        if (connector.isEmpty() || !created && server.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new ProductSettings.Database(server, connector.get(), prefix));
    }

    private Optional<ProductSettings.Server> server(ConfigNode node, Map<String, ConfigNode> of) {
        Optional<String> host = required(node, of, "host", text -> matching(text, "[A-Za-z0-9.:_-]+"));
        int port = parsed(of, "port", text -> number(text, 1, 65535)).orElse(3306);
        Optional<String> user = required(node, of, "user", text -> matching(text, "[A-Za-z0-9._-]+"));
        if (!of.containsKey("password")) {
            node.problem("needs the key 'password'");
        }
        Optional<Secret> password = secret(of.get("password"));
        if (host.isEmpty() || user.isEmpty() || password.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new ProductSettings.Server(host.get(), port, user.get(), password.get(), false));
    }

    private static <T> Optional<T> required(
            ConfigNode node, Map<String, ConfigNode> of, String key, Function<String, T> parser) {
        if (!of.containsKey(key)) {
            node.problem("needs the key '" + key + "'");
        }
        return parsed(of, key, parser);
    }

    private Path existing(String text) {
        Path path = file.toAbsolutePath().resolveSibling(text).normalize();
        if (!Files.exists(path)) {
            throw new IllegalArgumentException("names " + path + ", which does not exist");
        }
        return path;
    }

    private static String absolute(String text) {
        if (!text.startsWith("/")) {
            throw new IllegalArgumentException("must be an absolute path on the gateway's host but was '" + text + "'");
        }
        return text;
    }

    private static String matching(String text, String pattern) {
        if (!text.matches(pattern)) {
            throw new IllegalArgumentException("must match " + pattern + " but was '" + text + "'");
        }
        return text;
    }

    private static int number(String text, int min, int max) {
        try {
            int value = Integer.parseInt(text);
            if (value >= min && value <= max) {
                return value;
            }
        } catch (NumberFormatException e) {
            // The message below holds for both.
        }
        throw new IllegalArgumentException(
                "must be a whole number from " + min + " to " + max + " but was '" + text + "'");
    }

    private static Boolean parseBoolean(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "true" -> Boolean.TRUE;
            case "false" -> Boolean.FALSE;
            default -> throw new IllegalArgumentException("must be true or false but was '" + text + "'");
        };
    }

    private static ProductSettings.TokenSource tokens(String text) {
        return switch (text) {
            case "generated" -> ProductSettings.TokenSource.GENERATED;
            case "fetched" -> ProductSettings.TokenSource.FETCHED;
            default -> throw new IllegalArgumentException("must be generated or fetched but was '" + text + "'");
        };
    }

    private static URI url(String text) {
        try {
            URI url = URI.create(text);
            if (url.getHost() != null
                    && List.of("http", "https").contains(String.valueOf(url.getScheme()))
                    && url.getRawUserInfo() == null
                    && List.of("", "/").contains(url.getRawPath())) {
                return URI.create(url.getScheme() + "://" + url.getRawAuthority());
            }
        } catch (IllegalArgumentException e) {
            // The message below holds for both.
        }
        throw new IllegalArgumentException("must be scheme, host and port such as https://10.0.0.5:9443 but was '"
                + SecretHeaders.withoutUser(text) + "'");
    }
}
