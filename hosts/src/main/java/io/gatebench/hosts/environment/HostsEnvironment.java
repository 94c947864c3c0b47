/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.hosts.environment;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.gatebench.hosts.ClockOffset;
import io.gatebench.hosts.HostConnection;
import io.gatebench.hosts.SshHost;
import io.gatebench.hosts.SshTarget;
import io.gatebench.model.NodeRole;
import io.gatebench.spi.Distribution;
import io.gatebench.spi.Environment;
import io.gatebench.spi.EnvironmentException;
import io.gatebench.spi.host.Host;
import io.gatebench.spi.host.HostException;

/** Roles on hosts that are there already and are reached over SSH, or in a way of the caller's. */
public final class HostsEnvironment implements Environment {

    private static final Logger LOG = LoggerFactory.getLogger(HostsEnvironment.class);

    private final Distribution distribution;
    private final Map<String, SshHost> hosts;
    private final Map<NodeRole, List<Host>> roles;
    private final Map<String, Preflight.Finding> findings;
    private final Map<String, ClockOffset> clocks = new ConcurrentHashMap<>();

    private HostsEnvironment(HostsPlan plan, Map<String, SshHost> hosts, Map<String, Preflight.Finding> findings) {
        this.distribution = plan.distribution();
        this.hosts = Collections.unmodifiableMap(hosts);
        this.findings = Collections.unmodifiableMap(findings);
        findings.forEach((name, finding) -> clocks.put(name, finding.clock()));
        this.roles = new EnumMap<>(NodeRole.class);
        plan.roles()
                .forEach((role, names) -> roles.put(
                        role,
                        names.stream()
                                .filter(hosts::containsKey)
                                .map(name -> (Host) hosts.get(name))
                                .toList()));
    }

    /**
     * Connects to all hosts, looks at them, and takes them for this run.
     *
     * @param demands what the plan demands of the hosts
     * @param run identifier of the run
     * @param notes is told in words what happens to the connections; called by several threads
     * @throws EnvironmentException with all problems of all hosts; nothing is left taken then
     */
    public static HostsEnvironment open(
            HostsPlan plan, HostRequirements demands, String run, Clock clock, Consumer<String> notes) {
        return open(plan, SshHost.ways(plan.settings()), demands, run, clock, notes);
    }

    /**
     * Does the same with hosts that are reached in a way of the caller's.
     *
     * @param ways makes the way to a host, which is closed with the host
     * @throws EnvironmentException with all problems of all hosts; nothing is left taken then
     */
    public static HostsEnvironment open(
            HostsPlan plan,
            Function<SshTarget, HostConnection> ways,
            HostRequirements demands,
            String run,
            Clock clock,
            Consumer<String> notes) {
        HostsEnvironment environment = look(plan, ways, demands, run, notes);
        List<String> problems = environment.problems();
        if (problems.isEmpty()) {
            String owner = owner(run, clock);
            // One after the other and in the order of the file: two runs then never hold half of the hosts each.
            for (SshHost host : environment.hosts.values()) {
                try {
                    host.lock(owner);
                } catch (HostException e) {
                    problems.add(e.getMessage());
                    break;
                }
            }
        }
        if (!problems.isEmpty()) {
            environment.close();
            throw new EnvironmentException(problems);
        }
        return environment;
    }

    /** Result for one host: the host with what was found on it, or why there is none. */
    private record Looked(@Nullable SshHost host, Preflight.Finding finding) {}

    /**
     * Connects to all hosts at once and looks at them; changes nothing there.
     *
     * @throws EnvironmentException if a host cannot be reached or refuses, with all problems of all hosts
     */
    public static HostsEnvironment look(HostsPlan plan, HostRequirements demands, String run, Consumer<String> notes) {
        return look(plan, SshHost.ways(plan.settings()), demands, run, notes);
    }

    private static HostsEnvironment look(
            HostsPlan plan,
            Function<SshTarget, HostConnection> ways,
            HostRequirements demands,
            String run,
            Consumer<String> notes) {
        Map<String, CompletableFuture<Looked>> looking = new LinkedHashMap<>();
        plan.hosts()
                .forEach((name, target) -> looking.put(
                        name, CompletableFuture.supplyAsync(() -> look(plan, name, ways, demands, run, notes), task -> {
                            Thread thread = new Thread(task, "gatebench-look-" + name);
                            thread.setDaemon(true);
                            thread.start();
                        })));
        Map<String, SshHost> hosts = new LinkedHashMap<>();
        Map<String, Preflight.Finding> findings = new LinkedHashMap<>();
        looking.forEach((name, future) -> {
            Looked looked = future.join();
            if (looked.host() != null) {
                hosts.put(name, looked.host());
            }
            findings.put(name, looked.finding());
        });
        HostsEnvironment environment = new HostsEnvironment(plan, hosts, findings);
        if (hosts.size() < plan.hosts().size()) {
            environment.close();
            throw new EnvironmentException(environment.problems());
        }
        return environment;
    }

