/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways.wso2;

import static io.gatebench.settings.ConfigNode.value;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

import io.gatebench.gateways.http.ContainerKeys;
import io.gatebench.settings.ConfigNode;
import io.gatebench.settings.Key;
import io.gatebench.settings.PlanException;
import io.gatebench.settings.SecretHeaders;
import io.gatebench.settings.Shape;

/** Reads the settings file of a product; every problem is named with its line. */
final class ProductSettingsFile {

    private static final String ADMIN = "admin";
    private static final int MYSQL_PORT = 3306;
    private static final String NAME_PREFIX = "gatebench_";

    private static final Shape.Scalar<Integer> PORT = Shape.number(1, 65535);
    private static final Shape.Scalar<Integer> POOL = Shape.number(1, 1_000_000);
    private static final Shape.Scalar<ProductSettings.TokenSource> TOKENS =
            Shape.choice(ProductSettings.TokenSource.class);
    private static final Shape.Scalar<String> ABSOLUTE =
            Shape.matching(Pattern.compile("/.*"), "an absolute path on the gateway's host");
    private static final Shape.Scalar<String> HOST =
            Shape.matching(Pattern.compile("[A-Za-z0-9.:_-]+"), "a host name or an address");
    private static final Shape.Scalar<String> USER = Shape.matching(Pattern.compile("[A-Za-z0-9._-]+"), "a login");
    private static final Shape.Scalar<String> PREFIX =
            Shape.matching(Pattern.compile("[A-Za-z0-9_]{1,40}"), "at most 40 letters, digits and '_'");
    private static final Shape SECRET = Shape.keys(
            Key.of("environment", Shape.text(), "Environment variable that holds it."),
            Key.of("file", Shape.text(), "File in whose first line it lies."));

    private static final Key KEY_STORE = Key.of(
            "key-store",
            Shape.keys(
                    Key.required("file", Shape.text(), "The key store."),
                    Key.of("alias", Shape.text(), "Name of the key in it."),
                    Key.of("password", SECRET, "Where the password lies.")),
            "Key that signs tokens; else the pack's.");
    private static final Key TOKEN_COUNT =
            Key.of("token-count", POOL, "How many tokens the load uses.").otherwise(ProductSettings.TOKENS);
    private static final Key JAVA_HOME =
            Key.of("java-home", Shape.text(), "JDK on the gateway's host; else the suite's Java there.");
    private static final Key START_TIMEOUT = Key.of(
                    "start-timeout",
                    Shape.duration("s"),
                    "How long the gateway, and then its administration, may take to answer.")
            .otherwise(ProductSettings.START_TIMEOUT.toSeconds() + "s");
    private static final Key CONTAINER =
            Key.of("container", ContainerKeys.KEYS, "Container that the built-in gateway is run in.");

    /** The keys that {@code apim} knows. */
    static final Shape.Keys APIM = Shape.keys(
            Key.of(
                    "admin-url",
                    Shape.text(),
                    "Base URL of the administration interfaces; else the gateway's host and port 9443."),
            Key.of("admin-user", Shape.text(), "Who sets up; needs the roles creator, publisher and subscriber.")
                    .otherwise(ADMIN),
            Key.of("admin-password", SECRET, "Where the password of who sets up lies."),
            Key.of("ca", Shape.text(), "PEM file with the certificate of the administration interfaces."),
            Key.of("insecure", Shape.flag(), "true: that certificate is not checked.")
                    .otherwise(false),
            KEY_STORE,
            Key.of("tokens", TOKENS, "Whether the suite signs the tokens or fetches them from the token endpoint."),
            TOKEN_COUNT,
            JAVA_HOME,
            START_TIMEOUT,
            Key.of(
                    "database",
                    Shape.keys(
                            Key.of("host", HOST, "Host of the MySQL server; else the run creates the database."),
                            Key.of("port", PORT, "Port of the server.").otherwise(MYSQL_PORT),
                            Key.of("user", USER, "Login at the server."),
                            Key.of("password", SECRET, "Where the password lies."),
                            Key.required("connector", Shape.text(), "Jar of the JDBC driver."),
                            Key.of("name-prefix", PREFIX, "What the names of the databases begin with.")
                                    .otherwise(NAME_PREFIX)),
                    "MySQL that the product uses instead of its embedded database."),
            CONTAINER);

