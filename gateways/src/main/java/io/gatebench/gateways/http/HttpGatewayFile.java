/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways.http;

import static io.gatebench.settings.ConfigNode.value;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import io.gatebench.gateways.token.Refusals;
import io.gatebench.load.engine.LoadException;
import io.gatebench.load.engine.steps.Template;
import io.gatebench.load.engine.token.SecretFile;
import io.gatebench.load.engine.token.TokenPool;
import io.gatebench.model.PayloadKind;
import io.gatebench.model.Probe;
import io.gatebench.model.ResponseCheck;
import io.gatebench.model.ScenarioSteps;
import io.gatebench.model.TestScenario;
import io.gatebench.model.TokenKind;
import io.gatebench.settings.ConfigNode;
import io.gatebench.settings.FileProblem;
import io.gatebench.settings.Key;
import io.gatebench.settings.PlanException;
import io.gatebench.settings.SecretHeaders;
import io.gatebench.settings.Shape;

/** Reads gateway configurations; every problem of a file is found at once. */
final class HttpGatewayFile {

    private static final Duration READY_TIMEOUT = Duration.ofSeconds(30);
    private static final int TOKENS = 1000;
    private static final String AUDIENCE = "gatebench";

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,79}");
    private static final Pattern URL = Pattern.compile("(https?)://([^/?#\\s]+)(/[^#\\s]*)?");
    private static final Pattern PATH = Pattern.compile("/[^#\\s]*");
    private static final Pattern METHOD = Pattern.compile("[A-Z]{1,20}");
    private static final Pattern HEADER = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]+");

    static final Shape.Scalar<String> NAMED =
            Shape.matching(NAME, "letters, digits, '.', '_' and '-', as it names a directory,");
    static final Shape.Scalar<String> METHODS = Shape.matching(METHOD, "an HTTP method such as POST");
    private static final Shape.Scalar<Integer> STATUS = Shape.number(100, 599);
    private static final Shape.Scalar<Integer> PORT = Shape.number(1, 65535);
    private static final Shape.Scalar<Integer> POOL = Shape.number(1, 100_000);
    private static final Shape.Scalar<PayloadKind> PAYLOAD = Shape.choice(PayloadKind.class);
    private static final Shape.Scalar<TokenKind> TOKEN =
            Shape.choice(List.of(TokenKind.NONE, TokenKind.JWT, TokenKind.OPAQUE), HttpGatewayFile::name);
    private static final Shape.Scalar<Probe.Token> PROBE_TOKEN = Shape.choice(Probe.Token.class);
    private static final Shape.Scalar<ResponseCheck.Body.Form> BODY = Shape.choice(ResponseCheck.Body.Form.class);
    private static final Shape COMMAND = Shape.filledList(Shape.text());
    private static final Shape VARIABLES = new Shape.Names(Shape.text());
    static final Shape HEADERS = new Shape.Names(Shape.either(
            Shape.text(),
            Shape.keys(
                    Key.of("file", Shape.text(), "File in whose first line the value lies."),
                    Key.of("env", Shape.text(), "Environment variable that holds the value."))));

    private static final Shape.Keys START = Shape.keys(
            Key.required("command", COMMAND, "Command that starts the gateway, as a list of its words."),
            Key.of("environment", VARIABLES, "Variables added to the environment of the command."),
            Key.of(
                            "foreground",
                            Shape.flag(),
                            "false: the command returns when it has started the gateway; then stop is required.")
                    .otherwise(true));
    private static final Shape.Keys CONTAINER = ContainerKeys.KEYS.and(
            Key.of("command", COMMAND, "Command run in the container, as a list of its words; else that of the image."),
            Key.of("environment", VARIABLES, "Variables of the container."),
            Key.of(
                    ContainerKeys.PUBLISH,
                    ContainerKeys.PORT,
                    "Port of the container that is reached at {gateway-address}:{gateway-port}; else the container"
                            + " has the host's network."));
    private static final Shape.Keys READY = Shape.keys(
            Key.of("url", Shape.text(), "URL, or path at the gateway, that answers a GET with the status."),
            Key.of("status", STATUS, "Status by which the gateway is ready.").otherwise(200),
            Key.of("command", COMMAND, "Command that ends with exit code 0 when the gateway is ready; instead of url."),
            Key.of("timeout", Shape.duration("s"), "How long to wait for it.").otherwise("30s"));
    private static final Shape.Keys JWT = Shape.keys(
            Key.of("audience", Shape.text(), "aud of the JWTs (RS256) that are made.")
                    .otherwise(AUDIENCE),
            Key.of("issuer", Shape.text(), "iss of the JWTs."),
            Key.of("signing-key", Shape.text(), "PEM file of an RSA private key; else each run makes a key."),
            Key.of("count", POOL, "How many JWTs are made.").otherwise(TOKENS));
    static final Shape.Keys CHECK = Shape.keys(
            Key.of("status", STATUS, "Status of a response that counts as a success.")
                    .otherwise(200),
            Key.of("contains", Shape.text(), "Text in the body; {size} stands for the message size."),
            Key.of("same-length", Shape.flag(), "true: the body is as long as the request's, which is an echo.")
                    .otherwise(false),
            Key.of("no-graphql-errors", Shape.flag(), "true: the body has no GraphQL errors.")
                    .otherwise(false),
            Key.of("body", BODY, "What the whole body is held to: echo with same-length, else any."));
    private static final Shape.Keys PROBE = Shape.keys(
            Key.required("name", Shape.text(), "What messages call the probe."),
            Key.of("token", PROBE_TOKEN, "Which bearer token is sent.").otherwise("valid"),
            Key.of("headers", HEADERS, "Headers beside those of the scenario."),
            Key.of("body", Shape.text(), "Body of the request."),
            Key.of("status", Shape.either(STATUS, Shape.list(STATUS)), "Right statuses of the response."),
            Key.of("contains", Shape.text(), "Text that a right response has in its body."));
    private static final Shape.Keys SCENARIO = Shape.keys(
            Key.required("name", NAMED, "Name of the scenario, which names a directory."),
            Key.of("display-name", Shape.text(), "Name in the report; else the name."),
            Key.of("description", Shape.text(), "What the scenario does, for the report; else the name."),
            Key.of(
                    "url",
                    Shape.text(),
                    "Path below the url of the gateway, or a whole URL; required without steps and routes."),
            Key.of("method", METHODS, "POST, or GET without a payload."),
            Key.of("headers", HEADERS, "Headers of each request; results show *** where a name looks like a secret."),
            Key.of("payload", PAYLOAD, "What each request sends.").otherwise("json-array"),
            Key.of("token", TOKEN, "Bearer token that each request sends.").otherwise("none"),
            Key.of("check", CHECK, "What a response must be to count as a success."),
            Key.of(
                    "probes",
                    Shape.list(PROBE),
                    "Requests before the load, of which a wrong response fails the case; else those that the token"
                            + " calls for."),
            StepKeys.STEPS_KEY,
            Key.of("routes", Shape.filledList(StepKeys.ROUTE), "Requests or steps that users choose by their weights."),
            Key.of(
                    "data",
                    Shape.either(Shape.text(), StepKeys.DATA),
                    "CSV file whose first row names the variables and of which users take a row each time."),
            StepKeys.BODY,
            StepKeys.BODY_FILE);

    /** Everything that may stand in a gateway configuration. */
    static final Shape.Keys KEYS = Shape.keys(
            Key.required("name", Shape.text(), "What title and columns of the report call the gateway."),
            Key.of("version", Shape.text(), "Version of the gateway, for the report."),
            Key.of("url", Shape.text(), "Base URL: scheme, host, port, and a path if all scenarios share one."),
            Key.of("port", PORT, "What {gateway-port} stands for; else a free one."),
            Key.of(
                    "files",
                    VARIABLES,
                    "File name in the gateway's directory: template whose placeholders are replaced before each"
                            + " start."),
            Key.of(
                    "prepare",
                    Shape.list(COMMAND),
                    "Commands that are run to their end before each start, in the gateway's directory."),
            Key.of(
                    "start",
                    Shape.either(COMMAND, START),
                    "Command that starts the gateway, as a list of its words or a mapping; else it runs already."),
            Key.of("container", CONTAINER, "Container that the gateway is run in, in place of start."),
            Key.of(
                    "stop",
                    COMMAND,
                    "Command that ends the gateway, run in its directory; else it gets the signal TERM."),
            Key.of("ready", READY, "By what the gateway is known to be ready; else its port takes connections."),
            Key.of(
                    "gc-log",
                    Shape.text(),
                    "Path of the GC log of a JVM; a relative one lies in the gateway's directory."),
            Key.of(
                    "tokens",
                    Shape.keys(
                            Key.of("jwt", JWT, "JWTs that are made for the run."),
                            Key.of("file", Shape.text(), "File with one token per line, made elsewhere.")),
                    "Where the bearer tokens of scenarios come from."),
            Key.of(
                            "uses-backend",
                            Shape.flag(),
                            "false: responses do not come from the back end of the run, whose counts are then not held"
                                    + " to the load.")
                    .otherwise(true),
            Key.required("scenarios", Shape.filledList(SCENARIO), "What is asked of the gateway."));

    private final Path file;
    private final List<String> problems = new ArrayList<>();

    private HttpGatewayFile(Path file) {
        this.file = file;
    }

    /** A URL in its two parts: scheme with host and port, and the path. */
    private record Address(String base, String path) {

        private boolean tls() {
            return base.startsWith("https");
        }
    }

    /**
     * Reads a file.
     *
     * @throws PlanException with file and line of every problem
     */
    static HttpGatewayConfig read(Path file) {
        return new HttpGatewayFile(file).read();
    }

    private HttpGatewayConfig read() {
        ConfigNode root = ConfigNode.read(file, "gateway configuration", KEYS, problems);
        Map<String, ConfigNode> keys = root.mapping();
        Optional<String> name = value(keys, "name").flatMap(ConfigNode::text);
        Optional<Address> url = value(keys, "url", HttpGatewayFile::address);
        Optional<HttpGatewayConfig.Start> start = value(keys, "start").map(this::start);
        if (keys.containsKey("container")) {
            if (start.isPresent()) {
                keys.get("container").problem("cannot stand beside start: its command is run in the container");
            }
            start = Optional.of(container(keys.get("container")));
        }
        Optional<String> gcLog = value(keys, "gc-log", HttpGatewayFile::inside);
        if (gcLog.isPresent() && !start.map(HttpGatewayConfig.Start::foreground).orElse(false)) {
            keys.get("gc-log")
                    .problem("needs a start in the foreground: only then does the log cover one case and no other");
        }
        List<String> stop = value(keys, "stop").map(this::command).orElse(List.of());
        if (start.isPresent() && !start.get().foreground() && stop.isEmpty()) {
            keys.get("start").problem("with foreground: false needs the key stop: the command that ends the gateway");
        }
        if (start.isEmpty()) {
            if (url.isPresent() && Placeholders.uses(url.get().base(), Placeholders.GATEWAY_PORT)) {
                keys.get("url").problem("uses {gateway-port}, which only a gateway with the key start has");
            }
            for (String key : List.of("stop", "prepare", "files", "port")) {
                value(keys, key).ifPresent(n -> n.problem("needs the key start: without it the gateway runs already"));
            }
        }
        Optional<HttpGatewayConfig.Jwt> jwt = Optional.empty();
        Optional<Path> tokenFile = Optional.empty();
        if (keys.containsKey("tokens")) {
            Map<String, ConfigNode> tokens = keys.get("tokens").mapping();
            jwt = value(tokens, "jwt").map(this::jwt);
            tokenFile = value(tokens, "file", this::tokens);
        }
        List<HttpGatewayConfig.Served> scenarios = scenarios(root, keys, url.orElse(null), jwt, tokenFile);
        HttpGatewayConfig config = new HttpGatewayConfig(
                file,
                name.orElse(""),
                value(keys, "version").flatMap(ConfigNode::text),
                value(keys, "port", PORT).map(OptionalInt::of).orElseGet(OptionalInt::empty),
                files(keys),
                value(keys, "prepare").map(this::commands).orElse(List.of()),
                start,
                stop,
                value(keys, "ready")
                        .map(this::ready)
                        .orElse(new HttpGatewayConfig.Ready(Optional.empty(), 200, List.of(), READY_TIMEOUT)),
                gcLog,
                jwt,
                tokenFile,
                value(keys, "uses-backend", Shape.flag()).orElse(true),
                scenarios);
        if (!problems.isEmpty()) {
            throw new PlanException(problems);
        }
        return config;
    }

    private HttpGatewayConfig.Start start(ConfigNode node) {
        if (!node.isMapping()) {
            return new HttpGatewayConfig.Start(command(node), Map.of(), true, Optional.empty());
        }
        Map<String, ConfigNode> keys = node.mapping();
        return new HttpGatewayConfig.Start(
                value(keys, "command").map(this::command).orElse(List.of()),
                value(keys, "environment").map(HttpGatewayFile::environment).orElse(Map.of()),
                value(keys, "foreground", Shape.flag()).orElse(true),
                Optional.empty());
    }

    private HttpGatewayConfig.Start container(ConfigNode node) {
        Map<String, ConfigNode> keys = node.mapping();
        return new HttpGatewayConfig.Start(
                value(keys, "command").map(this::command).orElse(List.of()),
                value(keys, "environment").map(HttpGatewayFile::environment).orElse(Map.of()),
                true,
                Optional.of(ContainerKeys.read(node, keys, this::existing)));
    }

    private static Map<String, String> environment(ConfigNode node) {
        Map<String, String> variables = new LinkedHashMap<>();
        node.freeMapping()
                .forEach((name, value) ->
                        value.parsed(Placeholders::check).ifPresent(text -> variables.put(name, text)));
        return variables;
    }

    private List<List<String>> commands(ConfigNode node) {
        return node.items().stream().map(this::command).toList();
    }

    private List<String> command(ConfigNode node) {
        if (!node.isList()) {
            node.problem("must be a command as a list of its words, e.g. [nginx, -g, daemon off;];"
                    + " for a shell write [sh, -c, ...]");
            return List.of();
        }
        return node.items().stream()
                .flatMap(word -> word.parsed(Placeholders::check).stream())
                .toList();
    }

    private HttpGatewayConfig.Ready ready(ConfigNode node) {
        Map<String, ConfigNode> keys = node.mapping();
        if (keys.containsKey("url") && keys.containsKey("command")) {
            node.problem("must have url or command, not both");
        }
        if (keys.containsKey("status") && !keys.containsKey("url")) {
            node.problem("has a status but no url that could answer with it");
        }
        return new HttpGatewayConfig.Ready(
                value(keys, "url", text -> {
                    Placeholders.check(text);
                    if (!URL.matcher(text).matches() && !PATH.matcher(text).matches()) {
                        throw new IllegalArgumentException("must be a URL or a path that begins with / but was '"
                                + SecretHeaders.withoutUser(text) + "'");
                    }
                    return text;
                }),
                value(keys, "status", STATUS).orElse(200),
                value(keys, "command").map(this::command).orElse(List.of()),
                value(keys, "timeout", Shape.duration("s")).orElse(READY_TIMEOUT));
    }

    private HttpGatewayConfig.Jwt jwt(ConfigNode node) {
        Map<String, ConfigNode> keys = node.mapping();
        return new HttpGatewayConfig.Jwt(
                value(keys, "audience").flatMap(ConfigNode::text).orElse(AUDIENCE),
                value(keys, "issuer").flatMap(ConfigNode::text),
                value(keys, "signing-key", this::existing),
                value(keys, "count", POOL).orElse(TOKENS));
    }

    private Map<String, Path> files(Map<String, ConfigNode> keys) {
        Map<String, Path> files = new LinkedHashMap<>();
        if (keys.containsKey("files")) {
            keys.get("files").freeMapping().forEach((target, source) -> {
                if (!NAME.matcher(target).matches()) {
                    source.problem("must be a plain file name: files are put into the gateway's own directory");
                }
                source.parsed(this::existing).ifPresent(path -> files.put(target, path));
            });
        }
        return files;
    }

    Path existing(String text) {
        Path path = file.toAbsolutePath().normalize().getParent().resolve(text).normalize();
        if (!Files.isReadable(path) || Files.isDirectory(path)) {
            throw new IllegalArgumentException("names the file " + path + ", which cannot be read");
        }
        return path;
    }

    /** Reads the tokens, as a run would only do when it has begun. */
    private Path tokens(String text) {
        Path path = existing(text);
        try {
            TokenPool.readCsv(path);
        } catch (LoadException e) {
            throw new IllegalArgumentException("names tokens that cannot be used: " + e.getMessage(), e);
        }
        return path;
    }

    private List<HttpGatewayConfig.Served> scenarios(
            ConfigNode root,
            Map<String, ConfigNode> keys,
            @Nullable Address url,
            Optional<HttpGatewayConfig.Jwt> jwt,
            Optional<Path> tokenFile) {
        List<HttpGatewayConfig.Served> scenarios = new ArrayList<>();
        Set<String> names = new LinkedHashSet<>();
        Optional<ConfigNode> list = value(keys, "scenarios");
        if (list.isEmpty()) {
            return scenarios;
        }
        for (ConfigNode item : list.get().items()) {
            scenario(item, url, jwt, tokenFile, keys.containsKey("url")).ifPresent(served -> {
                if (!names.add(served.scenario().name())) {
                    item.problem("has the name '" + served.scenario().name() + "' twice");
                }
                scenarios.add(served);
            });
        }
        return scenarios;
    }

    private Optional<HttpGatewayConfig.Served> scenario(
            ConfigNode node,
            @Nullable Address gateway,
            Optional<HttpGatewayConfig.Jwt> jwt,
            Optional<Path> tokenFile,
            boolean gatewayHasUrl) {
        int before = problems.size();
        Map<String, ConfigNode> keys = node.mapping();
        Optional<String> name = value(keys, "name").flatMap(ConfigNode::text);
        if (StepKeys.OF_SCENARIO.stream().anyMatch(keys::containsKey)) {
            return stepped(node, keys, name, gateway, jwt, tokenFile, gatewayHasUrl, before);
        }
        if (!keys.containsKey("url")) {
            node.problem("needs the key 'url', or steps or routes that have one each");
        }
        Optional<String> url = value(keys, "url", Placeholders::check);
        PayloadKind payload = value(keys, "payload", PAYLOAD).orElse(PayloadKind.JSON_ARRAY);
        TokenKind token = token(keys, jwt, tokenFile);
        ResponseCheck check = value(keys, "check").map(HttpGatewayFile::check).orElse(ResponseCheck.ok());
        String method =
                value(keys, "method").flatMap(ConfigNode::text).orElse(payload == PayloadKind.NONE ? "GET" : "POST");
        Map<String, String> headers = value(keys, "headers").map(this::headers).orElse(Map.of());
        List<Probe> probes = probes(keys, token);
        Optional<Address> address = url.flatMap(text -> resolve(text, gateway, gatewayHasUrl, keys.get("url")));
        if (problems.size() > before || name.isEmpty() || address.isEmpty()) {
            return Optional.empty();
        }
        TestScenario scenario = new TestScenario(
                name.get(),
                value(keys, "display-name").flatMap(ConfigNode::text).orElse(name.get()),
                value(keys, "description").flatMap(ConfigNode::text).orElse(name.get()),
                address.get().tls(),
                method,
                address.get().path(),
                headers,
                payload,
                token,
                check,
                probes);
        return Optional.of(new HttpGatewayConfig.Served(
                scenario, address.get().base(), !url.orElseThrow().startsWith("/")));
    }

    private static TokenKind token(
            Map<String, ConfigNode> keys, Optional<HttpGatewayConfig.Jwt> jwt, Optional<Path> tokenFile) {
        TokenKind token = value(keys, "token", TOKEN).orElse(TokenKind.NONE);
        if (token == TokenKind.JWT && jwt.isEmpty()) {
            keys.get("token").problem("is jwt, but tokens has no jwt that says how to make them");
        }
        if (token == TokenKind.OPAQUE && tokenFile.isEmpty()) {
            keys.get("token").problem("is file, but tokens has no file to take them from");
        }
        return token;
    }

    private List<Probe> probes(Map<String, ConfigNode> keys, TokenKind token) {
        return value(keys, "probes")
                .map(n -> n.items().stream().map(p -> probe(p, token)).toList())
                .orElseGet(() -> Refusals.of(token));
    }

    /** A scenario whose users do not send one request again and again. */
    private Optional<HttpGatewayConfig.Served> stepped(
            ConfigNode node,
            Map<String, ConfigNode> keys,
            Optional<String> name,
            @Nullable Address gateway,
            Optional<HttpGatewayConfig.Jwt> jwt,
            Optional<Path> tokenFile,
            boolean gatewayHasUrl,
            int before) {
        if (!gatewayHasUrl) {
            node.problem("needs the key url of the gateway, below which its requests are");
        }
        TokenKind token = token(keys, jwt, tokenFile);
        boolean several = keys.containsKey("steps") || keys.containsKey("routes");
        if (several) {
            StepKeys.OF_REQUEST.stream()
                    .filter(keys::containsKey)
                    .forEach(key ->
                            keys.get(key).problem("belongs to one request: it cannot stand beside steps or routes"));
        }
        Map<String, String> common =
                several ? value(keys, "headers").map(n -> headers(n, true)).orElse(Map.of()) : Map.of();
        StepKeys reader = new StepKeys(this, gateway == null ? "" : gateway.path(), common, token != TokenKind.NONE);
        Optional<ScenarioSteps> steps = reader.read(node, keys, name.orElse(""));
        List<Probe> probes = probes(keys, token);
        if (problems.size() > before || steps.isEmpty() || name.isEmpty() || gateway == null) {
            return Optional.empty();
        }
        boolean generated = steps.get().all().stream()
                .flatMap(step -> step.body().stream())
                .anyMatch(body -> Template.of(body).names().contains(ScenarioSteps.PAYLOAD));
        if (!generated && keys.containsKey("payload")) {
            keys.get("payload").problem("has no use: no body holds ${payload}");
        }
        PayloadKind payload =
                !generated ? PayloadKind.NONE : value(keys, "payload", PAYLOAD).orElse(PayloadKind.JSON_ARRAY);
        ScenarioSteps.Step first = steps.get().all().get(0);
        TestScenario scenario = new TestScenario(
                name.get(),
                value(keys, "display-name").flatMap(ConfigNode::text).orElse(name.get()),
                value(keys, "description").flatMap(ConfigNode::text).orElse(name.get()),
                gateway.tls(),
                first.method(),
                first.path(),
                first.headers(),
                payload,
                token,
                first.check(),
                probes,
                steps);
        return Optional.of(new HttpGatewayConfig.Served(scenario, gateway.base(), false));
    }

    private static Optional<Address> resolve(
            String text, @Nullable Address gateway, boolean gatewayHasUrl, ConfigNode node) {
        if (!PATH.matcher(text).matches()) {
            return node.parsed(HttpGatewayFile::address);
        }
        if (gateway == null) {
            if (!gatewayHasUrl) {
                node.problem("is a path: it needs the key url of the gateway, or must be a whole URL itself");
            }
            return Optional.empty();
        }
        return node.parsed(path -> pathOnly(new Address(gateway.base(), gateway.path() + path)));
    }

    private static Address address(String text) {
        Placeholders.check(text);
        Matcher matcher = URL.matcher(text);
        if (!matcher.matches() || matcher.group(2).contains("@")) {
            throw new IllegalArgumentException("must be a URL such as http://127.0.0.1:8080/echo, or a path, but was '"
                    + SecretHeaders.withoutUser(text) + "'");
        }
        String path = matcher.group(3) == null ? "" : matcher.group(3);
        return pathOnly(new Address(matcher.group(1) + "://" + matcher.group(2), path.replaceFirst("/$", "")));
    }

    private static Address pathOnly(Address address) {
        if (address.path().contains("{")) {
            throw new IllegalArgumentException(
                    "can have placeholders in host and port only but its path is '" + address.path() + "'");
        }
        return address.path().isEmpty() ? new Address(address.base(), "") : address;
    }

    static ResponseCheck check(ConfigNode node) {
        Map<String, ConfigNode> keys = node.mapping();
        ResponseCheck check = new ResponseCheck(
                value(keys, "status", STATUS).orElse(200),
                value(keys, "contains").flatMap(ConfigNode::text),
                value(keys, "same-length", Shape.flag()).orElse(false),
                value(keys, "no-graphql-errors", Shape.flag()).orElse(false));
        return value(keys, "body", BODY)
                .map(form -> check.withBody(new ResponseCheck.Body(form, 0)))
                .orElse(check);
    }

    /** A log elsewhere would be somebody else's, and is copied into the results. */
    private static String inside(String text) {
        Placeholders.check(text);
        if (List.of(text.split("/")).contains("..")) {
            throw new IllegalArgumentException(
                    "must lie in the gateway's directory, or be an absolute path without '..', but was '" + text + "'");
        }
        return text;
    }

    private Map<String, String> headers(ConfigNode node) {
        return headers(node, false);
    }

    /**
     * Reads headers.
     *
     * @param ofSteps whether {@code ${name}} in them stands for a value; secrets that lie elsewhere hold none
     */
    Map<String, String> headers(ConfigNode node, boolean ofSteps) {
        Map<String, String> headers = new LinkedHashMap<>();
        node.freeMapping().forEach((name, value) -> {
            if (!HEADER.matcher(name).matches()) {
                value.problem("is no name of an HTTP header");
            } else if (name.equalsIgnoreCase("Authorization")
                    && !(ofSteps
                            && !value.isMapping()
                            && value.text().orElse("").contains("${"))) {
                value.problem("cannot be a header here, where reports would show it; use tokens: file");
            } else if (value.isMapping()) {
                secret(name, value)
                        .map(text -> ofSteps ? Template.escaped(text) : text)
                        .ifPresent(text -> headers.put(name, text));
            } else {
                value.parsed(HttpGatewayFile::headerValue).ifPresent(text -> headers.put(name, text));
            }
        });
        return headers;
    }

    /** The value of a header that lies elsewhere: in the first line of a file, or in an environment variable. */
    private Optional<String> secret(String name, ConfigNode node) {
        Map<String, ConfigNode> keys = node.mapping();
        if (keys.size() != 1) {
            node.problem("must have exactly one of file and env, which says where its value lies");
            return Optional.empty();
        }
        if (!SecretHeaders.isSecret(name)) {
            node.problem("is no name that results hide, so that its value would stand there; write it here in plain, or"
                    + " give the header a name with key, token or secret in it");
            return Optional.empty();
        }
        return value(keys, "file", text -> headerValue(firstLine(existing(text))))
                .or(() -> value(keys, "env", text -> headerValue(variable(text))));
    }

    private static String firstLine(Path file) {
        try {
            String line = SecretFile.firstLine(file);
            if (!line.isEmpty()) {
                return line;
            }
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "names the file " + file + ", which cannot be read: " + FileProblem.of(e), e);
        }
        throw new IllegalArgumentException("names the file " + file + ", whose first line is empty");
    }

    private static String variable(String name) {
        String value = System.getenv(name);
        if (value == null || value.isEmpty()) {
            throw new IllegalArgumentException("names the environment variable " + name + ", which is not set");
        }
        return value;
    }

    private static String headerValue(String text) {
        if (text.chars().anyMatch(c -> c < ' ' && c != '\t' || c == 127)) {
            throw new IllegalArgumentException("must be one line without control characters");
        }
        return text;
    }

    private Probe probe(ConfigNode node, TokenKind scenarioToken) {
        Map<String, ConfigNode> keys = node.mapping();
        String name = value(keys, "name").flatMap(ConfigNode::text).orElse("");
        Probe.Token token = value(keys, "token", PROBE_TOKEN).orElse(Probe.Token.VALID);
        boolean made = token == Probe.Token.EXPIRED || token == Probe.Token.WRONG_AUDIENCE;
        if (made && scenarioToken != TokenKind.JWT || token == Probe.Token.FOREIGN && scenarioToken == TokenKind.NONE) {
            keys.get("token").problem("cannot be made: it needs a scenario whose token is jwt");
        }
        Set<Integer> statuses = new LinkedHashSet<>();
        Optional<ConfigNode> status = value(keys, "status");
        if (status.isPresent()) {
            List<ConfigNode> all = status.get().isList() ? status.get().items() : List.of(status.get());
            all.forEach(n -> n.parsed(STATUS).ifPresent(statuses::add));
        }
        Optional<String> contains = value(keys, "contains").flatMap(ConfigNode::text);
        if (statuses.isEmpty() && contains.isEmpty()) {
            node.problem("must say what is a right response: status, contains or both");
        }
        return new Probe(
                name,
                token,
                value(keys, "headers").map(this::headers).orElse(Map.of()),
                statuses,
                contains,
                value(keys, "body").flatMap(ConfigNode::text));
    }

    private static String name(TokenKind token) {
        return token == TokenKind.OPAQUE ? "file" : token.name().toLowerCase(Locale.ROOT);
    }
}
