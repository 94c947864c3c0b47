/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.gatebench.hosts.Processors;
import io.gatebench.model.GatewayCpus;
import io.gatebench.model.NodeRole;
import io.gatebench.model.PerfPlan;
import io.gatebench.model.TestCase;
import io.gatebench.settings.PlanException;
import io.gatebench.spi.Environment;
import io.gatebench.spi.Gateway;
import io.gatebench.spi.RunListener;
import io.gatebench.spi.host.Host;
import io.gatebench.spi.host.HostException;

/** Processors of its machine that the gateway gets for itself, and those that are left to all else there. */
final class CpuSets implements AutoCloseable {

    private final PerfPlan plan;
    private final Host host;
    private final String gateways;
    private final List<NodeRole> beside;
    private final Optional<String> hindrance;
    private final List<Integer> all;
    private final boolean limits;
    private boolean programMoved;

    private CpuSets(
            PerfPlan plan,
            Environment environment,
            List<NodeRole> beside,
            Optional<String> hindrance,
            List<Integer> all,
            boolean limits) {
        this.limits = limits;
        this.plan = plan;
        this.host = environment.host(NodeRole.GATEWAY);
        this.gateways =
                environment.hosts(NodeRole.GATEWAY).stream().map(Host::name).collect(Collectors.joining(", "));
        this.beside = List.copyOf(beside);
        this.hindrance = hindrance;
        this.all = List.copyOf(all);
    }

    /**
     * The sets of a test case.
     *
     * @param gateway the processors of the gateway; empty for all of its machine
     * @param others the processors of everything else on that machine; empty for all
     */
    record Sets(List<Integer> gateway, List<Integer> others) {
        static final Sets NONE = new Sets(List.of(), List.of());
    }

    /**
     * Looks at the gateway's machine where the plan needs sets.
     *
     * @throws PlanException if the plan wants more processors than the machine has, or sets where there can be none
     */
    static CpuSets of(Environment environment, PerfPlan plan, Gateway gateway) {
        return of(environment, plan, gateway.isShared(), gateway.takesLimits() || environment.takesLimits());
    }

    /**
     * Looks at the gateway's machine.
     *
     * @param runsAlready whether the gateway is none that this run starts
     * @param limits whether a number is a limit that it is started with
     */
    static CpuSets of(Environment environment, PerfPlan plan, boolean runsAlready, boolean limits) {
        Host host = environment.host(NodeRole.GATEWAY);
        List<NodeRole> beside = Stream.of(NodeRole.BACKEND, NodeRole.LOAD_GENERATOR)
                .filter(role -> environment.hosts(role).stream().anyMatch(other -> same(host, other)))
                .toList();
        List<GatewayCpus> wanted = plan.matrix().gatewayCpus();
        boolean counted =
                !limits && wanted.stream().anyMatch(cpus -> cpus.number().isPresent());
        if (runsAlready) {
            return new CpuSets(plan, environment, beside, Optional.of("the gateway runs already"), List.of(), limits);
        }
        if (!counted && (beside.isEmpty() || !wanted.contains(GatewayCpus.AUTO))) {
            return new CpuSets(plan, environment, beside, Optional.of("the plan says so"), List.of(), limits);
        }
        Processors found = Processors.of(host);
        Optional<String> hindrance = found.hindrance()
                .or(() -> found.all().size() < 2 && !counted ? Optional.of("it has one only") : Optional.empty());
        for (GatewayCpus cpus : wanted) {
            if (counted && cpus.number().isPresent() && hindrance.isPresent()) {
                throw new PlanException(List.of("--gateway-cpus " + cpus + ": processes cannot be given processors of "
                        + host.name() + ": " + hindrance.get() + "; leave it out, or say all"));
            }
            if (counted && cpus.number().orElse(0) > found.all().size()) {
                throw new PlanException(List.of("--gateway-cpus " + cpus + ": " + host.name() + " has "
                        + found.all().size() + " processor(s); give at most as many"));
            }
        }
        return new CpuSets(plan, environment, beside, hindrance, found.all(), limits);
    }

    private static boolean same(Host host, Host other) {
        return host.name().equals(other.name());
    }

    /** Returns all processors of the gateway's host that processes can be given. */
    List<Integer> all() {
        return all;
    }

