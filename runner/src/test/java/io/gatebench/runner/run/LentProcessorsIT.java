/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.gatebench.hosts.Processors;
import io.gatebench.hosts.environment.LocalEnvironment;
import io.gatebench.model.DataSize;
import io.gatebench.model.NodeRole;
import io.gatebench.spi.RunningGateway;
import io.gatebench.spi.host.Host;
import io.gatebench.spi.host.HostProcess;
import io.gatebench.spi.host.ProcessSpec;
import io.gatebench.spi.role.RoleProcess;

class LentProcessorsIT {

    @TempDir
    private Path directory;

    @Test
    void aGatewayAndItsChildrenHaveAllProcessorsUntilTheyAreGivenBack() throws Exception {
        try (LocalEnvironment environment = new LocalEnvironment(directory)) {
            Host host = environment.host(NodeRole.GATEWAY);
            List<Integer> all = Processors.of(host).all();
            assumeThat(all).as("processors that processes can be given").hasSizeGreaterThan(1);
            List<Integer> own = List.of(all.get(1));
            HostProcess process = host.start(new ProcessSpec(
                    "gateway",
                    List.of("sh", "-c", "sleep 60 & echo $!; wait"),
                    Map.of(),
                    directory.toString(),
                    own,
                    Optional.empty()));
            try {
                while (process.outputFrom(0).text().isBlank()) {
                    Thread.onSpinWait();
                }
                long child = Long.parseLong(process.outputFrom(0).text().strip());
                RunningGateway gateway = running(host, process);
                List<Integer> before = List.of(allowed(process.pid()), allowed(child));

                LentProcessors lent = LentProcessors.to(gateway, own, all);
                List<Integer> meanwhile = List.of(allowed(process.pid()), allowed(child));
                lent.giveBack();

                assertThat(before).containsExactly(1, 1);
                assertThat(meanwhile).containsExactly(all.size(), all.size());
                assertThat(List.of(allowed(process.pid()), allowed(child))).isEqualTo(before);
            } finally {
                process.stop(RoleProcess.STOP_GRACE);
            }
        }
    }

    private RunningGateway running(Host host, HostProcess process) {
        return new RunningGateway(
                URI.create("http://127.0.0.1:1"),
                Optional.of(new RoleProcess(
                        NodeRole.GATEWAY,
                        "gateway",
                        host,
                        process,
                        List.of(),
                        DataSize.ofMebibytes(64),
                        directory.toString(),
                        Optional.empty())),
                List.of(),
                Optional.empty(),
                Map.of());
    }

    /** How many processors a process may run on. */
    private static int allowed(long pid) throws IOException {
        String mask = Files.readAllLines(Path.of("/proc", String.valueOf(pid), "status")).stream()
                .filter(line -> line.startsWith("Cpus_allowed:"))
                .findFirst()
                .orElseThrow()
                .replaceAll("Cpus_allowed:|[\\s,]", "");
        return new java.math.BigInteger(mask, 16).bitCount();
    }
}
