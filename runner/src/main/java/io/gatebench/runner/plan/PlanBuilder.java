/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.plan;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import io.gatebench.load.engine.HttpClientKind;
import io.gatebench.load.engine.LoadModel;
import io.gatebench.load.engine.LoadProbes;
import io.gatebench.load.engine.PayloadOptions;
import io.gatebench.load.engine.steps.DataFile;
import io.gatebench.model.DataSize;
import io.gatebench.model.GatewayCpus;
import io.gatebench.model.GatewayRestart;
import io.gatebench.model.MessageLevel;
import io.gatebench.model.ParameterMatrix;
import io.gatebench.model.PayloadKind;
import io.gatebench.model.PerfPlan;
import io.gatebench.model.ResponseCheck;
import io.gatebench.model.ScenarioSteps;
import io.gatebench.model.TestScenario;
import io.gatebench.model.TestTiming;
import io.gatebench.report.threshold.ThresholdSyntaxException;
import io.gatebench.report.threshold.Thresholds;
import io.gatebench.settings.PlanException;
import io.gatebench.settings.Suggestion;
import io.gatebench.spi.Gateway;
import io.gatebench.spi.GatewaySource;
import io.gatebench.spi.Product;
import io.gatebench.spi.ProductDefaults;
import io.gatebench.spi.Profile;

/**
 * Makes a plan of what the user wrote and the defaults of the product.
 *
 * <p>Every problem is collected, so that the user sees all of them at once and before anything is started.
 */
public final class PlanBuilder {

    /** Heap of the back end unless the plan says otherwise: an echo keeps nothing. */
    public static final DataSize DEFAULT_BACKEND_HEAP = DataSize.ofMebibytes(256);

    /** Heap of the load generator unless the plan says otherwise. */
    public static final DataSize DEFAULT_LOAD_GENERATOR_HEAP = DataSize.ofMebibytes(512);

    /** Least and most users of an open model unless the plan says otherwise: enough for answers of one second. */
    private static final int MIN_OPEN_USERS = 50;

    private static final int MAX_OPEN_USERS = 1000;
    private static final double HIGHEST_RATE = 1_000_000;

    private static final int MIN_JSON = 50;
    private static final int MAX_CELLS = 20_000;
    private final Map<String, Product> products;
    private final List<String> problems = new ArrayList<>();
    private PlanInput input = new PlanInput();
    private boolean limited;

    /**
     * Creates a builder.
     *
     * @param products the products by name
     */
    public PlanBuilder(List<Product> products) {
        this.products = new LinkedHashMap<>();
        products.forEach(product -> this.products.put(product.name(), product));
    }

    /**
     * Says that the environment limits what the gateway runs in: parts of processors are possible then.
     *
     * @see io.gatebench.spi.Environment#takesLimits
     */
    public PlanBuilder limited() {
        limited = true;
        return this;
    }

