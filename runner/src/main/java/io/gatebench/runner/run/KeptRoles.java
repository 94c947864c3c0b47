/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.gatebench.model.GatewayRestart;
import io.gatebench.model.TestCase;
import io.gatebench.model.TestScenario;
import io.gatebench.spi.RunningGateway;
import io.gatebench.spi.host.HostProcess;
import io.gatebench.spi.role.RoleProcess;

/** Gateway and back end as they were started for a case, and may stay for further ones. */
final class KeptRoles {

    private final RoleProcess backend;
    private final URI backendUrl;
    private final TestCase startedFor;
    private final List<String> served = new ArrayList<>();
    private final Map<RoleProcess, KeptLogs> logs = new HashMap<>();
    private Optional<JvmView> jvm = Optional.empty();
    private RunningGateway gateway;
    private TestScenario scenario;

    KeptRoles(RunningGateway gateway, RoleProcess backend, URI backendUrl, TestScenario scenario, TestCase startedFor) {
        this.gateway = gateway;
        this.backend = backend;
        this.backendUrl = backendUrl;
        this.scenario = scenario;
        this.startedFor = startedFor;
    }

    RunningGateway gateway() {
        return gateway;
    }

    RoleProcess backend() {
        return backend;
    }

    URI backendUrl() {
        return backendUrl;
    }

    /** Returns the scenario that is served now. */
    TestScenario scenario() {
        return scenario;
    }

    /** Begins to serve a scenario. */
    void serve(TestScenario other, RunningGateway as) {
        scenario = other;
        gateway = as;
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
                && next.backendDelay().equals(startedFor.backendDelay())
                && (restart == GatewayRestart.NEVER || next.scenario().equals(scenario.name()));
    }

    boolean isAlive() {
        return backend.process().isAlive()
                && gateway.process().map(role -> role.process().isAlive()).orElse(true)
                && gateway.helpers().stream().allMatch(HostProcess::isAlive);
    }

    /** Returns what the JVM of the gateway said when it started; the logs of later cases do not hold it any more. */
    Optional<JvmView> jvm(Path log) {
        jvm = jvm.or(() -> JvmView.read(log));
        return jvm;
    }

    /** Leaves in the logs that were fetched for a case what was written since the case before. */
    void cutLogs(RoleProcess role, Path directory) {
        if (role == backend || gateway.process().filter(own -> own == role).isPresent()) {
            logs.computeIfAbsent(role, any -> new KeptLogs()).cut(directory);
        }
    }

    void stop() {
        gateway.stop();
        backend.stop();
    }
}
