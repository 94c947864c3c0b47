/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.fake;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.gatebench.model.NodeRole;
import io.gatebench.model.TestCase;
import io.gatebench.model.TestScenario;
import io.gatebench.spi.CaseContext;
import io.gatebench.spi.Gateway;
import io.gatebench.spi.RunContext;
import io.gatebench.spi.RunningGateway;
import io.gatebench.spi.host.Host;
import io.gatebench.spi.host.ProcessSpec;
import io.gatebench.spi.role.RoleProcess;

/** A gateway whose process is the fake host's program {@value NAME}, and whose requests another server answers. */
public final class FakeGateway implements Gateway {

    /** The name of the process. */
    public static final String NAME = "Fake Gateway";

    private final URI target;
    private Runnable beforeStart = () -> {};
    private int starts;

    /** Creates a gateway that answers at a URL. */
    public FakeGateway(URI target) {
        this.target = target;
    }

    /** Plans what happens at the beginning of each start. */
    public void beforeStart(Runnable what) {
        beforeStart = what;
    }

    /** Returns how many times it was started. */
    public int starts() {
        return starts;
    }

    @Override
    public String applicationName() {
        return NAME;
    }

    @Override
    public Duration overheadPerCase() {
        return Duration.ofSeconds(1);
    }

    @Override
    public void initialize(RunContext run) {}

    @Override
    public RunningGateway start(TestCase testCase, TestScenario scenario, CaseContext context) {
        starts++;
        beforeStart.run();
        Host host = context.run().environment().host(NodeRole.GATEWAY);
        String directory = host.workDirectory() + "/" + context.directory() + "/gateway";
        host.createDirectory(directory);
        RoleProcess process = new RoleProcess(
                NodeRole.GATEWAY,
                NAME,
                host,
                host.start(new ProcessSpec(
                        NAME, List.of("fake"), Map.of(), directory, context.processors(), testCase.gatewayMemory())),
                List.of("fake"),
                testCase.heap(),
                directory,
                Optional.of("not a JVM"));
        return new RunningGateway(target, Optional.of(process), List.of(), Optional.empty(), Map.of());
    }

    @Override
    public Map<String, String> versions() {
        return Map.of("gateway", "fake");
    }
}
