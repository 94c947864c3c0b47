/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.environment;

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
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;

import io.gatebench.model.NodeRole;
import io.gatebench.orchestrator.host.Host;
import io.gatebench.orchestrator.host.HostException;
import io.gatebench.orchestrator.host.SshHost;

/** Roles on hosts that are there already and are reached over SSH. */
public final class HostsEnvironment implements Environment {

    private final Map<String, SshHost> hosts;
    private final Map<NodeRole, List<Host>> roles;
    private final Map<String, Preflight.Finding> findings;

    private HostsEnvironment(HostsPlan plan, Map<String, SshHost> hosts, Map<String, Preflight.Finding> findings) {
        this.hosts = Collections.unmodifiableMap(hosts);
        this.findings = Collections.unmodifiableMap(findings);
        this.roles = new EnumMap<>(NodeRole.class);
        plan.roles()
                .forEach((role, names) -> roles.put(
                        role, names.stream().map(name -> (Host) hosts.get(name)).toList()));
    }

    /**
     * Connects to all hosts, looks at them, and takes them for this run.
     *
     * @param run identifier of the run
     * @param notes is told in words what happens to the connections; called by several threads
     * @throws EnvironmentException with all problems of all hosts; nothing is left taken then
     */
    public static HostsEnvironment open(HostsPlan plan, String run, Clock clock, Consumer<String> notes) {
        List<String> generators = plan.roles().getOrDefault(NodeRole.LOAD_GENERATOR, List.of());
        if (generators.size() > 1) {
            // Better no figures than those of the first one alone under the name of all.
            throw new EnvironmentException(List.of("a run cannot spread its load over several load generators yet; name"
                    + " one of " + generators + " as load-generator"));
        }
        HostsEnvironment environment = look(plan, run, notes);
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

    /**
     * Connects to all hosts at once and looks at them; changes nothing there.
     *
     * @throws EnvironmentException with the reasons of all hosts that cannot be reached or refuse
     */
    public static HostsEnvironment look(HostsPlan plan, String run, Consumer<String> notes) {
        Map<String, CompletableFuture<SshHost>> connecting = new LinkedHashMap<>();
        plan.hosts()
                .forEach((name, target) -> connecting.put(
                        name,
                        CompletableFuture.supplyAsync(
                                () -> SshHost.connect(target, plan.settings(), run, notes), task -> {
                                    Thread thread = new Thread(task, "gatebench-connect-" + name);
                                    thread.setDaemon(true);
                                    thread.start();
                                })));
        Map<String, SshHost> hosts = new LinkedHashMap<>();
        List<String> problems = new ArrayList<>();
        connecting.forEach((name, future) -> {
            try {
                hosts.put(name, future.join());
            } catch (CompletionException e) {
                problems.add(
                        e.getCause() instanceof HostException known ? known.getMessage() : name + ": " + e.getCause());
            }
        });
        if (!problems.isEmpty()) {
            hosts.values().forEach(SshHost::close);
            throw new EnvironmentException(problems);
        }
        Map<String, Preflight.Finding> findings = new LinkedHashMap<>();
        hosts.forEach((name, host) -> findings.put(name, Preflight.check(host, rolesOf(plan, name))));
        return new HostsEnvironment(plan, hosts, findings);
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
        findings.forEach((name, finding) -> finding.problems().forEach(problem -> all.add(name + ": " + problem)));
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
    public Duration clockOffset(Host host) {
        Preflight.Finding finding = findings.get(host.name());
        return finding == null ? Duration.ZERO : finding.clock().offset();
    }

    @Override
    public Map<String, String> facts() {
        Map<String, String> facts = new LinkedHashMap<>();
        findings.forEach((name, finding) -> facts.put(
                "clock.offset." + name + ".millis",
                String.format(Locale.ROOT, "%.3f", finding.clock().offset().toNanos() / 1e6)));
        return facts;
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