    /** Returns the sets of a test case. */
    Sets of(TestCase testCase) {
        GatewayCpus cpus = testCase.gatewayCpus();
        if (hindrance.isPresent()
                || cpus.equals(GatewayCpus.ALL)
                || limits && cpus.number().isPresent()
                || cpus.equals(GatewayCpus.AUTO) && beside.isEmpty()) {
            return Sets.NONE;
        }
        int count = count(cpus);
        // Beside different numbers for the gateway the others keep the same processors, as far as some are left.
        int reserved = plan.matrix().gatewayCpus().stream()
                .mapToInt(this::count)
                .filter(n -> n < all.size())
                .max()
                .orElse(0);
        return new Sets(
                all.subList(0, count),
                count == all.size() ? List.of() : all.subList(Math.max(count, reserved), all.size()));
    }

    private int count(GatewayCpus cpus) {
        return switch (cpus.kind()) {
            case COUNT -> limits ? all.size() : (int) cpus.count();
            case AUTO -> Math.max(1, all.size() / 2);
            case ALL -> all.size();
        };
    }

    /** Returns the processors of a role on a host; empty for all. */
    List<Integer> of(TestCase testCase, NodeRole role, Host where) {
        Sets sets = of(testCase);
        return role == NodeRole.GATEWAY ? sets.gateway() : same(host, where) ? sets.others() : List.of();
    }

    /** Returns the processors that roles have for themselves in a test case. */
    Map<NodeRole, List<Integer>> ofRoles(TestCase testCase) {
        Sets sets = of(testCase);
        Map<NodeRole, List<Integer>> roles = new EnumMap<>(NodeRole.class);
        if (!sets.gateway().isEmpty()) {
            roles.put(NodeRole.GATEWAY, sets.gateway());
        }
        if (!sets.others().isEmpty()) {
            beside.forEach(role -> roles.put(role, sets.others()));
        }
        return roles;
    }

    private static String list(List<Integer> processors) {
        return processors.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    /** Leaves the gateway's processors to the gateway alone: this program moves to those of the others. */
    void moveProgram(TestCase testCase, RunListener listener) {
        if (!host.isLocal()) {
            return;
        }
        List<Integer> others = of(testCase).others();
        if (!others.isEmpty()) {
            move(others, listener);
            programMoved = true;
        } else if (programMoved) {
            close();
        }
    }

    private void move(List<Integer> processors, @Nullable RunListener listener) {
        try {
            Processors.move(host, ProcessHandle.current().pid(), processors);
        } catch (HostException e) {
            if (listener != null) {
                listener.note("this program runs on the gateway's processors, too: " + e.getMessage());
            }
        }
    }

    /** Returns what a reader of all figures must know. */
    List<String> notes() {
        List<String> notes = new ArrayList<>();
        for (GatewayCpus cpus : plan.matrix().gatewayCpus()) {
            if (limits && cpus.number().isPresent()) {
                notes.add("Test cases of " + cpus
                        + " processor(s): the container of the gateway was limited to so much time of the"
                        + " processors of " + gateways + ", on any of them"
                        + (beside.isEmpty() ? "." : "; what else ran there ran on the same ones."));
                continue;
            }
            if (beside.isEmpty()) {
                continue;
            }
            boolean own = hindrance.isEmpty() && !cpus.equals(GatewayCpus.ALL) && count(cpus) < all.size();
            String who = plan.matrix().gatewayCpus().size() > 1 ? "Test cases of " + cpus + " processor(s): " : "";
            if (own) {
                Sets sets = of(plan.testCases().stream()
                        .filter(testCase -> testCase.gatewayCpus().equals(cpus))
                        .findFirst()
                        .orElseThrow());
                notes.add(who + "The gateway had " + sets.gateway().size() + " of the " + all.size() + " processors of "
                        + host.name() + " for itself (" + list(sets.gateway()) + "); what else ran there had the "
                        + (sets.others().size() == 1 ? "processor " : "processors ") + list(sets.others()) + ".");
            } else {
                notes.add(who + "Gateway and other roles shared the processors of " + host.name()
                        + hindrance.map(why -> " (" + why + ")").orElse("")
                        + ": the figures are those of all together, not of the gateway alone.");
            }
        }
        return notes;
    }

    /** Gives this program all processors again. */
    @Override
    public void close() {
        if (programMoved) {
            programMoved = false;
            move(all, null);
        }
    }
}
