/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.hosts.environment;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.gatebench.hosts.SshHost;
import io.gatebench.hosts.SshSettings;
import io.gatebench.hosts.SshTarget;
import io.gatebench.hosts.SteadyClock;
import io.gatebench.model.DatabaseServer;
import io.gatebench.model.NodeRole;
import io.gatebench.model.SystemInformation;
import io.gatebench.model.cloud.CloudDeployment;
import io.gatebench.model.cloud.CloudException;
import io.gatebench.model.cloud.CloudOffer;
import io.gatebench.model.cloud.ProvisionedHosts;
import io.gatebench.spi.Environment;
import io.gatebench.spi.EnvironmentException;
import io.gatebench.spi.host.CommandResult;
import io.gatebench.spi.host.Host;
import io.gatebench.spi.host.HostException;
import io.gatebench.spi.host.HostUnreachableException;
import io.gatebench.spi.host.Pause;

/**
 * Roles on machines that are rented for the run and given back at its end, whatever happens.
 *
 * <p>Between that each stack of machines is a {@link HostsEnvironment}, beside which the leases of the machines are
 * renewed.
 */
public final class CloudEnvironment implements Environment {

    private static final Duration BOOT = Duration.ofMinutes(10);
    private static final Duration FIRST_LOGIN = Duration.ofMinutes(2);
    private static final Duration REMOVAL = Duration.ofMinutes(60);
    private static final Duration QUICK = Duration.ofSeconds(30);
    /** Time enough to stop what runs on them in good order. */
    private static final Duration LAST_LEASE = Duration.ofMinutes(3);

    private static final String AWAIT_BOOT =
            "if command -v cloud-init >/dev/null 2>&1; then cloud-init status --wait >/dev/null; fi; exit 0";

    private final String name;
    private final CloudDeployment deployment;
    private final List<Stack> stacks;
    private final Duration keep;
    private final Clock clock;
    private final Consumer<String> notes;
    private final ScheduledExecutorService renewal;
    private boolean closed;
    private volatile @Nullable String leftBehind;