    /**
     * Returns the plan.
     *
     * @param input what the user wrote
     * @param source where the gateway comes from
     * @throws PlanException with all problems
     */
    public RunPlan build(PlanInput input, GatewaySource source) {
        this.input = input;
        problems.clear();
        Optional<Product> product = product().flatMap(this::withConfiguration).flatMap(this::withCpuLimit);
        // Of a plan whose product is not known the rest is looked at with the defaults of another one.
        Product checked =
                product.or(() -> products.values().stream().findFirst()).orElseThrow(() -> new PlanException(problems));
        GatewaySource actual = source(source);
        boolean keep = single(PlanKey.KEEP, PlanValues.FLAG).orElse(false);
        Profile profile = profile();
        ProductDefaults defaults = checked.defaults(profile);
        Optional<PayloadFile> file = single(PlanKey.PAYLOAD_FILE, PayloadFile::of);
        List<String> notes = new ArrayList<>();
        List<TestScenario> served = product.map(known -> served(known, actual, scenarios(known, defaults), notes))
                .orElse(List.of());
        List<TestScenario> scenarios = served.stream()
                .map(scenario -> file.map(given -> sending(given, scenario)).orElse(scenario))
                .map(named(served))
                .toList();
        Optional<TestTiming> timing = timing(defaults.timing());
        LoadModel load = load(timing);
        if (load.changes() && timing.filter(TestTiming::untilSteady).isPresent()) {
            problems.add("--warm-up auto waits for a steady load, but this one changes by plan: " + load.describe()
                    + "; give the warm-up a length");
        }
        ParameterMatrix matrix = matrix(defaults.matrix(), scenarios, load, file);
        checkReplicas(matrix, load);
        int repeats = single(PlanKey.REPEAT, PlanValues.REPEAT).orElse(1);
        boolean control = single(PlanKey.CONTROL_RUN, PlanValues.FLAG).orElse(defaults.controlRun());
        GatewayRestart restart = single(PlanKey.RESTART, PlanValues.RESTART)
                .orElse(profile == Profile.QUICK ? GatewayRestart.NEVER : GatewayRestart.CASE);
        DataSize backendHeap = single(PlanKey.BACKEND_HEAP, PlanValues.HEAP).orElse(DEFAULT_BACKEND_HEAP);
        DataSize loadHeap = single(PlanKey.LOAD_GENERATOR_HEAP, PlanValues.HEAP).orElse(DEFAULT_LOAD_GENERATOR_HEAP);
        HttpClientKind client = single(PlanKey.HTTP_CLIENT, PlanValues.CLIENT).orElse(HttpClientKind.FAST);
        checkSteps(scenarios, client, matrix);
        PayloadOptions payload = payload(file);
        int probeEvery = single(PlanKey.PROBE_EVERY, PlanValues.PROBE).orElse(LoadProbes.DEFAULT_ONE_IN);
        OptionalInt gatewayPort = port(PlanKey.GATEWAY_PORT);
        OptionalInt backendPort = port(PlanKey.BACKEND_PORT);
        Optional<Path> results = single(PlanKey.RESULTS, Path::of);
        Thresholds thresholds = thresholds();
        boolean keepFailed = single(PlanKey.KEEP_FAILED_ROWS, PlanValues.FLAG).orElse(false);
        boolean stop = single(PlanKey.STOP_ON_FAILURE, PlanValues.FLAG).orElse(false);
        Optional<Gateway> gateway = product.flatMap(known -> gateway(known, actual, scenarios, matrix));
        limitCells(matrix, scenarios);
        if (!problems.isEmpty()) {
            throw new PlanException(problems);
        }
        PerfPlan plan = new PerfPlan(
                product.get().name(),
                profile.optionName(),
                scenarios,
                matrix,
                timing.orElseThrow(),
                repeats,
                control,
                backendHeap,
                loadHeap,
                restart);
        return new RunPlan(
                plan,
                product.get(),
                gateway.orElseThrow(),
                () -> product.get().gateway(actual),
                results,
                client,
                payload,
                load,
                probeEvery,
                gatewayPort,
                backendPort,
                thresholds,
                keepFailed,
                stop,
                notes,
                keep);
    }

    /** Finds what would fail each case of a scenario with steps once the load begins. */
    private void checkSteps(List<TestScenario> scenarios, HttpClientKind client, ParameterMatrix matrix) {
        for (TestScenario scenario : scenarios) {
            if (scenario.steps().isPresent() && client == HttpClientKind.JMETER) {
                problems.add("scenario " + scenario.name()
                        + " has steps, which the HTTP client of JMeter does not send; drop --http-client jmeter");
            }
            int users =
                    matrix.users().stream().mapToInt(Integer::intValue).max().orElse(0);
            scenario.steps()
                    .flatMap(ScenarioSteps::data)
                    .filter(ScenarioSteps.Data::unique)
                    .ifPresent(data -> {
                        int rows = DataFile.read(data.file()).rows().size();
                        if (rows < users) {
                            problems.add("scenario " + scenario.name() + " has " + rows + " rows of data, of which "
                                    + users + " users need one of their own each; give more rows, or fewer users");
                        }
                    });
        }
    }

