/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways.http;

import static io.gatebench.settings.ConfigNode.value;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

import com.fasterxml.jackson.core.JsonPointer;
import org.jspecify.annotations.Nullable;

import io.gatebench.load.engine.http.HttpRequestHead;
import io.gatebench.load.engine.steps.DataFile;
import io.gatebench.load.engine.steps.Template;
import io.gatebench.model.ResponseCheck;
import io.gatebench.model.ScenarioSteps;
import io.gatebench.model.ScenarioSteps.Route;
import io.gatebench.model.ScenarioSteps.Step;
import io.gatebench.model.ScenarioSteps.Value;
import io.gatebench.settings.ConfigNode;
import io.gatebench.settings.FileProblem;
import io.gatebench.settings.Key;
import io.gatebench.settings.Shape;
import io.gatebench.settings.Suggestion;

/** The keys by which a scenario says that its users send more than one request again and again. */
final class StepKeys {

    private static final int MAX_WEIGHT = 1_000_000;

    /** Keys of a scenario that make it one of steps. */
    static final List<String> OF_SCENARIO = List.of("steps", "routes", "data", "body", "body-file");
    /** Keys that belong to one request, and so stand in a step where there are steps. */
    static final List<String> OF_REQUEST = List.of("url", "method", "body", "body-file", "check");

    static final Key BODY = Key.of(
            "body", Shape.text(), "Body of the request; ${name} stands for a value, ${payload} for the message.");
    static final Key BODY_FILE = Key.of("body-file", Shape.text(), "File with the body, in place of body.");
    static final Shape.Keys DATA = Shape.keys(
            Key.required("file", Shape.text(), "CSV file whose first row names the variables."),
            Key.of("unique", Shape.flag(), "true: no two users ever send the same row.")
                    .otherwise(false));
    private static final Shape.Keys VALUE = Shape.keys(
            Key.of("json", Shape.text(), "JSON pointer to the value in the body, e.g. /order/id."),
            Key.of("header", Shape.text(), "Header that holds the value."),
            Key.of(
                    "regex",
                    Shape.text(),
                    "Regular expression whose first group is the value, in the body or in what json"
                            + " or header gives."));
    private static final String PATH_SAYS = "Path below the url of the gateway.";
    private static final List<Key> REQUEST = List.of(
            Key.of("method", HttpGatewayFile.METHODS, "POST, or GET without a body."),
            Key.of("headers", HttpGatewayFile.HEADERS, "Headers beside those of the scenario."),
            BODY,
            BODY_FILE,
            Key.of("check", HttpGatewayFile.CHECK, "What a response must be to count as a success."),
            Key.of("extract", new Shape.Names(VALUE), "Variable: where in the response its value lies."));
    static final Key STEPS_KEY = Key.of(
            "steps",
            Shape.filledList(Shape.keys(
                            Key.required("name", HttpGatewayFile.NAMED, "Label of the step's samples."),
                            Key.required("url", Shape.text(), PATH_SAYS))
                    .and(REQUEST.toArray(new Key[0]))),
            "Requests that a user sends one after the other.");
    static final Shape.Keys ROUTE = Shape.keys(
                    Key.required("name", HttpGatewayFile.NAMED, "What the report calls the route."),
                    Key.of("weight", Shape.number(1, MAX_WEIGHT), "How often the route is taken, beside the others.")
                            .otherwise(1),
                    STEPS_KEY,
                    Key.of("url", Shape.text(), PATH_SAYS))
            .and(REQUEST.toArray(new Key[0]));

    private static final long MAX_BODY_BYTES = 1 << 20;
    private static final List<String> OWN_VARIABLES = List.of(ScenarioSteps.PAYLOAD, "message");
    private static final Pattern PATH = Pattern.compile("/[^#\\s]*");

    private final HttpGatewayFile file;
    private final Set<String> labels = new HashSet<>();
    private final Map<String, String> common;
    private final String base;
    private final boolean withToken;

    /**
     * Creates a reader of one scenario.
     *
     * @param base the path of the gateway's URL
     * @param common headers of all steps
     * @param withToken whether every request carries a token of its own
     */
    StepKeys(HttpGatewayFile file, String base, Map<String, String> common, boolean withToken) {
        this.file = file;
        this.base = base;
        this.common = common;
        this.withToken = withToken;
    }

