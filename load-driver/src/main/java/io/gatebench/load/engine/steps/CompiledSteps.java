/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.engine.steps;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

import io.gatebench.load.engine.http.HttpRequestHead;
import io.gatebench.load.engine.http.HttpTarget;
import io.gatebench.model.PayloadKind;
import io.gatebench.model.ResponseCheck;
import io.gatebench.model.ScenarioSteps;
import io.gatebench.model.ScenarioSteps.Step;
import io.gatebench.model.TestScenario;

/**
 * The steps of a scenario, worked out as far as can be before the load. Immutable but for the next row of the data; all
 * users of a load generator share it.
 */
public final class CompiledSteps {

    private static final String MESSAGE = "message";

    private final List<Route> routes = new ArrayList<>();
    private final Map<String, String> fixed;
    private final @Nullable DataRows rows;
    private final Generator generator;
    private final int messageSize;

    /** The steps of a route, and the sum of its weight and those of the routes before it. */
    record Route(int upTo, List<CompiledStep> steps) {}

    private CompiledSteps(
            ScenarioSteps steps,
            HttpTarget target,
            String base,
            Map<String, String> fixed,
            int messageSize,
            @Nullable DataRows rows,
            Generator generator) {
        this.rows = rows;
        this.generator = generator;
        this.fixed = fixed;
        this.messageSize = messageSize;
        int sum = 0;
        for (ScenarioSteps.Route route : steps.routes()) {
            sum += route.weight();
            Set<String> inHeaders = new HashSet<>();
            route.steps()
                    .forEach(step -> step.headers()
                            .values()
                            .forEach(
                                    value -> inHeaders.addAll(Template.of(value).names())));
            routes.add(new Route(
                    sum,
                    route.steps().stream()
                            .map(step -> new CompiledStep(step, target, base, fixed, inHeaders))
                            .toList()));
        }
    }

    /**
     * One of several load generators.
     *
     * @param index which one, from 0
     * @param count how many there are
     * @param users how many users this one has
     */
    public record Generator(int index, int count, int users) {}

    /**
     * Works out the steps that a load generator sends.
     *
     * @param target the server
     * @param base what stands before the path of each step
     * @param payload what {@code ${payload}} stands for
     * @param message the level of the message
     * @throws IllegalArgumentException if a step is no valid request, the data cannot be read, or they have too few rows for
     *     users that need some of their own
     */
    public static CompiledSteps of(
            ScenarioSteps steps, HttpTarget target, String base, byte[] payload, int message, Generator generator) {
        DataRows rows = steps.data()
                .map(data -> new DataRows(
                        DataFile.read(data.file()),
                        data.unique(),
                        generator.index(),
                        generator.count(),
                        generator.users()))
                .orElse(null);
        return new CompiledSteps(steps, target, base, fixed(payload, message), message, rows, generator);
    }

    private static Map<String, String> fixed(byte[] payload, int message) {
        return Map.of(
                ScenarioSteps.PAYLOAD, new String(payload, StandardCharsets.UTF_8), MESSAGE, String.valueOf(message));
    }

    /**
     * Returns the scenario of the first step alone, with the first row of the data put in, as it is tried before the load.
     *
     * @throws IllegalArgumentException if the data cannot be read
     */
    public static TestScenario firstStep(TestScenario scenario) {
        Step first = scenario.steps().orElseThrow().all().get(0);
        Map<String, String> values = firstRow(scenario);
        Map<String, String> headers = new LinkedHashMap<>();
        headersOf(first)
                .forEach((name, value) -> headers.put(name, Template.of(value).fill(values)));
        return new TestScenario(
                scenario.name(),
                scenario.displayName(),
                scenario.description(),
                scenario.tls(),
                first.method(),
                Template.of(first.path()).fillPath(values),
                headers,
                PayloadKind.NONE,
                scenario.token(),
                first.check()
                        .contains()
                        .map(text -> containing(first.check(), Template.of(text).fill(values)))
                        .orElse(first.check()),
                scenario.probes());
    }

    /**
     * Returns the body of the first step with the first row of the data put in.
     *
     * @param payload what {@code ${payload}} stands for
     * @param message the level of the message
     */
    public static byte[] firstBody(TestScenario scenario, byte[] payload, int message) {
        Map<String, String> values = firstRow(scenario);
        values.putAll(fixed(payload, message));
        String body = scenario.steps().orElseThrow().all().get(0).body().orElse("");
        return Template.of(body).fill(values).getBytes(StandardCharsets.UTF_8);
    }