    /** Returns what gives scenarios the names that the user wants in the documents. */
    private UnaryOperator<TestScenario> named(List<TestScenario> chosen) {
        Map<String, String> names = new LinkedHashMap<>();
        input.get(PlanKey.SCENARIO_NAME)
                .ifPresent(entry -> entry.values().forEach(text -> {
                    int sign = text.indexOf('=');
                    String scenario = sign < 0 ? text : text.substring(0, sign).strip();
                    String name = sign < 0 ? "" : text.substring(sign + 1).strip();
                    List<String> known = chosen.stream().map(TestScenario::name).toList();
                    if (name.isEmpty()) {
                        problems.add(prefix(entry) + "must be <scenario>=<name> but was '" + text + "'");
                    } else if (!known.contains(scenario)) {
                        problems.add(prefix(entry) + "names '" + scenario + "', which is no scenario of this plan"
                                + Suggestion.among(scenario, known));
                    } else if (names.put(scenario, name) != null) {
                        problems.add(prefix(entry) + "names '" + scenario + "' twice");
                    }
                }));
        return scenario -> Optional.ofNullable(names.get(scenario.name()))
                .map(scenario::withDisplayName)
                .orElse(scenario);
    }

    /** Leaves out, and says so, what the user did not choose by name and the gateway cannot serve. */
    private List<TestScenario> served(
            Product product, GatewaySource source, List<TestScenario> scenarios, List<String> notes) {
        if (input.get(PlanKey.SCENARIO).isPresent() || !problems.isEmpty()) {
            return scenarios;
        }
        try {
            Gateway gateway = product.gateway(source);
            Map<String, String> unserved = gateway.unserved(scenarios);
            List<TestScenario> left = scenarios.stream()
                    .filter(scenario -> !unserved.containsKey(scenario.name()))
                    .toList();
            if (left.isEmpty()) {
                return scenarios;
            }
            unserved.forEach((name, reason) -> notes.add("Scenario " + name + " was left out, because "
                    + gateway.applicationName() + " cannot serve it: " + reason.replaceFirst("\\.$", "") + "."));
            return left;
        } catch (IllegalArgumentException e) {
            // Said where the gateway of the plan is made.
            return scenarios;
        }
    }

    /** Every cell becomes objects, lines and a directory: a plan of millions would fail late, and in memory. */
    private void limitCells(ParameterMatrix matrix, List<TestScenario> scenarios) {
        double cells = 0;
        for (TestScenario scenario : scenarios) {
            int messages = switch (scenario.messageKind()) {
                case SIZE_BYTES -> matrix.messageSizes().size();
                case GRAPHQL_QUERY -> matrix.queries().size();
                case ELEMENTS -> matrix.elements().size();
            };
            cells += (double) messages
                    * matrix.heaps().size()
                    * matrix.gatewayCpus().size()
                    * Math.max(1, matrix.gatewayMemory().size())
                    * matrix.gatewayReplicas().size()
                    * matrix.users().size()
                    * matrix.backendDelays().size();
        }
        if (cells > MAX_CELLS) {
            problems.add(String.format(
                    Locale.ROOT,
                    "the plan has %.0f test cases but a run has at most %d; give fewer scenarios, users, message sizes,"
                            + " heaps or delays, or make several runs of it",
                    cells,
                    MAX_CELLS));
        }
    }

    private PayloadOptions payload(Optional<PayloadFile> file) {
        boolean compat = single(PlanKey.PAYLOAD_COMPAT, PlanValues.COMPAT).isPresent();
        int variants = single(PlanKey.PAYLOAD_VARIANTS, PlanValues.VARIANTS).orElse(1);
        if (file.isPresent()) {
            for (PlanKey key : List.of(PlanKey.PAYLOAD_COMPAT, PlanKey.PAYLOAD_VARIANTS, PlanKey.MESSAGE_SIZE)) {
                input.get(key)
                        .ifPresent(entry -> problems.add(prefix(entry)
                                + "has no effect on the payload of a file; drop it, or the payload file"));
            }
            return new PayloadOptions(false, Optional.of(file.get().path()), 1);
        }
        return new PayloadOptions(compat, Optional.empty(), variants);
    }

