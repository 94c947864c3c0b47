/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.detached;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

import io.gatebench.hosts.SshHost;
import io.gatebench.hosts.SshTarget;
import io.gatebench.hosts.environment.CloudEnvironment;
import io.gatebench.hosts.environment.HostsPlan;
import io.gatebench.model.NodeRole;
import io.gatebench.model.ShellWord;
import io.gatebench.model.cloud.CloudDeployment;
import io.gatebench.model.cloud.CloudException;
import io.gatebench.model.cloud.CloudOffer;
import io.gatebench.model.cloud.ProvisionedHosts;
import io.gatebench.runner.plan.PlanFile;
import io.gatebench.runner.plan.PlanInput;
import io.gatebench.runner.plan.PlanKey;
import io.gatebench.settings.PlanException;
import io.gatebench.spi.EnvironmentException;
import io.gatebench.spi.host.BundledText;
import io.gatebench.spi.host.CommandResult;
import io.gatebench.spi.host.HostException;
import io.gatebench.spi.host.TemporaryDirectory;

/**
 * Creates machines and leaves the run to one of them: the program, its plan and the files that this names are put on the
 * first load generator, and the program is started there, detached.
 *
 * <p>Secrets go in files that only the login may read. What is left knows nothing of the cloud and has no credentials.
 */
public final class Detachment {

    private static final Duration QUICK = Duration.ofSeconds(30);
    private static final Duration BEGINNING = Duration.ofMinutes(5);
    private static final int MAX_FILES = 1000;
    private static final long MAX_BYTES = 1L << 30;
    private static final int SHOWN_LINES = 20;
    private static final String SECRETS = "secrets";
    private static final String KEY = SECRETS + "/key";
    private static final String KNOWN_HOSTS = SECRETS + "/known_hosts";
    private static final String DATABASE = SECRETS + "/database";
    private static final String ENVIRONMENT = SECRETS + "/environment";
    /** By these the scripts find the processes of roles. */
    private static final List<String> MARKS = List.of("GATEBENCH_WORK", "GATEBENCH_RUN", "GATEBENCH_ROLE");

    private final CloudDeployment deployment;
    private final DetachBundle bundle;
    private final Clock clock;
    private final Consumer<String> notes;

    private Detachment(CloudDeployment deployment, DetachBundle bundle, Clock clock, Consumer<String> notes) {
        this.deployment = deployment;
        this.bundle = bundle;
        this.clock = clock;
        this.notes = notes;
    }

    /**
     * Files that the run takes with it.
     *
     * @param jar the packaged program
     * @param input the plan as the user wrote it
     * @param results where the results are fetched to, unless said otherwise then
     * @param keep how long the machine with the results stays after the run; zero for until the end of everything
     * @param environment the environment variables here, of which those that begin with {@code GATEBENCH_} go along
     */
    public record DetachBundle(
            Path jar, PlanInput input, Path results, Duration keep, Map<String, String> environment) {

        /** Copies the map. */
        public DetachBundle {
            environment = Map.copyOf(environment);
        }
    }

    /**
     * Refuses a plan that cannot be left, before anything costs.
     *
     * @throws PlanException with every problem
     */
    public static void check(PlanInput input) {
        List<String> problems = new ArrayList<>();
        path(input, PlanKey.GATEWAY_HOME)
                .filter(Files::isDirectory)
                .ifPresent(pack -> problems.add("--detach takes a pack as a zip file, but " + pack
                        + " is a directory; zip it, or drop --detach"));
        path(input, PlanKey.GATEWAY_CONFIG).ifPresent(file -> beside(file, problems));
        if (!problems.isEmpty()) {
            throw new PlanException(problems);
        }
    }

    private static Optional<Path> path(PlanInput input, PlanKey key) {
        return input.get(key)
                .map(entry -> Path.of(entry.values().get(0)).toAbsolutePath().normalize());
    }

    /** Returns a configuration with all files of its directory, among which are those that it names. */
    private static List<Path> beside(Path file, List<String> problems) {
        List<Path> files = new ArrayList<>();
        long bytes = 0;
        try (Stream<Path> all = Files.walk(file.getParent())) {
            for (Path each : (Iterable<Path>) all.filter(Files::isRegularFile)::iterator) {
                files.add(each);
                bytes += Files.size(each);
                if (files.size() > MAX_FILES || bytes > MAX_BYTES) {
                    problems.add("--detach takes the directory of " + file + " along with it, which holds more than "
                            + MAX_FILES + " files or 1 GiB; put the file and what it names into one of its own");
                    return List.of();
                }
            }
        } catch (IOException | UncheckedIOException e) {
            problems.add("the directory of " + file + " cannot be read: " + e.getMessage());
        }
        return files;
    }

