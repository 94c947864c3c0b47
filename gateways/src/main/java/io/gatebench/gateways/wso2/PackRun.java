/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways.wso2;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.gatebench.model.NodeRole;
import io.gatebench.model.TestCase;
import io.gatebench.spi.CaseContext;
import io.gatebench.spi.RunContext;
import io.gatebench.spi.host.Host;
import io.gatebench.spi.role.RoleProcess;

/** A product that is installed once for a run and started anew for each case. */
final class PackRun {

    private final String applicationName;
    private final Pack pack;
    private final ProductSettings settings;
    private final Optional<Double> cpus;
    private final String pidFile;
    private final PackServer.HeapVariable variable;
    private Optional<String> home = Optional.empty();

    PackRun(
            String applicationName,
            Pack pack,
            ProductSettings settings,
            Optional<Double> cpus,
            String pidFile,
            PackServer.HeapVariable variable) {
        this.applicationName = applicationName;
        this.pack = pack;
        this.settings = settings;
        this.cpus = cpus;
        this.pidFile = pidFile;
        this.variable = variable;
    }

    /** Waits for a started product. */
    interface Readiness {
        /** Returns when it is ready, or throws. */
        void await(PackProcess process);
    }

    Pack pack() {
        return pack;
    }

    /** Returns the version that the pack names, with the product's name. */
    String version() {
        return pack.version().orElse(applicationName + " of a pack that names no version");
    }

    /** Installs it on the gateway's host; returns the home directory there. */
    String install(RunContext run) {
        if (home.isEmpty()) {
            Host host = run.environment().host(NodeRole.GATEWAY);
            run.listener().step("installing " + applicationName);
            home = Optional.of(pack.install(host, host.workDirectory() + "/product"));
        }
        return home.get();
    }

    /** Returns the directory of a case. */
    static String directory(CaseContext context) {
        Host host = context.run().environment().host(NodeRole.GATEWAY);
        return host.workDirectory() + "/" + context.directory() + "/gateway";
    }

    /** Starts it and returns when it is ready; one that does not become ready is stopped. */
    RoleProcess start(
            TestCase testCase,
            CaseContext context,
            List<String> arguments,
            Map<String, String> environment,
            Readiness readiness) {
        Host host = context.run().environment().host(NodeRole.GATEWAY);
        PackServer server = new PackServer(host, install(context.run()), pack.script(), pidFile, settings.javaHome());
        String directory = directory(context);
        PackProcess process = server.start(
                applicationName,
                directory,
                testCase.heap(),
                variable,
                arguments,
                environment,
                cpus.map(CpuLimit::new),
                context.processors(),
                testCase.gatewayMemory());
        try {
            readiness.await(process);
            return server.role(applicationName, process, testCase.heap(), directory);
        } catch (RuntimeException e) {
            process.stop(RoleProcess.STOP_GRACE);
            throw e;
        }
    }

    /** Returns what a reader must know of the figures. */
    List<String> notes() {
        return cpus.map(n -> List.of("The gateway was limited to " + n + " processor(s) by a control group."))
                .orElse(List.of());
    }
}