    private static Looked look(
            HostsPlan plan,
            String name,
            Function<SshTarget, HostConnection> ways,
            HostRequirements demands,
            String run,
            Consumer<String> notes) {
        SshTarget target = plan.hosts().get(name);
        SshHost host;
        try {
            host = SshHost.connect(target, plan.settings(), ways.apply(target), run, notes);
        } catch (HostException e) {
            return new Looked(null, Preflight.Finding.unreachable(e.getMessage()));
        }
        return new Looked(host, Preflight.check(host, rolesOf(plan, name), demands));
    }

    private static Set<NodeRole> rolesOf(HostsPlan plan, String name) {
        Set<NodeRole> result = EnumSet.noneOf(NodeRole.class);
        plan.roles().forEach((role, names) -> {
            if (names.contains(name)) {
                result.add(role);
            }
        });
        return result;
    }

    private static String owner(String run, Clock clock) {
        String machine;
        try {
            machine = InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            machine = "an unnamed machine";
        }
        return System.getProperty("user.name") + "@" + machine + ", process "
                + ProcessHandle.current().pid() + ", run " + run + ", since "
                + clock.instant().truncatedTo(java.time.temporal.ChronoUnit.SECONDS);
    }

    /** Returns what must be changed before a run, each with the name of its host. */
    public List<String> problems() {
        List<String> all = new ArrayList<>();
        findings.forEach((name, finding) ->
                finding.problems().forEach(problem -> all.add(finding.reached() ? name + ": " + problem : problem)));
        return all;
    }

    /** Returns what was found on each host, for the eye. */
    public List<String> report() {
        List<String> all = new ArrayList<>();
        findings.forEach((name, finding) -> {
            all.add(name + " (" + hosts.get(name).address() + "): " + String.join(", ", finding.lines()));
            finding.problems().forEach(problem -> all.add("  problem: " + problem));
            finding.warnings().forEach(warning -> all.add("  warning: " + warning));
        });
        return all;
    }

    /** Returns the hosts by name. */
    public Map<String, SshHost> hosts() {
        return hosts;
    }

    @Override
    public String name() {
        return "hosts";
    }

    @Override
    public List<Host> hosts(NodeRole role) {
        return roles.get(role);
    }

    @Override
    public Distribution distribution() {
        return distribution;
    }

    @Override
    public Duration clockOffset(Host host) {
        return clocks.getOrDefault(host.name(), ClockOffset.NONE).offset();
    }

    @Override
    public Map<String, String> facts() {
        Map<String, String> facts = new LinkedHashMap<>();
        if (distribution == Distribution.JMETER) {
            facts.put("load.distribution", "jmeter");
        }
        for (String name : hosts.keySet()) {
            facts.put(
                    "clock.uncertainty." + name + ".millis",
                    millis(clocks.get(name).uncertainty()));
        }
        return facts;
    }

    private static String millis(Duration duration) {
        return String.format(Locale.ROOT, "%.3f", duration.toNanos() / 1e6);
    }

    @Override
    public void recover() {
        List<Thread> threads = new ArrayList<>();
        hosts.forEach((name, host) -> threads.add(new Thread(() -> recover(name, host), "gatebench-recover-" + name)));
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private void recover(String name, SshHost host) {
        try {
            host.recover();
            // Clocks drift in a run of many hours, and may be set.
            clocks.put(name, host.clockOffset());
        } catch (HostException e) {
            // The test case that needs this host will say so; its clock is taken to be what it was.
            LOG.debug("{}", e.getMessage());
        }
    }

    @Override
    public List<String> notes() {
        List<String> notes = new ArrayList<>();
        findings.forEach((name, finding) ->
                finding.warnings().forEach(warning -> notes.add("Host " + name + ": " + warning + ".")));
        long distinct = roles.values().stream()
                .flatMap(List::stream)
                .map(Host::name)
                .distinct()
                .count();
        long all = roles.values().stream().mapToLong(List::size).sum();
        if (distinct < all) {
            notes.add("Several roles shared a host: the figures are those of all of them together.");
        }
        return notes;
    }

    @Override
    public void close() {
        hosts.values().forEach(SshHost::close);
    }
}