    /** Returns the steps; what is wrong becomes a problem of its node. */
    Optional<ScenarioSteps> read(ConfigNode node, Map<String, ConfigNode> keys, String name) {
        Optional<ScenarioSteps.Data> data = value(keys, "data").flatMap(this::data);
        Set<String> columns = new LinkedHashSet<>(OWN_VARIABLES);
        Optional<DataFile> rows = data.flatMap(d -> rows(keys.get("data"), d.file()));
        rows.ifPresent(r -> columns.addAll(r.columns()));
        List<Route> routes = new ArrayList<>();
        if (keys.containsKey("steps") && keys.containsKey("routes")) {
            node.problem("must have steps or routes, not both; a route can have steps");
        } else if (keys.containsKey("routes")) {
            keys.get("routes").items().forEach(route -> route(route, columns).ifPresent(routes::add));
        } else if (keys.containsKey("steps")) {
            steps(keys.get("steps"), columns).ifPresent(steps -> routes.add(new Route(name, 1, steps)));
        } else {
            requireUrl(node, keys);
            step(node, keys, name, new HashSet<>(columns))
                    .ifPresent(step -> routes.add(new Route(name, 1, List.of(step))));
        }
        rows.ifPresent(r -> checkHeaders(keys.get("data"), r, routes));
        return routes.isEmpty() ? Optional.empty() : Optional.of(new ScenarioSteps(routes, data));
    }

    private Optional<ScenarioSteps.Data> data(ConfigNode node) {
        if (!node.isMapping()) {
            return node.parsed(file::existing).map(path -> new ScenarioSteps.Data(path, false));
        }
        Map<String, ConfigNode> keys = node.mapping();
        boolean unique = value(keys, "unique", Shape.flag()).orElse(false);
        return value(keys, "file", file::existing).map(path -> new ScenarioSteps.Data(path, unique));
    }

    private static Optional<DataFile> rows(ConfigNode node, Path path) {
        try {
            return Optional.of(DataFile.read(path));
        } catch (IllegalArgumentException e) {
            node.problem(String.valueOf(e.getMessage()));
            return Optional.empty();
        }
    }

    /** A value with a line break in a header would be further headers, or another request. */
    private static void checkHeaders(ConfigNode node, DataFile rows, List<Route> routes) {
        Set<String> used = new HashSet<>();
        routes.stream()
                .flatMap(route -> route.steps().stream())
                .flatMap(step -> step.headers().values().stream())
                .forEach(value -> used.addAll(Template.of(value).names()));
        for (int column = 0; column < rows.columns().size(); column++) {
            for (int row = 0;
                    used.contains(rows.columns().get(column))
                            && row < rows.rows().size();
                    row++) {
                if (!HttpRequestHead.canHold(rows.rows().get(row).get(column))) {
                    node.problem("has a value in row " + (row + 1) + " of column "
                            + rows.columns().get(column) + " that no header can hold, where a step sends it in one");
                    return;
                }
            }
        }
    }

    private Optional<Route> route(ConfigNode node, Set<String> columns) {
        Map<String, ConfigNode> keys = node.mapping();
        Optional<String> name = value(keys, "name", HttpGatewayFile.NAMED);
        int weight = value(keys, "weight", Shape.number(1, MAX_WEIGHT)).orElse(1);
        Optional<List<Step>> steps;
        if (keys.containsKey("steps")) {
            keys.keySet().stream()
                    .filter(key -> !List.of("name", "weight", "steps").contains(key))
                    .forEach(key -> keys.get(key).problem("belongs to one request: it cannot stand beside steps"));
            steps = steps(keys.get("steps"), columns);
        } else {
            requireUrl(node, keys);
            steps = step(node, keys, name.orElse(""), new HashSet<>(columns)).map(List::of);
        }
        return name.flatMap(n -> steps.map(s -> new Route(n, weight, s)));
    }

    /** The url of what may have steps in its place, where there are none. */
    private static void requireUrl(ConfigNode node, Map<String, ConfigNode> keys) {
        if (!keys.containsKey("url")) {
            node.problem("needs the key 'url', the path of the request, or steps");
        }
    }

    private Optional<List<Step>> steps(ConfigNode node, Set<String> columns) {
        Set<String> known = new LinkedHashSet<>(columns);
        List<Step> steps = new ArrayList<>();
        for (ConfigNode item : node.items()) {
            Map<String, ConfigNode> keys = item.mapping();
            String name = value(keys, "name", HttpGatewayFile.NAMED).orElse("");
            step(item, keys, name, known).ifPresent(steps::add);
        }
        return steps.isEmpty() ? Optional.empty() : Optional.of(steps);
    }

