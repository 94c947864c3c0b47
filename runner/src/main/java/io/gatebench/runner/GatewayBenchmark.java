/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.gatebench.gateways.ProductRegistry;
import io.gatebench.gateways.http.OwnProduct;
import io.gatebench.gateways.http.UrlProduct;
import io.gatebench.hosts.SteadyClock;
import io.gatebench.hosts.environment.CloudEnvironment;
import io.gatebench.hosts.environment.ClusterProvider;
import io.gatebench.hosts.environment.HostsFile;
import io.gatebench.hosts.environment.HostsPlan;
import io.gatebench.hosts.environment.LocalPreflight;
import io.gatebench.load.engine.HttpClientKind;
import io.gatebench.load.engine.LoadModel;
import io.gatebench.model.GatewayRestart;
import io.gatebench.model.cloud.CloudOffer;
import io.gatebench.report.ab.AbJudge;
import io.gatebench.report.ab.AbWriter;
import io.gatebench.runner.plan.LoadLevels;
import io.gatebench.runner.plan.PlanFile;
import io.gatebench.runner.plan.PlanInput;
import io.gatebench.runner.plan.PlanKey;
import io.gatebench.runner.plan.RunPlan;
import io.gatebench.runner.run.AbPlaces;
import io.gatebench.runner.run.AbRun;
import io.gatebench.runner.run.Interruption;
import io.gatebench.runner.run.Launcher;
import io.gatebench.runner.run.PartitionStrategy;
import io.gatebench.runner.run.PerfRun;
import io.gatebench.runner.run.PlugIns;
import io.gatebench.runner.run.ShutdownHook;
import io.gatebench.settings.PlanException;
import io.gatebench.spi.Environment;
import io.gatebench.spi.OwnGateway;
import io.gatebench.spi.Product;
import io.gatebench.spi.Profile;
import io.gatebench.spi.RunListener;

/**
 * A performance test as a Java object: the same plan, checks and measurement as the command line program's {@code run}.
 *
 * <pre>{@code
 * BenchmarkResult result = GatewayBenchmark.product("apim")
 *         .scenarios("passthrough")
 *         .users(50)
 *         .duration(Duration.ofSeconds(180))
 *         .warmUpUntilSteady(Duration.ofSeconds(120))
 *         .run();
 * }</pre>
 *
 * <p>What is not said has the program's default. Gateway, back end and load generator run as JVMs of their own, also when
 * all of them are on this machine; they are stopped, and keys and tokens removed, before {@link #run} returns or throws,
 * and when the JVM is shut down meanwhile. One measurement of a user runs on a machine at a time: a further one, in
 * whatever JVM, waits for its turn. Instances are immutable; {@link #run} may be called again and measures anew.
 *
 * @since 0.1
 */
public final class GatewayBenchmark {

    /** Time that a test waits for its turn unless {@link Builder#patience} says otherwise. */
    public static final Duration DEFAULT_PATIENCE = Duration.ofMinutes(10);

    private static final Duration SHUTDOWN_PATIENCE = Duration.ofSeconds(90);
    /** Machines that cost money are removed before the JVM ends, which takes minutes. */
    private static final Duration REMOVAL_PATIENCE = Duration.ofMinutes(60);

    private final Launcher launcher;
    private final Optional<Path> parent;
    private final Optional<HostsPlan> hosts;
    private final Optional<Path> kubernetes;
    private final Optional<Rental> rental;
    private final Duration patience;
    private final RunListener listener;
    private final Clock clock;

    private GatewayBenchmark(Builder builder) {
        this.clock = new SteadyClock();
        this.launcher = new Launcher(builder.products, builder.located(), Optional.ofNullable(builder.resumed), clock);
        this.parent = Optional.ofNullable(builder.parent);
        this.hosts = Optional.ofNullable(builder.hosts)
                .map(file -> HostsFile.read(file, builder.acceptNewHostKeys, Optional.ofNullable(builder.installJava)));
        this.kubernetes = Optional.ofNullable(builder.kubernetes);
        this.rental = builder.rental();
        this.patience = builder.patience;
        this.listener = builder.listener;
        if (Stream.of(hosts, kubernetes, rental).filter(Optional::isPresent).count() > 1) {
            throw new PlanException(List.of("hosts(..), kubernetes(..) and aws(..) exclude each other"));
        }
        plan();
    }