    /** Only a generated payload holds its size, and what is made into something else, so an answer cannot be expected to. */
    private TestScenario sending(PayloadFile file, TestScenario scenario) {
        if (scenario.messageKind() != MessageLevel.Kind.SIZE_BYTES || scenario.payload() == PayloadKind.NONE) {
            problems.add("scenario " + scenario.name() + " "
                    + (scenario.payload() == PayloadKind.NONE
                            ? "sends no payload"
                            : "is measured by its queries or elements")
                    + ", so it cannot send " + file.path() + "; leave it out: --exclude-scenario " + scenario.name());
            return scenario;
        }
        ResponseCheck check = scenario.check();
        return scenario.withCheck(new ResponseCheck(
                check.status(),
                check.contains().filter(text -> !text.contains("{size}")),
                check.sameLengthAsRequest(),
                check.noGraphQlErrors(),
                check.body().form() == ResponseCheck.Body.Form.ECHO ? check.body() : ResponseCheck.Body.any()));
    }

    private LoadModel load(Optional<TestTiming> timing) {
        Optional<List<LoadModel.Level>> rates = levels(PlanKey.RATE, HIGHEST_RATE, timing);
        Optional<List<LoadModel.Level>> users = levels(PlanKey.USER_LEVELS, PlanValues.MAX_USERS, timing);
        Duration think = single(PlanKey.THINK_TIME, PlanValues.MILLIS).orElse(Duration.ZERO);
        Duration pacing = single(PlanKey.PACING, PlanValues.MILLIS).orElse(Duration.ZERO);
        if (rates.isPresent() && users.isPresent()) {
            problems.add("--rate (an open model) and --user-levels (a closed one) exclude each other");
            return LoadModel.closed();
        }
        try {
            return new LoadModel(
                    rates.isPresent() ? LoadModel.Kind.OPEN : LoadModel.Kind.CLOSED,
                    rates.or(() -> users).orElse(List.of()),
                    think,
                    pacing);
        } catch (IllegalArgumentException e) {
            problems.add(e.getMessage());
            return LoadModel.closed();
        }
    }

    private Optional<List<LoadModel.Level>> levels(PlanKey key, double most, Optional<TestTiming> timing) {
        Optional<PlanInput.Entry> entry = input.get(key);
        if (entry.isEmpty()) {
            return Optional.empty();
        }
        try {
            List<LoadModel.Level> levels = LoadLevels.parse(entry.get().values());
            for (LoadModel.Level level : levels) {
                if (level.value() > most || key == PlanKey.USER_LEVELS && level.value() != Math.rint(level.value())) {
                    throw new IllegalArgumentException("must be "
                            + (key == PlanKey.USER_LEVELS ? "whole numbers up to " : "at most ") + (long) most
                            + " but holds " + level.value());
                }
                timing.filter(times -> level.at().compareTo(times.duration()) >= 0)
                        .ifPresent(times -> {
                            throw new IllegalArgumentException("has a level from "
                                    + level.at().toMillis() + " ms on, but the test ends after "
                                    + times.duration().toMillis() + " ms; lengthen --duration");
                        });
            }
            if (levels.stream().noneMatch(level -> level.value() > 0)) {
                throw new IllegalArgumentException("needs a level above 0");
            }
            return Optional.of(levels);
        } catch (IllegalArgumentException e) {
            problems.add(prefix(entry.get()) + e.getMessage());
            return Optional.empty();
        }
    }