    /** Reads one request; {@code known} gets the values that are taken from its answer. */
    private Optional<Step> step(ConfigNode node, Map<String, ConfigNode> keys, String name, Set<String> known) {
        if (!name.isEmpty() && !labels.add(name)) {
            node.problem("has the name '" + name + "', which another step of the scenario has");
        }
        Optional<String> path = value(keys, "url", this::path);
        Optional<String> body = body(node, keys);
        ResponseCheck check = value(keys, "check").map(HttpGatewayFile::check).orElse(ResponseCheck.ok());
        ResponseCheck.Body.Form form = check.body().form();
        if (form != ResponseCheck.Body.Form.ANY && form != ResponseCheck.Body.Form.ECHO) {
            keys.get("check").problem("of a step can have body: any or echo only");
        }
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        headers.putAll(common);
        value(keys, "headers").map(n -> file.headers(n, true)).ifPresent(headers::putAll);
        if (withToken && headers.containsKey("Authorization")) {
            node.problem("has a header Authorization beside the token of the scenario; drop one of them");
        }
        path.ifPresent(text -> checkNames(keys.get("url"), text, known));
        body.ifPresent(
                text -> checkNames(keys.getOrDefault("body", keys.getOrDefault("body-file", node)), text, known));
        headers.values().forEach(text -> checkNames(keys.getOrDefault("headers", node), text, known));
        check.contains().ifPresent(text -> checkNames(keys.get("check"), text, known));
        List<Value> values = value(keys, "extract").map(n -> values(n, known)).orElse(List.of());
        return path.map(text -> new Step(
                name,
                value(keys, "method", HttpGatewayFile.METHODS).orElse(body.isPresent() ? "POST" : "GET"),
                text,
                headers,
                body,
                check,
                values));
    }

    private String path(String text) {
        if (!PATH.matcher(text).matches()) {
            throw new IllegalArgumentException(
                    "must be a path such as /orders/${id}, below the url of the gateway, but was '" + text + "'");
        }
        return base + text;
    }

    private Optional<String> body(ConfigNode node, Map<String, ConfigNode> keys) {
        if (keys.containsKey("body") && keys.containsKey("body-file")) {
            node.problem("must have body or body-file, not both");
        }
        return value(keys, "body").flatMap(ConfigNode::text).or(() -> value(keys, "body-file", this::bodyFile));
    }

    private String bodyFile(String text) {
        Path path = file.existing(text);
        try {
            if (Files.size(path) > MAX_BODY_BYTES) {
                throw new IllegalArgumentException("names the file " + path + ", which is larger than 1 MiB");
            }
            return Files.readString(path);
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("names the file " + path + ", which is no text in UTF-8", e);
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "names the file " + path + ", which cannot be read: " + FileProblem.of(e), e);
        }
    }

    private static void checkNames(@Nullable ConfigNode node, String text, Set<String> known) {
        if (node == null) {
            return;
        }
        try {
            for (String name : Template.of(text).names()) {
                if (!known.contains(name)) {
                    node.problem(
                            "uses ${" + name + "}, which neither a column of the data nor an earlier step of the same"
                                    + " route gives" + Suggestion.among(name, List.copyOf(known)));
                }
            }
        } catch (IllegalArgumentException e) {
            node.problem(String.valueOf(e.getMessage()));
        }
    }

    private static List<Value> values(ConfigNode node, Set<String> known) {
        List<Value> values = new ArrayList<>();
        Map<String, ConfigNode> names = new LinkedHashMap<>(node.freeMapping());
        names.forEach((name, place) -> {
            if (!Template.NAME.matcher(name).matches() || OWN_VARIABLES.contains(name)) {
                place.problem("cannot be the name of a value: letters, digits, '_', '.' and '-', and neither of "
                        + String.join(", ", OWN_VARIABLES));
                return;
            }
            extracted(name, place).ifPresent(values::add);
            known.add(name);
        });
        return values;
    }

    private static Optional<Value> extracted(String name, ConfigNode node) {
        Map<String, ConfigNode> keys = node.mapping();
        if (keys.isEmpty() || keys.containsKey("json") && keys.containsKey("header")) {
            node.problem(
                    "must say where the value lies: json (a JSON pointer), header (a name) or regex, or regex beside"
                            + " one of the others");
            return Optional.empty();
        }
        Optional<String> pattern = value(keys, "regex", StepKeys::regex);
        if (keys.containsKey("json")) {
            // The pointer to the whole document is the empty text.
            return keys.get("json")
                    .parsed(StepKeys::pointer)
                    .map(place -> new Value(name, Value.Source.JSON, place, pattern));
        }
        if (keys.containsKey("header")) {
            return keys.get("header").text().map(place -> new Value(name, Value.Source.HEADER, place, pattern));
        }
        return pattern.map(text -> new Value(name, Value.Source.BODY, "", pattern));
    }

    private static String pointer(String text) {
        try {
            JsonPointer.compile(text);
            return text;
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "must be a JSON pointer such as /order/id or /items/0/id but was '" + text + "'", e);
        }
    }

    private static String regex(String text) {
        try {
            Pattern.compile(text);
            return text;
        } catch (PatternSyntaxException e) {
            throw new IllegalArgumentException(
                    "must be a regular expression: " + e.getDescription() + " in '" + text + "'", e);
        }
    }
}
