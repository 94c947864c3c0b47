/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways.http;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

import io.gatebench.model.NodeRole;
import io.gatebench.model.RunManifest;
import io.gatebench.model.TestCase;
import io.gatebench.model.TestScenario;
import io.gatebench.spi.CaseContext;
import io.gatebench.spi.Gateway;
import io.gatebench.spi.GatewaySource;
import io.gatebench.spi.OwnGateway;
import io.gatebench.spi.Product;
import io.gatebench.spi.ProductDefaults;
import io.gatebench.spi.Profile;
import io.gatebench.spi.RunContext;
import io.gatebench.spi.RunningGateway;
import io.gatebench.spi.host.Host;
import io.gatebench.spi.role.RoleProcess;
import io.gatebench.spi.role.RoleStartException;

/** The product of a gateway that its owner starts in Java. */
public final class OwnProduct implements Product {

    private static final Path FILES_OF_THIS_PROCESS = Path.of("/proc/self/ns/mnt");

    private final OwnGateway own;

    /** Creates the product. */
    public OwnProduct(OwnGateway own) {
        this.own = own;
    }

    @Override
    public String name() {
        return "own";
    }

    @Override
    public String description() {
        return "A gateway that a test starts";
    }

    @Override
    public String applicationName() {
        return own.name();
    }

    @Override
    public RunManifest.Variant variant() {
        return RunManifest.Variant.GATEWAY;
    }

    @Override
    public boolean usesHeap() {
        return false;
    }

    @Override
    public List<TestScenario> scenarios() {
        return own.scenarios();
    }

    @Override
    public ProductDefaults defaults(Profile profile) {
        return HttpProduct.defaults(scenarios().stream().map(TestScenario::name).toList(), usesHeap(), profile);
    }

    @Override
    public Gateway gateway(GatewaySource source) {
        if (!(source instanceof GatewaySource.BuiltIn)) {
            throw new IllegalArgumentException(
                    "a gateway that a test starts is neither a pack nor one that runs already;"
                            + " drop --gateway-url or --gateway-home");
        }
        return new Started();
    }

    private final class Started implements Gateway {

        @Override
        public String applicationName() {
            return own.name();
        }

        @Override
        public Duration overheadPerCase() {
            return Duration.ofSeconds(10);
        }

        /** Its owner starts it, so that nobody here can say on which processors. */
        @Override
        public boolean isShared() {
            return true;
        }

        @Override
        public Optional<String> backendAddress() {
            return own.backendAddress();
        }

        @Override
        public void initialize(RunContext run) {
            if (!run.environment().host(NodeRole.GATEWAY).isLocal()) {
                throw new RoleStartException(
                        "a gateway that a test starts runs on the machine of the test; drop hosts");
            }
        }

        @Override
        public Optional<RunningGateway> serving(RunningGateway running, TestScenario before, TestScenario scenario) {
            return Optional.of(running);
        }

        @Override
        public RunningGateway start(TestCase testCase, TestScenario scenario, CaseContext context) {
            Host host = context.run().environment().host(NodeRole.GATEWAY);
            String directory = host.workDirectory() + "/" + context.directory() + "/gateway";
            host.createDirectory(directory);
            URI target = started(context.backend());
            OptionalLong pid = own.pid().isPresent()
                    ? OptionalLong.of(own.pid().get().getAsLong())
                    : OwnSockets.listenAt(target.getPort())
                            ? OptionalLong.of(ProcessHandle.current().pid())
                            : OptionalLong.empty();
            if (pid.isEmpty()) {
                return running(
                        target, Optional.empty(), List.of(new OwnProcess(own.name(), pid, own.stop(), () -> {})));
            }
            RunningJvm jvm = new RunningJvm(host, pid.getAsLong());
            Path gcLog = Path.of(directory, RoleProcess.GC_LOG);
            Optional<String> hindrance =
                    foreignFiles(pid.getAsLong()).or(jvm::hindrance).or(() -> jvm.beginGcLog(gcLog));
            OwnProcess process = new OwnProcess(own.name(), pid, own.stop(), () -> {
                if (hindrance.isEmpty()) {
                    jvm.endGcLog(gcLog);
                }
            });
            return running(
                    target,
                    Optional.of(new RoleProcess(
                            NodeRole.GATEWAY,
                            own.name(),
                            host,
                            process,
                            List.of(),
                            testCase.heap(),
                            directory,
                            hindrance)),
                    List.of());
        }

        private RunningGateway running(
                URI target, Optional<RoleProcess> process, List<io.gatebench.spi.host.HostProcess> helpers) {
            return new RunningGateway(target, process, helpers, Optional.empty(), Map.of());
        }

        private URI started(URI backend) {
            URI target;
            try {
                target = own.start().start(backend);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new RoleStartException("interrupted while " + own.name() + " was starting");
            } catch (Exception e) {
                throw new RoleStartException(own.name() + " was not started by its owner: " + e);
            }
            if (target == null || target.getHost() == null || target.getPort() < 0) {
                throw new RoleStartException("the start of " + own.name()
                        + " must return scheme, host and port, such as http://127.0.0.1:8080, but returned " + target);
            }
            String path = String.valueOf(target.getRawPath()).replaceFirst("^(/|null)$", "");
            if (!path.isEmpty()) {
                throw new RoleStartException(
                        "the start of " + own.name() + " must return scheme, host and port alone but" + " returned "
                                + target + "; say where requests go by at(\"" + path + "\")");
            }
            return target;
        }

        /** A log that a process in a container writes is not found here. */
        private static Optional<String> foreignFiles(long pid) {
            try {
                Path there = Path.of("/proc", String.valueOf(pid), "ns", "mnt");
                return !Files.exists(FILES_OF_THIS_PROCESS)
                                || Files.readSymbolicLink(there).equals(Files.readSymbolicLink(FILES_OF_THIS_PROCESS))
                        ? Optional.empty()
                        : Optional.of("its files are not those of this machine (a container)");
            } catch (IOException e) {
                return Optional.of("its process " + pid + " cannot be looked at: " + e);
            }
        }

        @Override
        public List<String> notes() {
            return List.of(
                    "The gateway was started by its owner, who gave it its heap and its processors: the heap size 0 in"
                            + " these results stands for none that was given here.");
        }

        @Override
        public Map<String, String> versions() {
            return Map.of();
        }
    }
}