    private static Map<String, String> firstRow(TestScenario scenario) {
        Map<String, String> values = new LinkedHashMap<>();
        scenario.steps()
                .flatMap(ScenarioSteps::data)
                .ifPresent(data -> values.putAll(DataFile.read(data.file()).row(0)));
        return values;
    }

    private static ResponseCheck containing(ResponseCheck check, String text) {
        return new ResponseCheck(
                check.status(), Optional.of(text), check.sameLengthAsRequest(), check.noGraphQlErrors(), check.body());
    }

    /** The headers of a step, and the media type that the beginning of its body tells unless it says one. */
    private static Map<String, String> headersOf(Step step) {
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        headers.putAll(step.headers());
        String body = step.body().orElse("").stripLeading();
        if (!body.isEmpty()) {
            headers.putIfAbsent("Content-Type", body.startsWith("<") ? "text/xml" : "application/json");
        }
        return headers;
    }

    /**
     * Returns what a user sends.
     *
     * @param number which user of this load generator, from 0
     */
    public UserSteps user(int number) {
        return new UserSteps(this, number);
    }

    List<Route> routes() {
        return routes;
    }

    Map<String, String> fixed() {
        return fixed;
    }

    Optional<DataRows> rows() {
        return Optional.ofNullable(rows);
    }

    int messageSize() {
        return messageSize;
    }

    /** Returns what makes a user's choice of routes its own, and the same in each run. */
    long seed(int number) {
        return (long) number * generator.count() + generator.index();
    }

    /** One step, of which what has no variable is ready to be sent. */
    static final class CompiledStep {

        private final String label;
        private final ResponseCheck check;
        private final Template contains;
        private final List<Extractor> extractors;
        private final boolean readsBody;
        private final Template path;
        private final Map<String, Template> headers = new LinkedHashMap<>();
        private final Template body;
        private final HttpRequestHead head;
        private final boolean plainHead;
        private final byte @Nullable [] plainBody;

        private CompiledStep(
                Step step, HttpTarget target, String base, Map<String, String> fixed, Set<String> inHeaders) {
            this.label = step.name();
            this.check = step.check();
            this.contains = Template.of(step.check().contains().orElse(""));
            this.extractors = step.values().stream()
                    .map(value -> new Extractor(value, inHeaders.contains(value.name())))
                    .toList();
            this.readsBody = extractors.stream().anyMatch(Extractor::readsBody);
            this.path = Template.of(base + step.path());
            String message = fixed.getOrDefault(MESSAGE, "");
            headersOf(step)
                    .forEach((name, value) -> headers.put(name, Template.of(value.replace("{message}", message))));
            this.body = Template.of(step.body().orElse(""));
            Set<String> names = new HashSet<>(path.names());
            headers.values().forEach(value -> names.addAll(value.names()));
            this.plainHead = names.isEmpty();
            Map<String, String> any = new LinkedHashMap<>();
            names.forEach(name -> any.put(name, "x"));
            this.head = new HttpRequestHead(target, step.method(), path.fillPath(any), filled(any));
            this.plainBody =
                    fixed.keySet().containsAll(body.names()) ? body.fill(fixed).getBytes(StandardCharsets.UTF_8) : null;
        }

        private Map<String, String> filled(Map<String, String> values) {
            Map<String, String> all = new LinkedHashMap<>();
            headers.forEach((name, value) -> all.put(name, value.fill(values)));
            return all;
        }

        String label() {
            return label;
        }

        List<Extractor> extractors() {
            return extractors;
        }

        boolean readsBody() {
            return readsBody;
        }

        boolean hasPlainCheck() {
            return contains.isPlain();
        }

        ResponseCheck check(Map<String, String> values) {
            return check.contains().isEmpty() ? check : containing(check, contains.fill(values));
        }

        HttpRequestHead head(Map<String, String> values) {
            return plainHead ? head : head.with(path.fillPath(values), filled(values));
        }

        byte[] body(Map<String, String> values) {
            return plainBody != null ? plainBody : body.fill(values).getBytes(StandardCharsets.UTF_8);
        }
    }
}