    /**
     * Creates the machines, starts the run on one of them, and returns when test cases are measured there.
     *
     * @param records returns the directory of the records of a run
     * @param notes is told in words what happens; called by several threads
     * @throws EnvironmentException if that fails; the machines are removed then
     */
    public static DetachedRun leave(
            CloudOffer offer,
            DetachBundle bundle,
            Function<String, Path> records,
            Clock clock,
            Consumer<String> notes) {
        return CloudEnvironment.guarded(unwanted -> {
            CloudDeployment deployment;
            try {
                deployment = offer.create();
            } catch (CloudException e) {
                throw CloudEnvironment.failed(e);
            }
            try {
                DetachedRun left = new Detachment(deployment, bundle, clock, notes)
                        .leave(records.apply(deployment.run()), unwanted);
                deployment.detach();
                return left;
            } catch (EnvironmentException | HostException | CloudException e) {
                RuntimeException failure = CloudEnvironment.failed(e);
                remove(deployment, failure, notes);
                throw failure;
            } catch (RuntimeException e) {
                remove(deployment, e, notes);
                throw e;
            } finally {
                deployment.close();
            }
        });
    }

    private static void remove(CloudDeployment deployment, RuntimeException cause, Consumer<String> notes) {
        // What interrupted the wait must not interrupt the removal.
        Thread.interrupted();
        try {
            deployment.close();
        } catch (CloudException left) {
            cause.addSuppressed(left);
            notes.accept(left.getMessage());
        }
    }

    private DetachedRun leave(Path records, BooleanSupplier unwanted) {
        ProvisionedHosts stack = deployment.stacks().get(0);
        HostsPlan plan = CloudEnvironment.plan(stack);
        CloudEnvironment.awaitBoot(plan, deployment, notes, unwanted);
        ProvisionedHosts.Machine machine = stack.hosts().stream()
                .filter(candidate -> candidate.role() == NodeRole.LOAD_GENERATOR)
                .findFirst()
                .orElseThrow();
        SshTarget target = plan.hosts().get(machine.name());
        String java = java(target, plan);
        try (Leases leases = new Leases(plan);
                SshHost host = SshHost.connect(target, plan.settings(), deployment.run(), notes)) {
            leases.keep();
            String directory = host.facts().getOrDefault("home", "/tmp") + "/gatebench-" + deployment.run();
            notes.accept("putting the program and its files on " + host.name());
            put(host, directory, stack, machine, plan);
            require(unwanted);
            DetachedRun left = new DetachedRun(
                    deployment.run(),
                    machine.name(),
                    machine.address(),
                    stack.user(),
                    stack.privateKey().toString(),
                    plan.settings().knownHosts().toString(),
                    directory,
                    bundle.results().toAbsolutePath().normalize().toString(),
                    deployment.end().toString(),
                    bundle.keep().toSeconds());
            // Before the start: whatever happens to this program, the run can be found again.
            left.write(records);
            start(host, directory, java);
            DetachedWatch watch = new DetachedWatch(host, directory, notes);
            DetachedRun.State state = watch.awaitBeginning(BEGINNING);
            require(unwanted);
            if (state.phase() == DetachedRun.Phase.GONE
                    || state.exitCode().orElse(0) != 0 && !isMeasured(host, directory)) {
                List<String> problems = new ArrayList<>();
                problems.add("the run ended on " + host.name() + " before it measured anything:");
                problems.addAll(watch.lastLines(SHOWN_LINES));
                throw new EnvironmentException(problems);
            }
            return left;
        }
    }

    private static boolean isMeasured(SshHost host, String directory) {
        return host.run(List.of("test", "-s", directory + "/" + DetachedWatch.RESULTS + "/run.json"), QUICK)
                        .exitCode()
                == 0;
    }

    private static void require(BooleanSupplier unwanted) {
        if (unwanted.getAsBoolean()) {
            throw new HostException("interrupted while the run was put on its machine");
        }
    }

    /** A connection of its own: what installs Java takes the host, which the run is to take later. */
    private String java(SshTarget target, HostsPlan plan) {
        try (SshHost host = SshHost.connect(target, plan.settings(), deployment.run() + "-java", notes)) {
            if (target.installJava().isPresent()) {
                host.lock("the preparation of the run " + deployment.run());
            }
            return host.java();
        }
    }

    private void put(
            SshHost host, String directory, ProvisionedHosts stack, ProvisionedHosts.Machine machine, HostsPlan plan) {
        makePrivate(host, directory);
        try (TemporaryDirectory temporary = TemporaryDirectory.create("gatebench-detach-")) {
            Path here = temporary.path();
            host.upload(bundle.jar(), directory + "/orchestrator.jar");
            Optional<String> jdk = stack.installJava().map(archive -> {
                host.upload(archive, directory + "/jdk.tar.gz");
                return "jdk.tar.gz";
            });
            host.upload(stack.privateKey(), directory + "/" + KEY);
            host.upload(
                    write(here, "known_hosts", knownHosts(plan.settings().knownHosts(), stack)),
                    directory + "/" + KNOWN_HOSTS);
            stack.database().ifPresent(server -> host.upload(server.password(), directory + "/" + DATABASE));
            String variables = variables();
            if (!variables.isEmpty()) {
                host.upload(write(here, "environment", variables), directory + "/" + ENVIRONMENT);
            }
            host.upload(
                    write(
                            here,
                            "machines.json",
                            DetachedMachines.describe(
                                    deployment, stack, machine.name(), KEY, KNOWN_HOSTS, jdk, DATABASE)),
                    directory + "/machines.json");
            Path plans = here.resolve("plan.yaml");
            PlanFile.write(plans, moved(host, directory));
            host.upload(plans, directory + "/plan.yaml");
            host.upload(
                    write(here, DetachedWatch.SCRIPT, BundledText.of(Detachment.class, DetachedWatch.SCRIPT)),
                    directory + "/" + DetachedWatch.SCRIPT);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot use a temporary directory", e);
        }
    }

