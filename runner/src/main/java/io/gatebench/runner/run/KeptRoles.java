/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import io.gatebench.model.GatewayRestart;
import io.gatebench.model.TestCase;
import io.gatebench.model.TestScenario;
import io.gatebench.spi.RunningGateway;
import io.gatebench.spi.host.HostProcess;
import io.gatebench.spi.role.RoleProcess;

/** Gateway, or its replicas, and back end as they were started for a case, and may stay for further ones. */
final class KeptRoles {

    private final StartedBackend backend;
    private final TestCase startedFor;
    private final List<String> served = new ArrayList<>();
    private final Map<RoleProcess, KeptLogs> logs = new HashMap<>();
    private final Map<RoleProcess, JvmView> jvms = new HashMap<>();
    private List<RunningGateway> gateways;
    private TestScenario scenario;

    KeptRoles(List<RunningGateway> gateways, StartedBackend backend, TestScenario scenario, TestCase startedFor) {
        this.gateways = List.copyOf(gateways);
        this.backend = backend;
        this.scenario = scenario;
        this.startedFor = startedFor;
    }

    /** Returns the gateway, or its replicas. */
    List<RunningGateway> gateways() {
        return gateways;
    }

    StartedBackend backend() {
        return backend;
    }

    /** Returns the scenario that is served now. */
    TestScenario scenario() {
        return scenario;
    }

    /** Begins to serve a scenario. */
    void serve(TestScenario other, List<RunningGateway> as) {
        scenario = other;
        gateways = as;
    }

    /** Notes that a case has been measured. */
    void served(String id) {
        served.add(id);
    }

    /** Returns the cases that were measured before, in words; empty before the first. */
    Optional<String> servedBefore() {
        return served.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", served));
    }

    /** Returns whether the plan and what was said at the start allow to measure that case too. */
    boolean mayServe(TestCase next, GatewayRestart restart) {
        return restart != GatewayRestart.CASE
                && next.heap().equals(startedFor.heap())
                && next.gatewayCpus().equals(startedFor.gatewayCpus())
                && next.gatewayMemory().equals(startedFor.gatewayMemory())
                && next.gatewayReplicas() == startedFor.gatewayReplicas()
                && next.backendDelay().equals(startedFor.backendDelay())
                && (restart == GatewayRestart.NEVER || next.scenario().equals(scenario.name()));
    }

    boolean isAlive() {
        return backend.process().process().isAlive()
                && processes().allMatch(role -> role.process().isAlive())
                && gateways.stream()
                        .flatMap(gateway -> gateway.helpers().stream())
                        .allMatch(HostProcess::isAlive);
    }

    private Stream<RoleProcess> processes() {
        return gateways.stream().flatMap(gateway -> gateway.process().stream());
    }

    /** Returns what the JVM of a gateway said when it started; the logs of later cases do not hold it any more. */
    Optional<JvmView> jvm(RoleProcess role, Path log) {
        if (!jvms.containsKey(role)) {
            JvmView.read(log).ifPresent(jvm -> jvms.put(role, jvm));
        }
        return Optional.ofNullable(jvms.get(role));
    }

    /** Leaves in the logs that were fetched for a case what was written since the case before. */
    void cutLogs(RoleProcess role, Path directory) {
        if (role == backend.process() || processes().anyMatch(own -> own == role)) {
            logs.computeIfAbsent(role, any -> new KeptLogs()).cut(directory);
        }
    }

    void stop() {
        gateways.forEach(RunningGateway::stop);
        backend.process().stop();
    }
}