    private GatewaySource source(GatewaySource otherwise) {
        Optional<URI> url = single(PlanKey.GATEWAY_URL, PlanValues.URL);
        Optional<Path> home = single(PlanKey.GATEWAY_HOME, Path::of);
        if (url.isPresent() && home.isPresent()) {
            problems.add("--gateway-url (a gateway that runs already) and --gateway-home (one to install and start)"
                    + " exclude each other");
        }
        return url.<GatewaySource>map(GatewaySource.Running::new)
                .or(() -> home.map(GatewaySource.Pack::new))
                .orElse(otherwise);
    }

    private Optional<Product> withCpuLimit(Product product) {
        int before = problems.size();
        Optional<Double> cpus = single(PlanKey.CPUS, PlanValues.CPUS);
        if (cpus.isEmpty()) {
            return problems.size() > before ? Optional.empty() : Optional.of(product);
        }
        try {
            return Optional.of(product.withCpuLimit(cpus.get()));
        } catch (IllegalArgumentException e) {
            problems.add(e.getMessage());
            return Optional.empty();
        }
    }

    private Optional<Product> product() {
        Optional<PlanInput.Entry> entry = input.get(PlanKey.PRODUCT);
        if (entry.isEmpty()) {
            problems.add("--product is missing; one of: " + String.join(", ", products.keySet()));
            return Optional.empty();
        }
        String name = entry.get().values().get(0);
        if (!products.containsKey(name)) {
            problems.add(
                    place(entry.get()) + "unknown product '" + name + "'" + Suggestion.among(name, products.keySet()));
            return Optional.empty();
        }
        return Optional.of(products.get(name));
    }

    private Optional<Product> withConfiguration(Product product) {
        Optional<PlanInput.Entry> entry = input.get(PlanKey.GATEWAY_CONFIG);
        if (entry.isEmpty()) {
            if (product.needsConfiguration()) {
                problems.add("product " + product.name() + " needs --gateway-config <file.yaml>");
                return Optional.empty();
            }
            return Optional.of(product);
        }
        try {
            Product configured =
                    product.withConfiguration(Path.of(entry.get().values().get(0)));
            if (!configured.usesHeap() && input.get(PlanKey.HEAP).isPresent()) {
                problems.add(prefix(input.get(PlanKey.HEAP).get())
                        + "has no effect: the gateway's configuration does not use {heap}; drop it");
            }
            return Optional.of(configured);
        } catch (PlanException e) {
            problems.addAll(e.problems());
        } catch (IllegalArgumentException e) {
            problems.add(e.getMessage());
        }
        return Optional.empty();
    }

    private Profile profile() {
        return single(PlanKey.PROFILE, PlanValues.PROFILE).orElse(Profile.QUICK);
    }

    private List<TestScenario> scenarios(Product product, ProductDefaults defaults) {
        List<String> known =
                product.scenarios().stream().map(TestScenario::name).toList();
        List<String> included = matching(PlanKey.SCENARIO, known).orElse(defaults.scenarios());
        List<String> excluded = matching(PlanKey.EXCLUDE_SCENARIO, known).orElse(List.of());
        List<TestScenario> chosen = included.stream()
                .filter(name -> !excluded.contains(name))
                .map(name -> product.scenarios().stream()
                        .filter(s -> s.name().equals(name))
                        .findFirst()
                        .orElseThrow())
                .toList();
        if (chosen.isEmpty() && problems.isEmpty()) {
            problems.add("no scenario is left: all that were chosen are excluded");
        }
        return chosen;
    }

    private Optional<List<String>> matching(PlanKey key, List<String> known) {
        Optional<PlanInput.Entry> entry = input.get(key);
        if (entry.isEmpty()) {
            return Optional.empty();
        }
        List<String> matched = new ArrayList<>();
        for (String pattern : entry.get().values()) {
            String regex = Arrays.stream(pattern.split("\\*", -1))
                    .map(java.util.regex.Pattern::quote)
                    .reduce((a, b) -> a + ".*" + b)
                    .orElseThrow();
            List<String> found =
                    known.stream().filter(name -> name.matches(regex)).toList();
            if (found.isEmpty()) {
                problems.add(
                        place(entry.get()) + "unknown scenario '" + pattern + "'" + Suggestion.among(pattern, known));
            }
            found.stream().filter(name -> !matched.contains(name)).forEach(matched::add);
        }
        return Optional.of(matched);
    }