    private boolean isLocal() {
        return hosts.isEmpty() && kubernetes.isEmpty() && rental.isEmpty();
    }

    /**
     * Starts the description of a test of a product.
     *
     * @param name the product's name, e.g. {@code apim}; see the program's command {@code products}
     */
    public static Builder product(String name) {
        return new Builder().set(PlanKey.PRODUCT, "product", List.of(name));
    }

    /** Starts the description of a test of a product that need not be registered as a service. */
    public static Builder product(Product product) {
        Builder builder = product(product.name());
        builder.products.removeIf(known -> known.name().equals(product.name()));
        builder.products.add(product);
        return builder;
    }

    /**
     * Starts the description of a test of any HTTP gateway.
     *
     * @param gatewayConfig the YAML file that says how it starts, where it listens and what it serves
     */
    public static Builder http(Path gatewayConfig) {
        return product("http").set(PlanKey.GATEWAY_CONFIG, "gatewayConfig", List.of(gatewayConfig.toString()));
    }

    /**
     * Starts the description of a test of a gateway that the caller starts in front of the back end of the run, with a POST
     * to {@code /}. It gets what a started gateway gets: the control run, and, where it listens in this JVM, the figures of
     * the process and of its garbage collection.
     *
     * @param start starts the gateway and returns its base URL
     */
    public static Builder gateway(OwnGateway.Start start) {
        return gateway(OwnGateway.startedBy(start));
    }

    /** Starts the description of a test of a gateway that the caller starts, with more that is known of it. */
    public static Builder gateway(OwnGateway gateway) {
        return product(new OwnProduct(gateway));
    }

    /**
     * Starts the description of a test of whatever answers a POST at a URL with status 200 and runs already.
     *
     * <p>The scenario is called {@code url}. Only the status is checked: an answer of the right status and the wrong
     * content counts as a success. {@link #http} checks more.
     *
     * @throws io.gatebench.settings.PlanException if it is no HTTP URL
     */
    public static Builder url(URI url) {
        return product(UrlProduct.at(url));
    }

    /**
     * Starts the description of a test from a plan file, the one that the program's {@code --plan} takes.
     *
     * @throws io.gatebench.settings.PlanException with file and line of every problem
     */
    public static Builder plan(Path file) {
        Builder builder = new Builder();
        builder.input = PlanFile.read(file);
        return builder;
    }

    /**
     * Starts the description of a test that goes on with a run which was interrupted: finished test cases are kept, the
     * others measured. What was planned is known from the directory.
     *
     * <p>{@link Builder#build} refuses what would measure the others in another way.
     *
     * @param directory the results directory of that run
     */
    public static Builder resume(Path directory) {
        Builder builder = new Builder();
        builder.resumed = directory;
        return builder;
    }

    private RunPlan plan() {
        return kubernetes.isPresent() ? launcher.planWithLimits(launcher.input()) : launcher.plan();
    }

    /** Returns the number of test cases, repeats counted. */
    public int cells() {
        return plan().cells();
    }

    /** Returns the time that {@link #run} needs, start and stop of the roles included; an estimate. */
    public Duration estimate() {
        return plan().estimate();
    }

    /**
     * Measures, writes the report, and returns what was found, also if test cases failed or thresholds were missed.
     *
     * <p>An interrupt of the calling thread ends the test as Ctrl-C ends the program: what was measured is kept, and the
     * thread is interrupted when this returns.
     *
     * @throws io.gatebench.settings.PlanException if this machine cannot do what the plan demands, or the results
     *     directory is not empty; nothing was started
     * @throws io.gatebench.spi.EnvironmentException if hosts cannot be used, and nothing was started; or if machines that cost
     *     money could not be removed after the run
     * @throws IllegalStateException if another measurement ran for longer than the patience
     */
    public BenchmarkResult run() {
        MachineLock lock = MachineLock.take(MachineLock.file(), patience);
        try {
            rental.ifPresent(Rental::check);
            PlanInput said = rental.map(rented -> rented.fetched(launcher.input(), listener::note))
                    .orElseGet(launcher::input);
            // The gateway of a plan is prepared once: each run has a plan of its own.
            RunPlan plan = kubernetes
                    .map(file -> launcher.planWithLimits(launcher.withGatewayOf(cluster(), file, said)))
                    .orElseGet(() -> launcher.plan(said));
            Path directory = directory(plan);
            LocalPreflight.check(plan.demands(), directory, isLocal());
            return measure(plan, directory);
        } finally {
            lock.release();
        }
    }

