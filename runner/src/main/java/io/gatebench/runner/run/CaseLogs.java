/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;

import io.gatebench.model.HostMetric;
import io.gatebench.model.JvmResources;
import io.gatebench.model.LoadResult;
import io.gatebench.model.MeasuredValue;
import io.gatebench.model.MeasurementWindow;
import io.gatebench.model.NodeRole;
import io.gatebench.model.ProcessReport;
import io.gatebench.model.TestCase;
import io.gatebench.report.column.WholeGateway;
import io.gatebench.report.verdict.Level;
import io.gatebench.report.verdict.Rule;
import io.gatebench.report.verdict.RunRules;
import io.gatebench.spi.Gateway;
import io.gatebench.spi.RunContext;
import io.gatebench.spi.host.HostException;
import io.gatebench.spi.role.RoleProcess;

/** Fetches logs and metrics of the processes of a case when it has ended, and reads them. */
final class CaseLogs {

    private final RunContext run;
    private final Gateway gateway;
    private final CaseRoles roles;

    CaseLogs(RunContext run, Gateway gateway, CaseRoles roles) {
        this.run = run;
        this.gateway = gateway;
        this.roles = roles;
    }

    /**
     * Logs that were fetched and read.
     *
     * @param processes every process of the case
     * @param jvm what the JVM of the gateway says it has, if it is one and says so
     */
    record Collected(List<ProcessReport> processes, Optional<JvmResources> jvm) {}

    /**
     * Fetches the logs; what cannot be fetched is said and left out.
     *
     * @param standing gateway and back end that served the case, if they came up
     */
    Collected collect(CaseState state, Optional<KeptRoles> standing) {
        ProcessReports reader = new ProcessReports(state.results());
        state.metrics().fetch(state.results().resolve("hosts"), sets(state));
        Optional<MeasurementWindow> window = state.load().map(LoadResult::window);
        List<ProcessReport> reports = new ArrayList<>();
        List<JvmResources> jvms = new ArrayList<>();
        int replica = 0;
        for (RoleProcess role : state.roles()) {
            boolean several = state.isReplica(role);
            replica += several ? 1 : 0;
            String name = CaseState.directoryOf(role) + (several ? "-" + replica : "");
            Path here = state.results().resolve(name);
            try {
                role.host().download(role.directory(), here);
            } catch (HostException e) {
                run.listener().note(e.getMessage());
            }
            standing.ifPresent(kept -> kept.cutLogs(role, here));
            Duration ahead = state.aheadOfLoad(role.host());
            CaseMetrics.OfProcess metrics = metrics(role, here, window, state);
            noteOtherPrograms(role, metrics, state);
            if (role.role() == NodeRole.GATEWAY) {
                standing.flatMap(kept -> kept.jvm(role, here.resolve(RoleProcess.GC_LOG)))
                        .map(jvm -> resources(jvm, state.testCase(), role, metrics))
                        .ifPresent(jvms::add);
            }
            reports.add(reader.report(
                    role,
                    several ? WholeGateway.replica(role.name(), replica) : role.name(),
                    name,
                    window.map(w -> shifted(w, ahead)),
                    role.role() == NodeRole.BACKEND && state.isBackendIdle()
                            ? Optional.empty()
                            : Optional.of(metrics)));
        }
        return new Collected(reports, jvms.stream().max(furthestFrom(state.testCase())));
    }

    private CaseMetrics.OfProcess metrics(
            RoleProcess role, Path here, Optional<MeasurementWindow> window, CaseState state) {
        List<Integer> processors = processors(role, state.testCase());
        return state.metrics()
                .of(
                        role,
                        here,
                        window,
                        state.aheadOfLoad(role.host()),
                        processors,
                        state.roles(),
                        state.roles().stream()
                                .filter(other ->
                                        other.host().name().equals(role.host().name()))
                                .filter(other ->
                                        processors(other, state.testCase()).equals(processors))
                                .toList());
    }

    /** Names what else a user runs where the figures suffer from it, and nowhere else. */
    private static void noteOtherPrograms(RoleProcess role, CaseMetrics.OfProcess metrics, CaseState state) {
        MeasuredValue share = metrics.figures().get(HostMetric.OTHER_PROGRAMS.header());
        if (share != null && Rule.OTHER_PROGRAMS.levelOf(share.value().orElse(0)) != Level.VALID) {
            metrics.busiestOther()
                    .ifPresent(name -> state.facts()
                            .put(RunRules.BUSIEST_OTHER_PROGRAM + role.host().name(), name));
        }
    }

    /** Of several replicas, the JVM that fits the plan least is the one to tell of. */
    private static Comparator<JvmResources> furthestFrom(TestCase testCase) {
        return Comparator.comparingInt((JvmResources jvm) -> Math.abs(jvm.processors() - jvm.plannedProcessors()))
                .thenComparingLong(
                        jvm -> Math.abs(jvm.heap().bytes() - testCase.heap().bytes()));
    }

    private JvmResources resources(JvmView jvm, TestCase testCase, RoleProcess role, CaseMetrics.OfProcess metrics) {
        OptionalDouble planned = OptionalDouble.empty();
        if (gateway.takesLimits()) {
            planned = testCase.gatewayCpus().number().isPresent()
                    ? testCase.gatewayCpus().number()
                    : gateway.containerCpus();
        }
        // Packs have a limit of their own, and this whole program may run within one.
        MeasuredValue measured = metrics.figures().get(HostMetric.CPU_LIMIT.header());
        return jvm.beside(
                processors(role, testCase).size(),
                List.of(planned, measured == null ? OptionalDouble.empty() : measured.value()),
                testCase.gatewayMemory().or(gateway::containerMemory));
    }

    private List<Integer> processors(RoleProcess role, TestCase testCase) {
        return roles.cpus().of(testCase, role.role(), role.host());
    }

    private Set<List<Integer>> sets(CaseState state) {
        return state.roles().stream()
                .map(role -> processors(role, state.testCase()))
                .filter(processors -> !processors.isEmpty())
                .collect(Collectors.toSet());
    }

    private static MeasurementWindow shifted(MeasurementWindow window, Duration offset) {
        return new MeasurementWindow(window.start().plus(offset), window.end().plus(offset));
    }
}