    private ParameterMatrix matrix(
            ParameterMatrix defaults, List<TestScenario> scenarios, LoadModel load, Optional<PayloadFile> file) {
        int smallest = scenarios.stream()
                .filter(s -> s.messageKind() == MessageLevel.Kind.SIZE_BYTES)
                .mapToInt(PlanBuilder::smallestMessage)
                .max()
                .orElse(1);
        return new ParameterMatrix(
                list(PlanKey.HEAP, PlanValues.HEAP).orElse(defaults.heaps()),
                users(defaults.users(), load),
                file.map(given -> List.of(given.bytes()))
                        .or(() -> list(PlanKey.MESSAGE_SIZE, text -> messageSize(text, smallest)))
                        .orElse(defaults.messageSizes()),
                list(PlanKey.QUERY, PlanValues.QUERY).orElse(defaults.queries()),
                list(PlanKey.ELEMENTS, PlanValues.ELEMENTS).orElse(defaults.elements()),
                list(PlanKey.BACKEND_DELAY, PlanValues.DELAY).orElse(defaults.backendDelays()),
                gatewayCpus().orElse(defaults.gatewayCpus()),
                list(PlanKey.GATEWAY_MEMORY, PlanValues.GATEWAY_MEMORY).orElse(defaults.gatewayMemory()),
                list(PlanKey.GATEWAY_REPLICAS, PlanValues.REPLICAS).orElse(defaults.gatewayReplicas()));
    }

    /** Each replica gets the same number of users: cells of one number of users then differ in the replicas alone. */
    private void checkReplicas(ParameterMatrix matrix, LoadModel load) {
        Optional<PlanInput.Entry> entry = input.get(PlanKey.GATEWAY_REPLICAS)
                .filter(given -> matrix.gatewayReplicas().stream().anyMatch(replicas -> replicas > 1));
        if (entry.isEmpty()) {
            return;
        }
        if (!limited) {
            problems.add(prefix(entry.get()) + "has more than one gateway, which --environment kubernetes alone starts;"
                    + " drop it, or run there");
            return;
        }
        Stream<Integer> levels = load.kind() == LoadModel.Kind.OPEN
                ? Stream.of()
                : load.levels().stream().map(level -> (int) Math.ceil(level.value()));
        Stream.concat(matrix.users().stream(), levels)
                .distinct()
                .flatMap(users -> matrix.gatewayReplicas().stream()
                        .filter(replicas -> users % replicas != 0)
                        .map(replicas -> users + " users over " + replicas + " replicas"))
                .findFirst()
                .ifPresent(uneven -> problems.add(prefix(entry.get())
                        + "shares users out evenly, which cannot be done with " + uneven
                        + "; give multiples"));
    }

    private Optional<List<GatewayCpus>> gatewayCpus() {
        Optional<List<GatewayCpus>> given = list(PlanKey.GATEWAY_CPUS, PlanValues.GATEWAY_CPUS);
        if (given.isPresent() && given.get().containsAll(List.of(GatewayCpus.AUTO, GatewayCpus.ALL))) {
            problems.add(prefix(input.get(PlanKey.GATEWAY_CPUS).orElseThrow())
                    + "has auto and all, whose cells have the same name; leave one of them out");
        }
        return given;
    }