    /**
     * Starts the gateway of the first test case on this machine and leaves it running without load.
     *
     * @param backend the base URL of what it forwards to
     */
    public StartedGateway startGateway(URI backend) {
        return StartedGateway.start(launcher.plan(), backend, listener, clock);
    }

    /**
     * Measures the gateway of this test in turns with another one on this machine, start by start, and ends as soon as it is
     * known whether this one is slower, or the time is over; the program's {@code ab}.
     *
     * <p>Of the plan's timing only the warm-up counts; it may be short, as both have the same. Both tests must have the
     * same cases, but for the heap. An interrupt of the calling thread ends the measurement.
     *
     * @param before the gateway that this one is held against
     * @param lossPercent the loss that is to be ruled out
     * @param longest ends at the latest when no further start fits into this time
     * @throws IllegalArgumentException if the two cannot be measured alike
     * @throws IllegalStateException if the tests are for other hosts, or another measurement ran for longer than the patience
     */
    public SideBySide sideBySide(GatewayBenchmark before, double lossPercent, Duration longest) {
        if (!isLocal() || !before.isLocal()) {
            throw new IllegalStateException("two gateways are measured in turns on this machine alone; drop hosts(..),"
                    + " kubernetes(..) or aws(..)");
        }
        MachineLock lock = MachineLock.take(MachineLock.file(), patience);
        Interruption interruption = new Interruption();
        try (ShutdownHook hook = hook(interruption)) {
            RunPlan judged = launcher.plan();
            RunPlan known = before.launcher.plan();
            Path directory = directory(judged);
            List.of(known, judged).forEach(plan -> LocalPreflight.check(plan.demands(), directory, true));
            AbRun.Settings settings = new AbRun.Settings(
                    contestant(known),
                    contestant(judged),
                    AbRun.WINDOW,
                    AbRun.LEAD_IN,
                    longest,
                    new AbJudge(
                            AbJudge.DEFAULT_FALSE_ALARMS,
                            lossPercent,
                            AbJudge.DEFAULT_SMALLEST_CHANGE_PERCENT,
                            judged.plan().testCases().size()),
                    false);
            try (AbRun run = new AbRun(settings, directory, AbPlaces::local, clock, listener::note)) {
                hook.add();
                AbRun.Outcome outcome = run.execute(interruption);
                return new SideBySide(
                        directory,
                        outcome.result().slower(),
                        outcome.result().lossRuledOut(),
                        new AbWriter().table(outcome.result()),
                        outcome.failure());
            }
        } finally {
            lock.release();
        }
    }

    private static AbRun.Contestant contestant(RunPlan plan) {
        return new AbRun.Contestant(
                plan.gateway().applicationName(), List.of(plan), plan.plan().testCases());
    }

    private BenchmarkResult measure(RunPlan plan, Path directory) {
        Interruption interruption = new Interruption();
        InterruptWatch watch = new InterruptWatch(listener, interruption);
        Optional<CloudOffer> offer = rental.map(rented -> rented.offer(plan, listener::note));
        AtomicReference<@Nullable CloudEnvironment> rented = new AtomicReference<>();
        try (ShutdownHook hook = hook(interruption)) {
            try (PerfRun run = launcher.open(plan, directory, work -> environment(plan, work, offer, rented), watch)) {
                hook.add();
                run.execute(interruption, rental.map(Rental::split).orElse(PartitionStrategy.TIME));
            }
            CloudEnvironment ended = rented.get();
            if (ended != null) {
                rental.orElseThrow().end(ended, directory, listener::note);
            }
            return BenchmarkResult.read(directory);
        } finally {
            watch.restore();
        }
    }