    private CloudEnvironment(
            String name,
            CloudDeployment deployment,
            List<Stack> stacks,
            Duration keep,
            Clock clock,
            Consumer<String> notes) {
        this.name = name;
        this.deployment = deployment;
        this.stacks = List.copyOf(stacks);
        this.keep = keep;
        this.clock = clock;
        this.notes = notes;
        this.renewal = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "gatebench-cloud-lease");
            thread.setDaemon(true);
            return thread;
        });
    }

    /**
     * Creates the machines, waits until they can be used, and takes them for this run. Of several stacks some may turn
     * out to be of no use, which their {@link #problem()} says.
     *
     * @param name the name of the environment
     * @param keep how long the machines stay after the run; zero to remove them at once
     * @param notes is told in words what happens; called by several threads
     * @throws EnvironmentException if that fails; the machines are removed then
     */
    public static CloudEnvironment open(
            String name,
            CloudOffer offer,
            HostRequirements demands,
            Duration keep,
            Clock clock,
            Consumer<String> notes) {
        return guarded(unwanted -> {
            CloudEnvironment environment = create(name, offer, demands, keep, clock, notes);
            if (!unwanted.getAsBoolean()) {
                return environment;
            }
            // The interrupt that came too late to end the creation must not end the removal.
            Thread.interrupted();
            environment.close();
            List<String> problems = new ArrayList<>(List.of("interrupted when the machines could be used"));
            environment.leftBehind().ifPresent(problems::add);
            throw environment.leftBehind().isPresent()
                    ? EnvironmentException.leaving(problems)
                    : new EnvironmentException(problems);
        });
    }

    /**
     * Creates something that the creation itself removes when it is interrupted, as it is when the program is told to
     * end.
     *
     * @param creation is given what says that it is not wanted any more: an interrupt may be lost in the depths of a
     *     connection
     */
    public static <T> T guarded(Function<BooleanSupplier, T> creation) {
        CountDownLatch ended = new CountDownLatch(1);
        AtomicBoolean unwanted = new AtomicBoolean();
        Thread hook = hook(Thread.currentThread(), unwanted, ended);
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            return creation.apply(unwanted::get);
        } finally {
            ended.countDown();
            removeHook(hook);
        }
    }

    /** Ends the creation when the program is told to end, and waits until what was created is removed. */
    private static Thread hook(Thread creator, AtomicBoolean unwanted, CountDownLatch ended) {
        return new Thread(
                () -> {
                    unwanted.set(true);
                    creator.interrupt();
                    try {
                        ended.await(REMOVAL.toSeconds(), TimeUnit.SECONDS);
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                },
                "gatebench-cloud-interrupt");
    }

    private static void removeHook(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The program ends at this very moment and the hook is at work, with nothing to do any more.
            return;
        }
    }

    private static CloudEnvironment create(
            String name,
            CloudOffer offer,
            HostRequirements demands,
            Duration keep,
            Clock clock,
            Consumer<String> notes) {
        CloudDeployment deployment;
        try {
            deployment = offer.create();
        } catch (CloudException e) {
            throw failed(e);
        }
        try {
            List<Stack> stacks = open(name, deployment, demands, clock, notes);
            CloudEnvironment environment = new CloudEnvironment(name, deployment, stacks, keep, clock, notes);
            long period = deployment.lease().dividedBy(3).toSeconds();
            environment.renewal.scheduleWithFixedDelay(environment::renew, 0, period, TimeUnit.SECONDS);
            return environment;
        } catch (RuntimeException e) {
            // What interrupted the wait must not interrupt the removal.
            Thread.interrupted();
            try {
                deployment.close();
            } catch (CloudException left) {
                e.addSuppressed(left);
            }
            throw e instanceof EnvironmentException || e instanceof HostException ? failed(e) : e;
        }
    }

    /** Opens all stacks at once. */
    private static List<Stack> open(
            String name, CloudDeployment deployment, HostRequirements demands, Clock clock, Consumer<String> notes) {
        List<ProvisionedHosts> machines = deployment.stacks();
        List<Stack> stacks = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < machines.size(); i++) {
            String prefix = machines.size() == 1 ? "" : "stack " + (i + 1) + ": ";
            Stack stack = new Stack(name, i + 1, machines.size(), machines.get(i));
            stacks.add(stack);
            threads.add(new Thread(
                    () -> stack.open(deployment, demands, clock, line -> notes.accept(prefix + line)),
                    "gatebench-cloud-stack-" + (i + 1)));
        }
        threads.forEach(Thread::start);
        boolean interrupted = false;
        for (Thread thread : threads) {
            while (thread.isAlive()) {
                try {
                    thread.join();
                } catch (InterruptedException e) {
                    interrupted = true;
                    stacks.forEach(stack -> stack.unwanted = true);
                    threads.forEach(Thread::interrupt);
                }
            }
        }
        List<String> problems =
                stacks.stream().flatMap(stack -> stack.problem().stream()).toList();
        if (interrupted || problems.size() == stacks.size()) {
            stacks.forEach(Stack::close);
            throw new EnvironmentException(
                    problems.isEmpty() ? List.of("interrupted while waiting for the machines") : problems);
        }
        return stacks;
    }

    /** One set of machines. */
    private static final class Stack implements Environment {

        private final String name;
        private final int number;
        private final int count;
        private final ProvisionedHosts machines;
        private volatile @Nullable HostsEnvironment hosts;
        private volatile @Nullable String problem = "its preparation broke off";
        /** An interrupt of the thread may be lost in the depths of a connection. */
        private volatile boolean unwanted;

        private Stack(String name, int number, int count, ProvisionedHosts machines) {
            this.name = name;
            this.number = number;
            this.count = count;
            this.machines = machines;
        }

        private void open(CloudDeployment deployment, HostRequirements demands, Clock clock, Consumer<String> notes) {
            try {
                HostsPlan plan = plan(machines);
                awaitBoot(plan, deployment, notes, () -> unwanted);
                hosts = HostsEnvironment.open(plan, demands, deployment.run(), clock, notes);
                problem = null;
            } catch (EnvironmentException | HostException e) {
                problem = String.valueOf(e.getMessage());
                if (count > 1) {
                    notes.accept("cannot be used: " + problem);
                }
            }
        }

        private HostsEnvironment hosts() {
            HostsEnvironment opened = hosts;
            if (opened == null) {
                throw new IllegalStateException("this stack cannot be used: " + problem);
            }
            return opened;
        }

        private Collection<SshHost> all() {
            HostsEnvironment opened = hosts;
            return opened == null ? List.of() : opened.hosts().values();
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public List<Host> hosts(NodeRole role) {
            return hosts().hosts(role);
        }

        @Override
        public Duration clockOffset(Host host) {
            return hosts().clockOffset(host);
        }

        @Override
        public Map<String, String> facts() {
            Map<String, String> facts = new LinkedHashMap<>(hosts().facts());
            if (count > 1) {
                facts.put("stack", String.valueOf(number));
            }
            return facts;
        }

        @Override
        public SystemInformation systemInformation() {
            ProvisionedHosts.Machine gateway = machines.hosts().stream()
                    .filter(machine -> machine.role() == NodeRole.GATEWAY)
                    .findFirst()
                    .orElseThrow();
            List<SystemInformation.Row> rows = new ArrayList<>();
            gateway.details()
                    .forEach((description, value) ->
                            rows.add(new SystemInformation.Row("AWS", "EC2", description, value)));
            HostsEnvironment opened = hosts;
            if (opened != null) {
                rows.addAll(opened.systemInformation().rows());
            }
            return new SystemInformation(count == 1 ? gateway.name() : gateway.name() + " of stack " + number, rows);
        }

        @Override
        public List<SystemInformation> machines() {
            HostsEnvironment opened = hosts;
            if (opened == null) {
                return List.of(systemInformation());
            }
            return opened.machines().stream()
                    .map(machine -> new SystemInformation(
                            machine.host(),
                            Stream.concat(rented(machine.host()), machine.rows().stream())
                                    .toList()))
                    .toList();
        }

        private Stream<SystemInformation.Row> rented(String name) {
            return machines.hosts().stream()
                    .filter(machine -> machine.name().equals(name))
                    .flatMap(machine -> machine.details().entrySet().stream())
                    .map(detail -> new SystemInformation.Row("AWS", "EC2", detail.getKey(), detail.getValue()));
        }

        @Override
        public Optional<DatabaseServer> database() {
            return machines.database();
        }

        @Override
        public void recover() {
            hosts().recover();
        }

        @Override
        public Optional<String> problem() {
            return Optional.ofNullable(problem);
        }

        @Override
        public List<String> notes() {
            HostsEnvironment opened = hosts;
            if (opened == null) {
                return List.of("Stack " + number + " could not be used: " + problem);
            }
            return count == 1
                    ? opened.notes()
                    : opened.notes().stream()
                            .map(note -> "Stack " + number + ": " + note)
                            .toList();
        }

        @Override
        public void close() {
            HostsEnvironment opened = hosts;
            if (opened != null) {
                opened.close();
            }
        }
    }

    public static EnvironmentException failed(RuntimeException cause) {
        List<String> problems = new ArrayList<>(List.of(String.valueOf(cause.getMessage())));
        for (Throwable left : cause.getSuppressed()) {
            problems.add(String.valueOf(left.getMessage()));
        }
        return problems.size() > 1 ? EnvironmentException.leaving(problems) : new EnvironmentException(problems);
    }

    public static HostsPlan plan(ProvisionedHosts stack) {
        Map<String, SshTarget> targets = new LinkedHashMap<>();
        Map<NodeRole, List<String>> roles = new EnumMap<>(NodeRole.class);
        for (ProvisionedHosts.Machine machine : stack.hosts()) {
            targets.put(
                    machine.name(),
                    new SshTarget(
                            machine.name(),
                            machine.address(),
                            Optional.of(stack.user()),
                            OptionalInt.empty(),
                            List.of(stack.privateKey()),
                            Optional.empty(),
                            Optional.of(machine.roleAddress()),
                            Optional.empty(),
                            stack.java(),
                            stack.installJava()));
            roles.computeIfAbsent(machine.role(), role -> new ArrayList<>()).add(machine.name());
        }
        return new HostsPlan(
                targets,
                roles,
                new SshSettings(
                        Optional.empty(),
                        stack.knownHosts(),
                        false,
                        SshSettings.DEFAULT_LEASE,
                        SshSettings.DEFAULT_PATIENCE));
    }

    /** A machine runs before its SSH server does, that before its login is known, and that before its packages are. */
    public static void awaitBoot(
            HostsPlan plan, CloudDeployment deployment, Consumer<String> notes, BooleanSupplier unwanted) {
        SteadyClock clock = new SteadyClock();
        Instant began = clock.instant();
        for (SshTarget target : plan.hosts().values()) {
            notes.accept("waiting for " + target.name() + " (" + target.destination() + ")");
            boolean up = false;
            while (!up) {
                try (SshHost host = SshHost.connect(target, plan.settings(), deployment.run(), notes)) {
                    host.run(List.of("sh", "-c", AWAIT_BOOT), BOOT);
                    up = true;
                } catch (HostException e) {
                    Duration limit = e instanceof HostUnreachableException ? BOOT : FIRST_LOGIN;
                    if (Duration.between(began, clock.instant()).compareTo(limit) > 0) {
                        throw new HostException(
                                target.name() + " cannot be used " + limit.toMinutes() + " min after its start: "
                                        + e.getMessage(),
                                e);
                    }
                    Pause.of(Duration.ofSeconds(3), "while waiting for the machines");
                }
                if (unwanted.getAsBoolean()) {
                    throw new HostException("interrupted while waiting for the machines");
                }
            }
        }
    }

    private void renew() {
        renew(deployment, hosts(), clock, notes);
    }

    /** Gives machines another lease, which does not go beyond the end of everything. */
    public static void renew(CloudDeployment deployment, List<SshHost> hosts, Clock clock, Consumer<String> notes) {
        Duration left = Duration.between(clock.instant(), deployment.end());
        setLease(deployment, hosts, left.compareTo(deployment.lease()) < 0 ? left : deployment.lease(), notes);
    }

    private List<SshHost> hosts() {
        return stacks.stream().flatMap(stack -> stack.all().stream()).toList();
    }

    private static void setLease(
            CloudDeployment deployment, List<SshHost> hosts, Duration left, Consumer<String> notes) {
        List<String> command = new ArrayList<>(deployment.leaseCommand());
        command.add(String.valueOf(Math.max(1, left.toMinutes())));
        for (SshHost host : hosts) {
            try {
                CommandResult result = host.run(command, QUICK);
                if (result.exitCode() != 0) {
                    notes.accept("the lease of " + host.name() + " could not be renewed: "
                            + result.errorOutput().trim());
                }
            } catch (HostException e) {
                notes.accept("the lease of " + host.name() + " could not be renewed: " + e.getMessage());
            }
        }
    }

    /** Returns the first stack that can be used; what is asked of the whole holds for any. */
    private Stack first() {
        return stacks.stream()
                .filter(stack -> stack.problem().isEmpty())
                .findFirst()
                .orElseThrow();
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public List<Host> hosts(NodeRole role) {
        return first().hosts(role);
    }

    @Override
    public Duration clockOffset(Host host) {
        return first().clockOffset(host);
    }

    @Override
    public Map<String, String> facts() {
        return first().facts();
    }

    @Override
    public Optional<DatabaseServer> database() {
        return first().database();
    }

    @Override
    public boolean isRented() {
        return true;
    }

    @Override
    public List<Environment> parts() {
        return List.copyOf(stacks);
    }

    @Override
    public void recover() {
        stacks.stream().filter(stack -> stack.problem().isEmpty()).forEach(Stack::recover);
    }

    @Override
    public List<String> notes() {
        List<String> all = new ArrayList<>(deployment.notes());
        stacks.forEach(stack -> all.addAll(stack.notes()));
        return all;
    }

    /** Returns where the results are to be put after the run, if they are to go anywhere but here. */
    public Optional<String> archive() {
        return deployment.archive();
    }

    /** Returns what the machines could not be given back for; absent if all is well. */
    public Optional<String> leftBehind() {
        return Optional.ofNullable(leftBehind);
    }

    /** Stops what runs and gives the machines back; {@link #leftBehind()} says what could not be removed. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        renewal.shutdownNow();
        try {
            if (!keep.isZero()) {
                setLease(deployment, hosts(), keep, notes);
                deployment.keep();
            }
            deployment.orchestrator().ifPresent(this::endOthers);
        } finally {
            try {
                stacks.forEach(Stack::close);
            } finally {
                giveBack();
            }
        }
    }

    /** Lets all machines but the own one end themselves: what is measured is here by now. */
    private void endOthers(String own) {
        setLease(
                deployment,
                hosts().stream().filter(host -> !host.name().equals(own)).toList(),
                LAST_LEASE,
                notes);
    }

    private void giveBack() {
        try {
            deployment.close();
        } catch (CloudException e) {
            // The figures are measured: their report must not be lost to this.
            leftBehind = String.valueOf(e.getMessage());
            notes.accept(leftBehind);
        }
    }
}