    /** Puts the files that the plan names there, and returns the plan that names them by their places there. */
    private PlanInput moved(SshHost host, String directory) {
        PlanInput moved = new PlanInput().over(bundle.input());
        for (PlanKey key : List.of(PlanKey.GATEWAY_HOME, PlanKey.PAYLOAD_FILE)) {
            path(bundle.input(), key)
                    .ifPresent(file -> name(
                            moved, key, host.upload(file, directory + "/" + key.key() + "/" + file.getFileName())));
        }
        path(bundle.input(), PlanKey.GATEWAY_CONFIG).ifPresent(file -> {
            List<String> problems = new ArrayList<>();
            String there = directory + "/" + PlanKey.GATEWAY_CONFIG.key() + "/" + SECRETS + "/";
            for (Path each : beside(file, problems)) {
                host.upload(each, there + file.getParent().relativize(each));
            }
            if (!problems.isEmpty()) {
                throw new EnvironmentException(problems);
            }
            name(moved, PlanKey.GATEWAY_CONFIG, there + file.getFileName());
        });
        return moved;
    }

    private static void name(PlanInput plan, PlanKey key, String path) {
        plan.put(key, new PlanInput.Entry(List.of(path), key.key()));
    }

    private static void makePrivate(SshHost host, String directory) {
        CommandResult made = host.run(List.of("mkdir", "-p", "-m", "700", directory), QUICK);
        if (made.exitCode() != 0) {
            throw new HostException(host.name() + ": cannot create the directory " + directory + ": "
                    + made.errorOutput().trim());
        }
    }

    /** The machines reach each other by other addresses than those by which they are reached from here. */
    private static String knownHosts(Path file, ProvisionedHosts stack) {
        StringBuilder text = new StringBuilder();
        try {
            for (String line : Files.readAllLines(file)) {
                text.append(line).append('\n');
                for (ProvisionedHosts.Machine machine : stack.hosts()) {
                    if (line.startsWith(machine.address() + " ")
                            && !machine.address().equals(machine.roleAddress())) {
                        text.append(machine.roleAddress())
                                .append(line, machine.address().length(), line.length())
                                .append('\n');
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the host keys cannot be read from " + file, e);
        }
        return text.toString();
    }

    private String variables() {
        StringBuilder text = new StringBuilder();
        new TreeMap<>(bundle.environment()).forEach((name, value) -> {
            if (name.matches("GATEBENCH_[A-Za-z0-9_]+") && !MARKS.contains(name)) {
                text.append("export ")
                        .append(name)
                        .append('=')
                        .append(ShellWord.quoted(value))
                        .append('\n');
            }
        });
        return text.toString();
    }

    private void start(SshHost host, String directory, String java) {
        long end = deployment.end().getEpochSecond();
        long keep = bundle.keep().isZero() ? end : bundle.keep().toSeconds();
        List<String> command = new ArrayList<>(List.of(
                "sh",
                directory + "/" + DetachedWatch.SCRIPT,
                "start",
                java,
                String.valueOf(end),
                String.valueOf(keep)));
        command.addAll(deployment.leaseCommand());
        CommandResult started = host.run(command, QUICK);
        if (started.exitCode() != 0) {
            throw new HostException(host.name() + " cannot start the run: "
                    + started.errorOutput().trim());
        }
    }

    /** A large pack on a slow line takes longer than the first lease of the machines. */
    private final class Leases implements AutoCloseable {

        private final List<SshHost> hosts = new ArrayList<>();
        private final ScheduledExecutorService renewal = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "gatebench-cloud-lease");
            thread.setDaemon(true);
            return thread;
        });

        private Leases(HostsPlan plan) {
            try {
                for (SshTarget target : plan.hosts().values()) {
                    hosts.add(SshHost.connect(target, plan.settings(), deployment.run(), notes));
                }
            } catch (HostException e) {
                close();
                throw e;
            }
        }

        private void keep() {
            renewal.scheduleWithFixedDelay(
                    () -> CloudEnvironment.renew(deployment, hosts, clock, notes),
                    0,
                    deployment.lease().dividedBy(3).toSeconds(),
                    TimeUnit.SECONDS);
        }

        @Override
        public void close() {
            renewal.shutdownNow();
            hosts.forEach(SshHost::close);
        }
    }

    private static Path write(Path directory, String name, String text) {
        try {
            return Files.writeString(directory.resolve(name), text);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + name, e);
        }
    }
}