    private Environment environment(
            RunPlan plan, Path work, Optional<CloudOffer> offer, AtomicReference<@Nullable CloudEnvironment> rented) {
        if (offer.isPresent()) {
            CloudEnvironment opened = rental.orElseThrow().open(offer.get(), plan, clock, listener::note);
            rented.set(opened);
            return opened;
        }
        if (kubernetes.isPresent()) {
            return cluster().open(kubernetes.get(), plan.demands(), Launcher.newId(), clock, listener::note);
        }
        return launcher.environment(hosts, plan, work, listener::note);
    }

    private static ClusterProvider cluster() {
        return PlugIns.kubernetes()
                .orElseThrow(() -> new PlanException(List.of("Kubernetes is not there: add"
                        + " io.gatebench:gatebench-environment-kubernetes to the class path, or drop kubernetes(..)")));
    }

    private ShutdownHook hook(Interruption interruption) {
        return new ShutdownHook(
                interruption,
                rental.isPresent() || kubernetes.isPresent() ? REMOVAL_PATIENCE : SHUTDOWN_PATIENCE,
                kept -> {});
    }

    private Path directory(RunPlan plan) {
        return parent.map(directory -> IntStream.iterate(1, i -> i + 1)
                        .mapToObj(number -> directory.resolve("run-" + number))
                        .filter(Files::notExists)
                        .findFirst()
                        .orElseThrow())
                .orElseGet(() -> launcher.results(plan));
    }

    /**
     * Describes a test; every method sets what the program's option of that name sets.
     *
     * <p>Values are checked together by {@link #build}. Not safe for use by several threads.
     *
     * @since 0.1
     */
    public static final class Builder {

        private final List<Product> products =
                new ArrayList<>(ProductRegistry.load().products());
        private PlanInput input = new PlanInput();
        private @Nullable Path parent;
        private @Nullable Path base;
        private @Nullable Path hosts;
        private @Nullable Path kubernetes;
        private @Nullable Path aws;
        private @Nullable Double maxCost;
        private @Nullable Duration maxTime;
        private @Nullable Duration keepFor;
        private @Nullable Integer stacks;
        private @Nullable String split;
        private boolean acceptNewHostKeys;
        private @Nullable Path installJava;
        private @Nullable Path resumed;
        private Duration patience = DEFAULT_PATIENCE;
        private RunListener listener = RunListener.SILENT;

        private Builder() {}

        private Builder set(PlanKey key, String method, List<String> values) {
            if (values.isEmpty()) {
                throw new IllegalArgumentException(method + " needs at least one value");
            }
            input.put(key, new PlanInput.Entry(values, method));
            return this;
        }

        private Builder time(PlanKey key, String method, Duration... times) {
            return set(
                    key,
                    method,
                    Arrays.stream(times).map(time -> time.toMillis() + "ms").toList());
        }

        private Builder numbers(PlanKey key, String method, int... numbers) {
            return set(
                    key,
                    method,
                    Arrays.stream(numbers).mapToObj(Integer::toString).toList());
        }

        /** Sets matrix and durations of a profile as defaults; {@link Profile#QUICK} unless set. */
        public Builder profile(Profile profile) {
            return set(PlanKey.PROFILE, "profile", List.of(profile.optionName()));
        }

        /** Runs only these scenarios; {@code *} stands for any characters. */
        public Builder scenarios(String... names) {
            return set(PlanKey.SCENARIO, "scenarios", List.of(names));
        }

        /** Leaves these scenarios out; {@code *} stands for any characters. */
        public Builder excludeScenarios(String... names) {
            return set(PlanKey.EXCLUDE_SCENARIO, "excludeScenarios", List.of(names));
        }

        /** Sets the heap sizes of the gateway, e.g. {@code 512M}. */
        public Builder heaps(String... sizes) {
            return set(PlanKey.HEAP, "heaps", List.of(sizes));
        }

        /** Sets the numbers of concurrent users. */
        public Builder users(int... users) {
            return numbers(PlanKey.USERS, "users", users);
        }

        /** Sets the request payloads in bytes. */
        public Builder messageSizes(int... bytes) {
            return numbers(PlanKey.MESSAGE_SIZE, "messageSizes", bytes);
        }

