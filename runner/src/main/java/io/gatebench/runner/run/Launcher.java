/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

import io.gatebench.hosts.environment.ClusterProvider;
import io.gatebench.hosts.environment.HostsEnvironment;
import io.gatebench.hosts.environment.HostsPlan;
import io.gatebench.hosts.environment.LocalEnvironment;
import io.gatebench.runner.plan.PlanBuilder;
import io.gatebench.runner.plan.PlanDifference;
import io.gatebench.runner.plan.PlanFile;
import io.gatebench.runner.plan.PlanInput;
import io.gatebench.runner.plan.PlanKey;
import io.gatebench.runner.plan.RunPlan;
import io.gatebench.settings.PlanException;
import io.gatebench.spi.Environment;
import io.gatebench.spi.Product;
import io.gatebench.spi.RunListener;

/**
 * The one way from what a user said to a run: for the program, for libraries and for tests.
 *
 * <p>It joins what is said now with what a run that is resumed was started with, makes the plan, finds the results
 * directory, and opens the run there. Instances are immutable.
 */
public final class Launcher {

    /** The plan in a results directory, by which the run can be resumed. */
    public static final String PLAN_FILE = "plan.yaml";

    private static final DateTimeFormatter STAMP =
            DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT).withZone(ZoneId.systemDefault());

    private final List<Product> products;
    private final PlanInput input;
    private final Optional<Path> resumed;
    private final Clock clock;

    /**
     * Creates a launcher.
     *
     * @param products the products that a plan can name
     * @param given what the user says now
     * @param resumed the results directory of the run to go on with; empty for a new run
     * @param clock the wall clock
     * @throws PlanException if the run that is to be resumed is not there, or was measured in another way
     */
    public Launcher(List<Product> products, PlanInput given, Optional<Path> resumed, Clock clock) {
        this.products = List.copyOf(products);
        this.resumed = resumed;
        this.clock = clock;
        this.input = resumed.map(directory -> over(given, directory)).orElseGet(() -> given.over(new PlanInput()));
    }

    /** Returns what the user says now, on top of what the run that is resumed was started with. */
    private static PlanInput over(PlanInput given, Path directory) {
        if (given.get(PlanKey.RESULTS).isPresent()) {
            throw new PlanException(List.of("--resume names the results directory; drop --results"));
        }
        if (!Files.isDirectory(directory)) {
            throw new PlanException(List.of(
                    "there is no results directory " + directory + " to go on with; name that of an earlier run"));
        }
        Path file = directory.resolve(PLAN_FILE);
        if (!Files.isRegularFile(file)) {
            throw new PlanException(List.of(directory + " has no " + PLAN_FILE
                    + ", which says how its test cases were measured; a run without it cannot be resumed: start a new "
                    + "one"));
        }
        PlanInput before = PlanFile.read(file);
        List<String> differences = PlanDifference.measurementSettings(before, given);
        if (!differences.isEmpty()) {
            throw new PlanException(differences);
        }
        return given.over(before);
    }

    /** Returns everything that was said, the run that is resumed included. */
    public PlanInput input() {
        return input;
    }

    /**
     * Returns the plan; each call has a gateway of its own, which is prepared once in a run.
     *
     * @throws PlanException with all problems
     */
    public RunPlan plan() {
        return plan(input);
    }

    /**
     * Returns the plan of an input that says the same with files that were fetched.
     *
     * @throws PlanException with all problems
     */
    public RunPlan plan(PlanInput fetched) {
        return new PlanBuilder(products).build(fetched);
    }

    /**
     * Returns an input with a copy here of its product pack, if that lies in a cloud's store of objects.
     *
     * @param where the place that a message names
     * @param fetch fetches what a URL names, and returns the copy
     */
    public static PlanInput withPack(PlanInput input, String where, Function<String, Path> fetch) {
        Optional<String> pack = input.get(PlanKey.GATEWAY_HOME)
                .map(entry -> entry.values().get(0))
                .filter(text -> text.startsWith("s3://"));
        if (pack.isEmpty()) {
            return input;
        }
        PlanInput fetched = new PlanInput().over(input);
        fetched.put(
                PlanKey.GATEWAY_HOME,
                new PlanInput.Entry(List.of(fetch.apply(pack.get()).toString()), where));
        return fetched;
    }

    /**
     * Returns an input with the gateway that the settings of a cluster name, if they name one.
     *
     * @throws PlanException if the input names one, too
     * @throws io.gatebench.spi.EnvironmentException if the cluster does not have it
     */
    public PlanInput withGatewayOf(ClusterProvider cluster, Path settings, PlanInput fetched) {
        cluster.check(settings);
        Optional<URI> url = cluster.gatewayUrl(settings);
        if (url.isEmpty()) {
            return fetched;
        }
        for (PlanKey key : List.of(PlanKey.GATEWAY_URL, PlanKey.GATEWAY_HOME)) {
            if (fetched.get(key).isPresent()) {
                throw new PlanException(List.of(fetched.get(key).get().where() + " and the gateway that " + settings
                        + " names exclude each other; drop one"));
            }
        }
        PlanInput found = new PlanInput().over(fetched);
        found.put(PlanKey.GATEWAY_URL, new PlanInput.Entry(List.of(url.get().toString()), settings + ": gateway"));
        return found;
    }

    /**
     * Returns the plan of an input for an environment that limits what the gateway runs in.
     *
     * @throws PlanException with all problems
     */
    public RunPlan planWithLimits(PlanInput fetched) {
        return new PlanBuilder(products).limited().build(fetched);
    }

    /**
     * Returns the results directory of a plan: that of the run to go on with, the one that the user named, or a new one
     * below {@code results}.
     *
     * @throws PlanException if a new run would meet something there
     */
    public Path results(RunPlan plan) {
        if (resumed.isPresent()) {
            return resumed.get();
        }
        Path directory =
                plan.results().orElseGet(() -> newResults(plan.product().name(), clock));
        requireNew(directory, ", or go on with --resume " + directory);
        return directory;
    }

    /** Returns the results directory of a measurement for which the user names none. */
    public static Path newResults(String of, Clock clock) {
        return Path.of("results", of + "-" + STAMP.format(clock.instant()));
    }

    /**
     * Checks that new results meet nothing in their directory.
     *
     * @param way the end of the message: what can be done beside naming another directory
     * @throws PlanException if there is something
     */
    public static void requireNew(Path directory, String way) {
        if (Files.isDirectory(directory) ? !isEmpty(directory) : Files.exists(directory)) {
            throw new PlanException(
                    List.of("the results directory " + directory + " exists and is not empty; name another one" + way));
        }
    }

    private static boolean isEmpty(Path directory) {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.findAny().isEmpty();
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Checks that this machine has the processors that a plan wants of it, as a run here does.
     *
     * @throws PlanException if it has fewer
     */
    public static void checkProcessorsHere(RunPlan plan) {
        if (plan.plan().matrix().gatewayCpus().stream()
                .allMatch(cpus -> cpus.number().isEmpty())) {
            return;
        }
        try (LocalEnvironment here = new LocalEnvironment(Path.of(System.getProperty("java.io.tmpdir")))) {
            CpuSets.of(here, plan.plan(), plan.gateway()).close();
        }
    }

    /**
     * Opens the run in its results directory, where a new one keeps what was said.
     *
     * @param environments makes the environment from a directory in which roles run
     * @throws PlanException with every difference if the plan or the environment is not that of the run to go on with
     * @throws io.gatebench.report.results.ReportException if the directory cannot be used
     * @throws io.gatebench.spi.EnvironmentException if the hosts cannot be used
     */
    public PerfRun open(RunPlan plan, Path results, Function<Path, Environment> environments, RunListener listener) {
        if (resumed.isPresent()) {
            return PerfRun.resume(plan, results, environments, clock, listener, ToolVersion.text());
        }
        PerfRun run = PerfRun.create(plan, results, environments, clock, listener, ToolVersion.text());
        PlanFile.write(results.resolve(PLAN_FILE), input);
        return run;
    }

    /**
     * Returns the environment of machines that are there: those of a hosts file, or this one.
     *
     * @param work where roles of this machine run
     * @param note is told what is worth knowing of the hosts
     * @throws io.gatebench.spi.EnvironmentException if the hosts cannot be used
     */
    public Environment environment(Optional<HostsPlan> hosts, RunPlan plan, Path work, Consumer<String> note) {
        return hosts.<Environment>map(there -> HostsEnvironment.open(there, plan.demands(), newId(), clock, note))
                .orElseGet(() -> new LocalEnvironment(work));
    }

    /** Returns a name for a run that no other one has. */
    public static String newId() {
        return UUID.randomUUID().toString().substring(0, 8);
    }
}