    private List<Integer> users(List<Integer> defaults, LoadModel load) {
        Optional<List<Integer>> given = list(PlanKey.USERS, PlanValues.USERS);
        if (load.levels().isEmpty()) {
            return given.orElse(defaults);
        }
        double peak =
                load.levels().stream().mapToDouble(LoadModel.Level::value).max().orElseThrow();
        if (load.kind() == LoadModel.Kind.OPEN) {
            return given.orElse(List.of((int) Math.min(MAX_OPEN_USERS, Math.max(MIN_OPEN_USERS, Math.ceil(peak)))));
        }
        if (input.get(PlanKey.USERS).isPresent()) {
            problems.add(prefix(input.get(PlanKey.USERS).get())
                    + "has no effect beside --user-levels, whose highest level it is; drop it");
        }
        return List.of((int) peak);
    }

    private static int smallestMessage(TestScenario scenario) {
        return switch (scenario.payload()) {
            case JSON_ARRAY, JSON_OBJECT, JSON_SIMPLE -> MIN_JSON;
            // The envelope alone has 298 bytes, one order 98: what the established shape needs.
            case SOAP_BUY_STOCKS -> 396;
            default -> 1;
        };
    }

    private Optional<TestTiming> timing(TestTiming defaults) {
        int before = problems.size();
        Optional<Duration> given = single(PlanKey.DURATION, PlanValues.SECONDS);
        Optional<WarmUp> warmUp = single(PlanKey.WARM_UP, WarmUp::parse);
        Optional<Duration> rampUp = single(PlanKey.RAMP_UP, PlanValues.SECONDS);
        if (problems.size() > before) {
            return Optional.empty();
        }
        boolean levels = input.get(PlanKey.RATE).isPresent()
                || input.get(PlanKey.USER_LEVELS).isPresent();
        boolean untilSteady =
                warmUp.map(WarmUp::untilSteady).orElse(defaults.untilSteady() && given.isEmpty() && !levels);
        Duration window = defaults.measurement();
        Duration usual = untilSteady == defaults.untilSteady()
                ? defaults.warmUp()
                : untilSteady ? WarmUp.DEFAULT_LIMIT : WarmUp.DEFAULT_LENGTH;
        Optional<Duration> length = warmUp.flatMap(WarmUp::length);
        Duration duration = given.orElseGet(() ->
                untilSteady || defaults.untilSteady() ? length.orElse(usual).plus(window) : defaults.duration());
        // A default must not contradict what the user did say: it keeps its share of the time.
        Duration warm = length.orElseGet(() -> usual.compareTo(duration) < 0 ? usual : duration.dividedBy(3));
        Duration ramp =
                rampUp.orElseGet(() -> defaults.rampUp().compareTo(warm) <= 0 ? defaults.rampUp() : warm.dividedBy(2));
        try {
            return Optional.of(new TestTiming(duration, warm, ramp, untilSteady));
        } catch (IllegalArgumentException e) {
            problems.add(e.getMessage());
            return Optional.empty();
        }
    }

