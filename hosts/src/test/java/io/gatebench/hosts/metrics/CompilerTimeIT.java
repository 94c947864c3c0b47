/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.hosts.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import io.gatebench.hosts.LocalHost;

class CompilerTimeIT {

    @TempDir
    private Path directory;

    @Test
    void addsUpTheCompilersAndNoOtherThread() {
        String after = " S 1 2 3 4 5 6 7 8 9 10 %d %d 0 0 20 0\n";
        List<String> lines = (("7 (java)" + after).formatted(900, 900)
                        + ("8 (C2 CompilerThre)" + after).formatted(120, 30)
                        + ("9 (C1 CompilerThre)" + after).formatted(40, 10)
                        + ("10 (VM Thread)" + after).formatted(500, 500))
                .lines()
                .toList();

        assertThat(CompilerTime.ofThreads(lines, 100)).hasValue(Duration.ofSeconds(2));
        assertThat(CompilerTime.ofThreads(lines.subList(3, 4), 100)).isEmpty();
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void isKnownOfThisJvmAndNotOfAShell() throws IOException {
        Process shell = new ProcessBuilder("sleep", "600").start();
        try (LocalHost host = new LocalHost(directory)) {
            List<Long> own = List.of(ProcessHandle.current().pid());

            assertThat(CompilerTime.ofTrees(host, own).orElseThrow())
                    .isPositive()
                    .isLessThan(CpuTime.ofTrees(host, own));
            assertThat(CompilerTime.ofTrees(host, List.of(shell.pid()))).isEmpty();
            assertThat(CompilerTime.ofTrees(host, List.of())).isEmpty();
        } finally {
            shell.destroyForcibly();
        }
    }
}
