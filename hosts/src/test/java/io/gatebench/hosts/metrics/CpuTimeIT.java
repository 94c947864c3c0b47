/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.hosts.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import io.gatebench.hosts.LocalHost;
import io.gatebench.spi.host.Host;

/** Another host tells the same as this machine does: it is this machine, asked by commands. */
@EnabledOnOs(OS.LINUX)
class CpuTimeIT {

    @TempDir
    private Path directory;

    private static Host asked(LocalHost host) {
        return (Host) Proxy.newProxyInstance(
                CpuTimeIT.class.getClassLoader(),
                new Class<?>[] {Host.class},
                (proxy, method, arguments) ->
                        method.getName().equals("isLocal") ? false : method.invoke(host, arguments));
    }

    @Test
    void knowsTheTreeOfAProcessAndItsTimeOnAnotherHost() throws IOException {
        // The shell waits for a child that works until it is stopped.
        Process process = new ProcessBuilder("sh", "-c", "ulimit -t 300; sh -c 'while :; do :; done' & wait").start();
        try (LocalHost host = new LocalHost(directory)) {
            Host there = asked(host);
            List<Long> roots = List.of(process.pid());
            while (CpuTime.ofTrees(host, roots).compareTo(Duration.ofMillis(200)) < 0) {
                Thread.onSpinWait();
            }

            Duration before = CpuTime.ofTrees(host, roots);
            Duration asked = CpuTime.ofTrees(there, roots);
            Duration after = CpuTime.ofTrees(host, roots);

            // A tick is ten milliseconds.
            assertThat(asked).isBetween(before.minusMillis(20), after.plusMillis(20));
            assertThat(CpuTime.trees(there, roots)).hasSize(2).isEqualTo(CpuTime.trees(host, roots));
            assertThat(CpuTime.ofMachine(there).orElseThrow().all()).isGreaterThanOrEqualTo(1);
            assertThat(CpuTime.ofTrees(there, List.of())).isZero();
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }
}