    private Optional<Gateway> gateway(
            Product product, GatewaySource source, List<TestScenario> scenarios, ParameterMatrix matrix) {
        try {
            Gateway gateway = product.gateway(source);
            if (gateway.isShared()) {
                input.get(PlanKey.GATEWAY_CPUS)
                        .filter(entry -> !entry.values().equals(List.of(GatewayCpus.AUTO.toString())))
                        .ifPresent(entry ->
                                problems.add(prefix(entry) + "has no effect on a gateway that runs already; drop it"));
            }
            input.get(PlanKey.GATEWAY_REPLICAS)
                    .filter(entry -> limited && gateway.isShared())
                    .filter(entry -> matrix.gatewayReplicas().stream().anyMatch(replicas -> replicas > 1))
                    .ifPresent(entry ->
                            problems.add(prefix(entry) + "starts gateways, but this one runs already; drop it"));
            input.get(PlanKey.GATEWAY_CPUS)
                    .filter(entry -> !limited && !gateway.takesLimits())
                    .ifPresent(entry -> matrix.gatewayCpus().stream()
                            .filter(cpus -> cpus.count() != Math.rint(cpus.count()))
                            .forEach(cpus -> problems.add(prefix(entry)
                                    + "must be a whole number of processors, which the gateway gets for itself, but was '"
                                    + cpus
                                    + "'; a part of one is a limit, which a gateway in a container or a pod can have, and with"
                                    + " --cpus " + cpus + " one from a pack")));
            input.get(PlanKey.GATEWAY_MEMORY)
                    .filter(entry -> limited ? !gateway.takesLimits() : !gateway.takesMemoryLimit())
                    .ifPresent(
                            entry -> problems.add(
                                    prefix(entry)
                                            + (limited
                                                    ? "limits processes and containers, and here the gateway has the memory of its pod; say it"
                                                            + " in the file of the environment, or drop it"
                                                    : "is a limit that " + gateway.applicationName()
                                                            + " does not take: it runs already, or its product knows of none; drop it")));
            input.get(PlanKey.GATEWAY_MEMORY)
                    .filter(entry -> input.get(PlanKey.CPUS).isPresent())
                    .ifPresent(
                            entry -> problems.add(prefix(entry) + "and --cpus both move the gateway to a control group"
                                    + " of their own; drop one, or limit its processors with --gateway-cpus"));
            gateway.unserved(scenarios)
                    .forEach((name, reason) ->
                            problems.add("scenario " + name + " cannot be served by " + gateway.applicationName() + ": "
                                    + reason.replaceFirst("\\.$", "") + "; leave it out: --exclude-scenario " + name));
            return Optional.of(gateway);
        } catch (IllegalArgumentException e) {
            problems.add(e.getMessage());
            return Optional.empty();
        }
    }

    private Thresholds thresholds() {
        Optional<PlanInput.Entry> entry = input.get(PlanKey.THRESHOLDS);
        if (entry.isEmpty()) {
            return new Thresholds(List.of());
        }
        try {
            return Thresholds.parse(entry.get().values());
        } catch (ThresholdSyntaxException e) {
            problems.add(prefix(entry.get()) + e.getMessage());
            return new Thresholds(List.of());
        }
    }

    private OptionalInt port(PlanKey key) {
        return single(key, PlanValues.PORT).map(OptionalInt::of).orElseGet(OptionalInt::empty);
    }

    private <T> Optional<T> single(PlanKey key, Function<String, T> parser) {
        Optional<PlanInput.Entry> entry = input.get(key);
        if (entry.isPresent() && entry.get().values().size() > 1) {
            problems.add(prefix(entry.get()) + "takes one value but has "
                    + entry.get().values().size());
            return Optional.empty();
        }
        return list(key, parser).map(values -> values.get(0));
    }

    private <T> Optional<List<T>> list(PlanKey key, Function<String, T> parser) {
        Optional<PlanInput.Entry> entry = input.get(key);
        if (entry.isEmpty()) {
            return Optional.empty();
        }
        List<T> values = new ArrayList<>();
        Set<T> seen = new HashSet<>();
        for (String text : entry.get().values()) {
            try {
                key.shape().apply(text);
                T value = parser.apply(text);
                if (!seen.add(value)) {
                    problems.add(prefix(entry.get()) + "has the value '" + text + "' twice");
                }
                values.add(value);
            } catch (IllegalArgumentException e) {
                problems.add(prefix(entry.get()) + e.getMessage());
            }
        }
        return values.isEmpty() ? Optional.empty() : Optional.of(values);
    }

    /** An unknown name says itself what it is; only a file's line is worth naming before it. */
    private static String place(PlanInput.Entry entry) {
        return entry.where().startsWith("--") ? "" : entry.where() + ": ";
    }

    private static String prefix(PlanInput.Entry entry) {
        return entry.where() + " ";
    }

    private static int messageSize(String text, int smallest) {
        long bytes = PlanValues.MESSAGE_SIZE.apply(text).bytes();
        if (bytes < smallest || bytes > PlanValues.MAX_MESSAGE) {
            throw new IllegalArgumentException("must be between " + smallest + " bytes (the smallest message of the"
                    + " chosen scenarios) and 1 GiB but was '" + text + "'");
        }
        return (int) bytes;
    }
}
