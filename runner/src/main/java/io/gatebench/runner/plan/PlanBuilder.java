/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.plan;

import java.net.URI;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.stream.Stream;

import io.gatebench.load.engine.HttpClientKind;
import io.gatebench.load.engine.LoadModel;
import io.gatebench.load.engine.LoadProbes;
import io.gatebench.load.engine.PayloadOptions;
import io.gatebench.model.DataSize;
import io.gatebench.model.GatewayCpus;
import io.gatebench.model.GatewayRestart;
import io.gatebench.model.MessageLevel;
import io.gatebench.model.ParameterMatrix;
import io.gatebench.model.PerfPlan;
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

    private static final int MIN_JSON = 50;
    private static final int MAX_CELLS = 20_000;
    private final Map<String, Product> products;
    private PlanReader said = new PlanReader(new PlanInput());
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
     * @throws PlanException with all problems
     */
    public RunPlan build(PlanInput input) {
        said = new PlanReader(input);
        ScenarioChoice choice = new ScenarioChoice(said);
        LoadChoice loads = new LoadChoice(said);
        Optional<Product> product = product().flatMap(this::withConfiguration).flatMap(this::withCpuLimit);
        // Of a plan whose product is not known the rest is looked at with the defaults of another one.
        Product known = product.or(() -> products.values().stream().findFirst())
                .orElseThrow(() -> new PlanException(said.problems()));
        GatewaySource source = source();
        boolean keep = said.flag(PlanKey.KEEP, false);
        Profile profile = said.single(PlanKey.PROFILE, PlanValues.PROFILE).orElse(Profile.QUICK);
        ProductDefaults defaults = known.defaults(profile);
        Optional<PayloadFile> file = said.single(PlanKey.PAYLOAD_FILE, PayloadFile::of);
        List<TestScenario> scenarios = choice.scenarios(product, defaults, source, file);
        Optional<TestTiming> timing = loads.timing(defaults.timing());
        LoadModel load = loads.model(timing);
        ParameterMatrix matrix = matrix(defaults.matrix(), scenarios, loads, load, file);
        checkReplicas(matrix, load);
        int repeats = said.single(PlanKey.REPEAT, PlanValues.REPEAT).orElse(1);
        boolean control = said.flag(PlanKey.CONTROL_RUN, defaults.controlRun());
        GatewayRestart restart = said.single(PlanKey.RESTART, PlanValues.RESTART)
                .orElse(profile == Profile.QUICK ? GatewayRestart.NEVER : GatewayRestart.CASE);
        DataSize backendHeap =
                said.single(PlanKey.BACKEND_HEAP, PlanValues.HEAP).orElse(DEFAULT_BACKEND_HEAP);
        DataSize loadHeap =
                said.single(PlanKey.LOAD_GENERATOR_HEAP, PlanValues.HEAP).orElse(DEFAULT_LOAD_GENERATOR_HEAP);
        HttpClientKind client =
                said.single(PlanKey.HTTP_CLIENT, PlanValues.CLIENT).orElse(HttpClientKind.FAST);
        choice.checkSteps(scenarios, client, matrix);
        PayloadOptions payload = payload(file);
        int probeEvery = said.single(PlanKey.PROBE_EVERY, PlanValues.PROBE).orElse(LoadProbes.DEFAULT_ONE_IN);
        OptionalInt gatewayPort = said.port(PlanKey.GATEWAY_PORT);
        OptionalInt backendPort = said.port(PlanKey.BACKEND_PORT);
        Optional<Path> results = said.single(PlanKey.RESULTS, Path::of);
        Thresholds thresholds = thresholds();
        boolean keepFailed = said.flag(PlanKey.KEEP_FAILED_ROWS, false);
        boolean stop = said.flag(PlanKey.STOP_ON_FAILURE, false);
        Optional<Gateway> gateway =
                product.flatMap(measured -> said.made(() -> checked(measured.gateway(source), scenarios, matrix)));
        limitCells(matrix, scenarios);
        if (!said.problems().isEmpty()) {
            throw new PlanException(said.problems());
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
                () -> product.get().gateway(source),
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
                choice.notes(),
                keep);
    }

    private Optional<Product> product() {
        Optional<PlanInput.Entry> entry = said.entry(PlanKey.PRODUCT);
        if (entry.isEmpty()) {
            said.problem("--product is missing; one of: " + String.join(", ", products.keySet()));
            return Optional.empty();
        }
        Optional<String> name = said.single(PlanKey.PRODUCT, Function.identity());
        name.filter(given -> !products.containsKey(given))
                .ifPresent(given -> said.unknown(
                        entry.get(), "unknown product '" + given + "'" + Suggestion.among(given, products.keySet())));
        return name.map(products::get);
    }

    private Optional<Product> withConfiguration(Product product) {
        if (!said.has(PlanKey.GATEWAY_CONFIG)) {
            if (product.needsConfiguration()) {
                said.problem("product " + product.name() + " needs --gateway-config <file.yaml>");
                return Optional.empty();
            }
            return Optional.of(product);
        }
        Optional<Product> configured = said.single(PlanKey.GATEWAY_CONFIG, Path::of)
                .flatMap(file -> said.made(() -> product.withConfiguration(file)));
        if (configured.isPresent() && !configured.get().usesHeap()) {
            said.refuse(PlanKey.HEAP, "has no effect: the gateway's configuration does not use {heap}; drop it");
        }
        return configured;
    }

    private Optional<Product> withCpuLimit(Product product) {
        int before = said.problems().size();
        Optional<Double> cpus = said.single(PlanKey.CPUS, PlanValues.CPUS);
        if (cpus.isEmpty()) {
            return said.problems().size() > before ? Optional.empty() : Optional.of(product);
        }
        return said.made(() -> product.withCpuLimit(cpus.get()));
    }

    private GatewaySource source() {
        Optional<URI> url = said.single(PlanKey.GATEWAY_URL, PlanValues.URL);
        Optional<Path> home = said.single(PlanKey.GATEWAY_HOME, Path::of);
        if (url.isPresent() && home.isPresent()) {
            said.problem("--gateway-url (a gateway that runs already) and --gateway-home (one to install and start)"
                    + " exclude each other; drop one");
        }
        return url.<GatewaySource>map(GatewaySource.Running::new)
                .or(() -> home.map(GatewaySource.Pack::new))
                .orElseGet(GatewaySource.BuiltIn::new);
    }

    private PayloadOptions payload(Optional<PayloadFile> file) {
        boolean compat = said.single(PlanKey.PAYLOAD_COMPAT, PlanValues.COMPAT).isPresent();
        int variants =
                said.single(PlanKey.PAYLOAD_VARIANTS, PlanValues.VARIANTS).orElse(1);
        if (file.isPresent()) {
            for (PlanKey key : List.of(PlanKey.PAYLOAD_COMPAT, PlanKey.PAYLOAD_VARIANTS, PlanKey.MESSAGE_SIZE)) {
                said.refuse(key, "has no effect on the payload of a file; drop it, or the payload file");
            }
            return new PayloadOptions(false, Optional.of(file.get().path()), 1);
        }
        return new PayloadOptions(compat, Optional.empty(), variants);
    }

    private ParameterMatrix matrix(
            ParameterMatrix defaults,
            List<TestScenario> scenarios,
            LoadChoice loads,
            LoadModel load,
            Optional<PayloadFile> file) {
        int smallest = scenarios.stream()
                .filter(s -> s.messageKind() == MessageLevel.Kind.SIZE_BYTES)
                .mapToInt(PlanBuilder::smallestMessage)
                .max()
                .orElse(1);
        return new ParameterMatrix(
                said.list(PlanKey.HEAP, PlanValues.HEAP).orElse(defaults.heaps()),
                loads.users(defaults.users(), load),
                file.map(given -> List.of(given.bytes()))
                        .or(() -> said.list(PlanKey.MESSAGE_SIZE, text -> messageSize(text, smallest)))
                        .orElse(defaults.messageSizes()),
                said.list(PlanKey.QUERY, PlanValues.QUERY).orElse(defaults.queries()),
                said.list(PlanKey.ELEMENTS, PlanValues.ELEMENTS).orElse(defaults.elements()),
                said.list(PlanKey.BACKEND_DELAY, PlanValues.DELAY).orElse(defaults.backendDelays()),
                gatewayCpus().orElse(defaults.gatewayCpus()),
                said.list(PlanKey.GATEWAY_MEMORY, PlanValues.GATEWAY_MEMORY).orElse(defaults.gatewayMemory()),
                said.list(PlanKey.GATEWAY_REPLICAS, PlanValues.REPLICAS).orElse(defaults.gatewayReplicas()));
    }

    private static int smallestMessage(TestScenario scenario) {
        return switch (scenario.payload()) {
            case JSON_ARRAY, JSON_OBJECT, JSON_SIMPLE -> MIN_JSON;
            // The envelope alone has 298 bytes, one order 98: what the established shape needs.
            case SOAP_BUY_STOCKS -> 396;
            default -> 1;
        };
    }

    private static int messageSize(String text, int smallest) {
        long bytes = PlanValues.MESSAGE_SIZE.apply(text).bytes();
        if (bytes < smallest || bytes > PlanValues.MAX_MESSAGE) {
            throw new IllegalArgumentException("must be between " + smallest + " bytes (the smallest message of the"
                    + " chosen scenarios) and 1 GiB but was '" + text + "'");
        }
        return (int) bytes;
    }

    private Optional<List<GatewayCpus>> gatewayCpus() {
        Optional<List<GatewayCpus>> given = said.list(PlanKey.GATEWAY_CPUS, PlanValues.GATEWAY_CPUS);
        if (given.isPresent() && given.get().containsAll(List.of(GatewayCpus.AUTO, GatewayCpus.ALL))) {
            said.refuse(
                    PlanKey.GATEWAY_CPUS,
                    "has auto and all, whose test cases have the same name; leave one of them out");
        }
        return given;
    }

    /**
     * Each replica gets the same number of users: test cases of one number of users then differ in the replicas alone.
     */
    private void checkReplicas(ParameterMatrix matrix, LoadModel load) {
        if (!hasReplicas(matrix)) {
            return;
        }
        if (!limited) {
            said.refuse(
                    PlanKey.GATEWAY_REPLICAS,
                    "has more than one gateway, which --environment kubernetes alone starts; drop it, or run there");
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
                .ifPresent(uneven -> said.refuse(
                        PlanKey.GATEWAY_REPLICAS,
                        "shares users out evenly, which cannot be done with " + uneven + "; give multiples"));
    }

    private static boolean hasReplicas(ParameterMatrix matrix) {
        return matrix.gatewayReplicas().stream().anyMatch(replicas -> replicas > 1);
    }

    /** Refuses what has no effect on this gateway, or what it does not do. */
    private Gateway checked(Gateway gateway, List<TestScenario> scenarios, ParameterMatrix matrix) {
        if (gateway.isShared() && !matrix.gatewayCpus().equals(List.of(GatewayCpus.AUTO))) {
            said.refuse(PlanKey.GATEWAY_CPUS, "has no effect on a gateway that runs already; drop it");
        }
        if (gateway.isShared() && limited && hasReplicas(matrix)) {
            said.refuse(PlanKey.GATEWAY_REPLICAS, "starts gateways, but this one runs already; drop it");
        }
        if (limited && hasReplicas(matrix)) {
            gateway.replicasHindrance().ifPresent(reason -> said.refuse(PlanKey.GATEWAY_REPLICAS, reason));
        }
        if (!limited && !gateway.takesLimits()) {
            matrix.gatewayCpus().stream()
                    .filter(cpus -> cpus.count() != Math.rint(cpus.count()))
                    .forEach(cpus -> said.refuse(
                            PlanKey.GATEWAY_CPUS,
                            "must be a whole number of processors, which the gateway gets for itself, but was '" + cpus
                                    + "'; a part of one is a limit, which a gateway in a container or a pod can have, and"
                                    + " with --cpus " + cpus + " one from a pack"));
        }
        if (limited && !gateway.takesLimits()) {
            said.refuse(
                    PlanKey.GATEWAY_MEMORY,
                    "limits processes and containers, and here the gateway has the memory of its pod; say it in the file"
                            + " of the environment, or drop it");
        }
        if (!limited && !gateway.takesMemoryLimit()) {
            said.refuse(
                    PlanKey.GATEWAY_MEMORY,
                    "is a limit that " + gateway.applicationName()
                            + " does not take: it runs already, or its product knows of none; drop it");
        }
        if (said.has(PlanKey.CPUS)) {
            said.refuse(
                    PlanKey.GATEWAY_MEMORY,
                    "and --cpus both move the gateway to a control group of their own; drop one, or limit its processors"
                            + " with --gateway-cpus");
        }
        gateway.unserved(scenarios)
                .forEach((name, reason) ->
                        said.problem("scenario " + name + " cannot be served by " + gateway.applicationName() + ": "
                                + reason.replaceFirst("\\.$", "") + "; leave it out: --exclude-scenario " + name));
        return gateway;
    }

    private Thresholds thresholds() {
        try {
            return Thresholds.parse(
                    said.entry(PlanKey.THRESHOLDS).map(PlanInput.Entry::values).orElse(List.of()));
        } catch (ThresholdSyntaxException e) {
            said.refuse(PlanKey.THRESHOLDS, e.getMessage());
            return new Thresholds(List.of());
        }
    }

    /** Every test case becomes objects, lines and a directory: a plan of millions would fail late, and in memory. */
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
            said.problem(String.format(
                    Locale.ROOT,
                    "the plan has %.0f test cases but a run has at most %d; give fewer scenarios, users, message sizes,"
                            + " heaps or delays, or make several runs of it",
                    cells,
                    MAX_CELLS));
        }
    }
}
