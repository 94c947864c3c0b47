/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import io.gatebench.model.Figure;
import io.gatebench.orchestrator.host.LocalHost;

@EnabledOnOs(value = OS.LINUX, disabledReason = "the counters are those of Linux")
class MetricsCollectorTest {

    private static final List<String> DEPENDS_ON_THE_MACHINE = List.of("Network - Utilization (%)", "CPU Migrations");

    @TempDir
    private Path directory;

    @Test
    void collectsEveryColumnOfARealMachine() throws IOException, InterruptedException {
        Path file = directory.resolve("metrics").resolve(MetricsCollector.FILE);
        try (LocalHost host = new LocalHost(directory);
                MetricsCollector collector = MetricsCollector.start(
                        host, directory.resolve("metrics").toString())) {
            collector.watch(ProcessHandle.current().pid());
            long deadline = System.nanoTime() + 60_000_000_000L;
            // The threads are read in every second snapshot: a second reading is in the fifth at the latest.
            while (System.nanoTime() < deadline
                    && Files.readString(file).lines().filter("@end"::equals).count() < 5) {
                Thread.sleep(100);
            }
        }
        Map<String, Figure> figures = HostMetrics.read(file, true)
                .average(OptionalLong.of(ProcessHandle.current().pid()));

        assertThat(figures.entrySet())
                .filteredOn(e -> e.getValue() instanceof Figure.Absent)
                .allMatch(e -> DEPENDS_ON_THE_MACHINE.contains(e.getKey())
                        || e.getKey().startsWith("Pressure")
                        || e.getKey().startsWith("Block Device")
                        || e.getKey().startsWith("IO")
                        || e.getKey().equals(HostMetrics.THROTTLED));
        double cpu = List.of("User", "Nice", "System", "I/O Wait", "Steal", "Idle").stream()
                .mapToDouble(
                        part -> figures.get("CPU - " + part + " (%)").value().orElseThrow())
                .sum();
        assertThat(cpu).isBetween(99.999, 100.001);
        assertThat(figures.get(HostMetrics.PROCESS_RESIDENT).value().orElseThrow())
                .isBetween(10_000.0, 4e6);
    }
}