        /** Sets the GraphQL query numbers, 1 to 3. */
        public Builder queries(int... queries) {
            return numbers(PlanKey.QUERY, "queries", queries);
        }

        /** Sets the numbers of elements of the bare XML payloads. */
        public Builder elements(int... elements) {
            return numbers(PlanKey.ELEMENTS, "elements", elements);
        }

        /** Sets the waits that the back end adds, in whole milliseconds. */
        public Builder backendDelays(Duration... delays) {
            return time(PlanKey.BACKEND_DELAY, "backendDelays", delays);
        }

        /** Sets the length of each test, warm-up included. */
        public Builder duration(Duration duration) {
            return time(PlanKey.DURATION, "duration", duration);
        }

        /** Sets the leading part that does not count. */
        public Builder warmUp(Duration warmUp) {
            return time(PlanKey.WARM_UP, "warmUp", warmUp);
        }

        /**
         * Lets the warm-up last until the load is steady and the compilers of gateways and load generators have little left to do.
         *
         * @param limit the longest warm-up, in whole milliseconds; {@link #duration} less this is the window
         */
        public Builder warmUpUntilSteady(Duration limit) {
            return set(PlanKey.WARM_UP, "warmUpUntilSteady", List.of("auto:" + limit.toMillis() + "ms"));
        }

        /** Sets the time in which all users start; part of the warm-up. */
        public Builder rampUp(Duration rampUp) {
            return time(PlanKey.RAMP_UP, "rampUp", rampUp);
        }

        /** Sends so many requests per second whatever the answers; the users are the most that may be under way. */
        public Builder rate(double requestsPerSecond) {
            return rates(List.of(LoadModel.Level.of(Duration.ZERO, requestsPerSecond)));
        }

        /**
         * Sends requests at rates that change, whatever the answers.
         *
         * @param levels e.g. of {@link LoadModel#staircase} or {@link LoadModel#spike}, in whole milliseconds
         */
        public Builder rates(List<LoadModel.Level> levels) {
            return set(PlanKey.RATE, "rates", LoadLevels.texts(levels));
        }

        /** Lets the number of users change while the test runs, instead of {@link #users}; in whole milliseconds. */
        public Builder userLevels(List<LoadModel.Level> levels) {
            return set(PlanKey.USER_LEVELS, "userLevels", LoadLevels.texts(levels));
        }

        /** Sets the wait of a user between an answer and its next request; none unless set. */
        public Builder thinkTime(Duration time) {
            return time(PlanKey.THINK_TIME, "thinkTime", time);
        }

        /** Sets the least time between two requests of a user; none unless set. */
        public Builder pacing(Duration time) {
            return time(PlanKey.PACING, "pacing", time);
        }

        /** Sends the bytes of a file instead of generated payloads. */
        public Builder payloadFile(Path file) {
            return set(PlanKey.PAYLOAD_FILE, "payloadFile", List.of(file.toString()));
        }

        /** Sets how many different payloads of one size users send in turn, against caches; 1 unless set. */
        public Builder payloadVariants(int variants) {
            return numbers(PlanKey.PAYLOAD_VARIANTS, "payloadVariants", variants);
        }

        /** Sets for how many samples one probe goes along with the load; 1000 unless set, 0 for no probe. */
        public Builder probeEvery(int samples) {
            return numbers(PlanKey.PROBE_EVERY, "probeEvery", samples);
        }

        /** Sets how often each test case is measured; 1 unless set. */
        public Builder repeats(int repeats) {
            return numbers(PlanKey.REPEAT, "repeats", repeats);
        }

        /** Sets when the gateway is started anew; {@link GatewayRestart#NEVER} in the quick profile unless set. */
        public Builder restart(GatewayRestart restart) {
            return set(PlanKey.RESTART, "restart", List.of(restart.optionName()));
        }

        /** Sets whether each test case is also measured straight at the back end. */
        public Builder controlRun(boolean controlRun) {
            return set(PlanKey.CONTROL_RUN, "controlRun", List.of(Boolean.toString(controlRun)));
        }

        /** Sets the heap of the back end, e.g. {@code 256M}. */
        public Builder backendHeap(String size) {
            return set(PlanKey.BACKEND_HEAP, "backendHeap", List.of(size));
        }