    /** The keys that {@code mi} and {@code ei} know. */
    static final Shape.Keys INTEGRATOR = Shape.keys(
            JAVA_HOME,
            START_TIMEOUT,
            Key.of("deploy-to", ABSOLUTE, "Directory of a running product that the artifacts are put into."));

    /** The keys that {@code microgateway} knows. */
    static final Shape.Keys MICROGATEWAY = Shape.keys(
            Key.of("project", Shape.text(), "Project of the microgateway that was built already."),
            Key.of("toolkit", Shape.text(), "Toolkit that builds the project."),
            KEY_STORE,
            TOKEN_COUNT,
            JAVA_HOME,
            START_TIMEOUT,
            CONTAINER);

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
    static ProductSettings read(Path file, Shape.Keys known) {
        List<String> problems = new ArrayList<>();
        ConfigNode root = ConfigNode.read(file, "gateway configuration", known, problems);
        ProductSettings settings = new ProductSettingsFile(file, root.mapping()).settings();
        if (!problems.isEmpty()) {
            throw new PlanException(problems);
        }
        return settings;
    }

    private ProductSettings settings() {
        return new ProductSettings(
                parsed("admin-url", ProductSettingsFile::url),
                parsed("admin-user", Function.identity()).orElse(ADMIN),
                secret(values.get("admin-password")),
                parsed("ca", this::existing),
                parsed("insecure", Shape.flag()).orElse(false),
                keyStore(),
                parsed("tokens", TOKENS),
                parsed("token-count", POOL).orElse(ProductSettings.TOKENS),
                parsed("java-home", Function.identity()),
                parsed("start-timeout", Shape.duration("s")).orElse(ProductSettings.START_TIMEOUT),
                database(),
                parsed("project", this::existing),
                parsed("toolkit", this::existing),
                parsed("deploy-to", ABSOLUTE),
                Optional.ofNullable(values.get("container"))
                        .map(node -> ContainerKeys.read(node, node.mapping(), this::existing)));
    }

    private <T> Optional<T> parsed(String key, Function<String, T> parser) {
        return value(values, key, parser);
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
        Map<String, ConfigNode> places = node.mapping();
        if (places.size() != 1) {
            node.problem("must name one place: {environment: NAME} or {file: path}");
            return Optional.empty();
        }
        return value(places, "environment", Secret::environment)
                .or(() -> value(places, "file", text -> Secret.file(existing(text))));
    }

    private Optional<ProductSettings.KeyStoreFile> keyStore() {
        ConfigNode node = values.get("key-store");
        if (node == null) {
            return Optional.empty();
        }
        Map<String, ConfigNode> of = node.mapping();
        Optional<Path> store = value(of, "file", this::existing);
        Optional<String> alias = value(of, "alias", Function.identity());
        Optional<Secret> password = secret(of.get("password"));
        return store.map(path -> new ProductSettings.KeyStoreFile(path, alias, password));
    }

    private Optional<ProductSettings.Database> database() {
        ConfigNode node = values.get("database");
        if (node == null) {
            return Optional.empty();
        }
        Map<String, ConfigNode> of = node.mapping();
        Optional<Path> connector = value(of, "connector", this::existing);
        String prefix = value(of, "name-prefix", PREFIX).orElse(NAME_PREFIX);
        boolean created = of.keySet().stream().noneMatch(List.of("host", "port", "user", "password")::contains);
        Optional<ProductSettings.Server> server = created ? Optional.empty() : server(node, of);
        if (connector.isEmpty() || !created && server.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new ProductSettings.Database(server, connector.get(), prefix));
    }

    private Optional<ProductSettings.Server> server(ConfigNode node, Map<String, ConfigNode> of) {
        Optional<String> host = required(node, of, "host", HOST);
        int port = value(of, "port", PORT).orElse(MYSQL_PORT);
        Optional<String> user = required(node, of, "user", USER);
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
        return value(of, key, parser);
    }

    private Path existing(String text) {
        Path path = file.toAbsolutePath().resolveSibling(text).normalize();
        if (!Files.exists(path)) {
            throw new IllegalArgumentException("names " + path + ", which does not exist");
        }
        return path;
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