        /** Sets the heap of the load generator, e.g. {@code 512M}. */
        public Builder loadGeneratorHeap(String size) {
            return set(PlanKey.LOAD_GENERATOR_HEAP, "loadGeneratorHeap", List.of(size));
        }

        /** Measures the gateway that runs already at this base URL; it is neither started nor stopped. */
        public Builder gatewayUrl(URI url) {
            return set(PlanKey.GATEWAY_URL, "gatewayUrl", List.of(url.toString()));
        }

        /** Sets the port of the gateway; the run is refused if it is taken. */
        public Builder gatewayPort(int port) {
            return numbers(PlanKey.GATEWAY_PORT, "gatewayPort", port);
        }

        /** Sets the port of the back end; the run is refused if it is taken. */
        public Builder backendPort(int port) {
            return numbers(PlanKey.BACKEND_PORT, "backendPort", port);
        }

        /** Describes the gateway of the product {@code http} by a file. */
        public Builder gatewayConfig(Path file) {
            return set(PlanKey.GATEWAY_CONFIG, "gatewayConfig", List.of(file.toString()));
        }

        /** Installs and starts a product pack, a directory or a zip file, instead of the built-in gateway. */
        public Builder gatewayHome(Path pack) {
            return set(PlanKey.GATEWAY_HOME, "gatewayHome", List.of(pack.toString()));
        }

        /** Limits the processors that a gateway from a pack may use, e.g. {@code 1.5}. */
        public Builder cpus(double processors) {
            return set(PlanKey.CPUS, "cpus", List.of(Double.toString(processors)));
        }

        /** Sets the processors of its machine that the gateway gets for itself: numbers, {@code auto} or {@code all}. */
        public Builder gatewayCpus(String... numbers) {
            return set(PlanKey.GATEWAY_CPUS, "gatewayCpus", List.of(numbers));
        }

        /** Sets the memory that the gateway, or its container, is limited to, e.g. {@code 512M} and {@code 1G}. */
        public Builder gatewayMemory(String... sizes) {
            return set(PlanKey.GATEWAY_MEMORY, "gatewayMemory", List.of(sizes));
        }

        /** Sets the numbers of gateways that share the load, which pods of a cluster alone can be. */
        public Builder gatewayReplicas(int... numbers) {
            return numbers(PlanKey.GATEWAY_REPLICAS, "gatewayReplicas", numbers);
        }

        /** Sets whether what was set up in a gateway that runs on stays after the run. */
        public Builder keep(boolean keep) {
            return set(PlanKey.KEEP, "keep", List.of(Boolean.toString(keep)));
        }

        /** Sets the client of the load generator. */
        public Builder httpClient(HttpClientKind client) {
            return set(
                    PlanKey.HTTP_CLIENT,
                    "httpClient",
                    List.of(client.name().toLowerCase(Locale.ROOT).replace('_', '-')));
        }

        /** Sends payloads in the sizes of a predecessor's files, which are not exact: {@code wso2}. */
        public Builder payloadCompat(String predecessor) {
            return set(PlanKey.PAYLOAD_COMPAT, "payloadCompat", List.of(predecessor));
        }

        /** Gives scenarios other names in reports. */
        public Builder scenarioNames(Map<String, String> names) {
            return set(
                    PlanKey.SCENARIO_NAME,
                    "scenarioNames",
                    names.entrySet().stream()
                            .map(name -> name.getKey() + "=" + name.getValue())
                            .sorted()
                            .toList());
        }

        /** Sets whether test cases of which every request failed have a row in reports. */
        public Builder keepFailedRows(boolean keep) {
            return set(PlanKey.KEEP_FAILED_ROWS, "keepFailedRows", List.of(Boolean.toString(keep)));
        }

        /** Sets whether no test case is tried any more after one that failed. */
        public Builder stopOnFailure(boolean stop) {
            return set(PlanKey.STOP_ON_FAILURE, "stopOnFailure", List.of(Boolean.toString(stop)));
        }

        /** Sets conditions that the figures must meet, e.g. {@code p99 < 50ms}. */
        public Builder thresholds(String... conditions) {
            return set(PlanKey.THRESHOLDS, "thresholds", List.of(conditions));
        }

        /**
         * Sets what the option of a key sets, as text.
         *
         * @param values as the option takes them
         */
        public Builder option(PlanKey key, String... values) {
            return set(key, key.key(), List.of(values));
        }

        /** Sets the results directory, which must not exist or be empty; {@code results/<product>-<time>} unless set. */
        public Builder results(Path directory) {
            parent = null;
            return set(PlanKey.RESULTS, "results", List.of(directory.toString()));
        }

        /** Lets each run have a new directory {@code run-<n>} in this one. */
        public Builder resultsIn(Path directory) {
            parent = directory;
            return this;
        }

        /** Takes the relative paths of plan and options as of this directory, and not as of the one that the JVM was started in. */
        public Builder relativeTo(Path directory) {
            base = directory;
            return this;
        }

        private PlanInput located() {
            return base == null ? input : input.relativeTo(base);
        }

        /** Runs the roles on the machines of a hosts file instead of this one. */
        public Builder hosts(Path file) {
            hosts = file;
            return this;
        }

        /**
         * Runs the roles in pods that are created for the run in a cluster; needs {@code gatebench-environment-kubernetes} on
         * the class path.
         *
         * @param file the cluster, and the pods of each role
         */
        public Builder kubernetes(Path file) {
            kubernetes = file;
            return this;
        }

        /**
         * Runs the roles on machines in AWS that are created for the run, cost money, and are removed after it, without
         * asking; needs {@code gatebench-environment-aws} on the class path.
         *
         * @param file region, types and limits of the machines
         */
        public Builder aws(Path file) {
            aws = file;
            return this;
        }

        /** Sets the most in US dollars that the machines in AWS may cost; nothing lives longer than that pays for. */
        public Builder maxCost(double dollars) {
            maxCost = dollars;
            return this;
        }

        /** Sets the longest that anything in AWS may live. */
        public Builder maxTime(Duration time) {
            maxTime = time;
            return this;
        }

        /** Leaves the machines in AWS running for this time after the run. */
        public Builder keepFor(Duration time) {
            keepFor = time;
            return this;
        }

        /** Sets how many equal sets of machines in AWS share the test cases out and measure side by side. */
        public Builder stacks(int number) {
            stacks = number;
            return this;
        }

        /**
         * Sets how test cases are shared out: {@code time}, {@code scenario}, {@code users}, {@code size} or
         * {@code delay}.
         */
        public Builder split(String how) {
            split = how;
            return this;
        }

        private Optional<Rental> rental() {
            if (aws == null) {
                if (Stream.of(maxCost, maxTime, keepFor, stacks, split).anyMatch(Objects::nonNull)) {
                    throw new PlanException(
                            List.of("maxCost, maxTime, keepFor, stacks and split go with aws(..) alone"));
                }
                return Optional.empty();
            }
            return Optional.of(new Rental(
                    aws,
                    Optional.ofNullable(maxCost),
                    Optional.ofNullable(maxTime),
                    keepFor == null ? Duration.ZERO : keepFor,
                    stacks == null ? 1 : stacks,
                    split == null ? PartitionStrategy.TIME : PartitionStrategy.named(split)));
        }

        /** Accepts and keeps the keys of hosts that are not known yet; a changed key never. */
        public Builder acceptNewHostKeys() {
            acceptNewHostKeys = true;
            return this;
        }

        /** Puts the JDK of an archive on hosts that have none. */
        public Builder installJava(Path archive) {
            installJava = archive;
            return this;
        }

        /** Sets how long to wait while another measurement runs on this machine. */
        public Builder patience(Duration time) {
            patience = time;
            return this;
        }

        /** Sets who is told what happens meanwhile. */
        public Builder listener(RunListener other) {
            listener = other;
            return this;
        }

        /**
         * Returns the test.
         *
         * @throws io.gatebench.settings.PlanException with every problem of what was set
         */
        public GatewayBenchmark build() {
            return new GatewayBenchmark(this);
        }

        /** Builds the test and runs it: {@code build().run()}. */
        public BenchmarkResult run() {
            return build().run();
        }
    }
}
