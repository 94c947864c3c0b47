/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.engine.stats;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OwnSchedulingTest {

    @TempDir
    private Path proc;

    @BeforeEach
    void threeProcessorsOfWhichTwoAreOurs() throws IOException {
        Files.createDirectories(proc.resolve("self/task"));
        Files.writeString(proc.resolve("self/status"), "Name:\tjava\nCpus_allowed_list:\t0,2-2\n");
    }

    private void thread(long number, String name, long waitedNanos) throws IOException {
        Path directory = Files.createDirectories(proc.resolve("self/task/" + number));
        Files.writeString(directory.resolve("comm"), name + "\n");
        Files.writeString(directory.resolve("schedstat"), "77 " + waitedNanos + " 9\n");
    }

    private OwnScheduling read(String... processors) throws IOException {
        Files.writeString(proc.resolve("stat"), "cpu  9 9 9 9 9 9 9 9 0 0\n" + String.join("\n", processors) + "\n");
        return OwnScheduling.read(proc).orElseThrow();
    }

    @Test
    void countsWaitingForInputAndOutputAsIdleAndOtherProcessorsNotAtAll() throws IOException {
        thread(7, "passthrough 1-1", 1);
        OwnScheduling before =
                read("cpu0 0 0 0 10 0 0 0 0 0 0", "cpu1 0 0 0 0 0 0 0 0 0 0", "cpu2 0 0 0 0 0 0 0 0 0 0");
        OwnScheduling after =
                read("cpu0 50 0 50 10 100 0 0 0 50 0", "cpu1 900 0 0 0 0 0 0 0 0 0", "cpu2 40 0 40 10 90 0 10 10 0 0");

        // 0 + 100 and 10 + 90 of twice 200.
        assertThat(after.idlePercentSince(before)).hasValue(50);
    }

    @Test
    void addsUpWhatTheThreadsOfUsersWaited() throws IOException {
        thread(7, "passthrough 1-1", 1_000_000);
        thread(9, "C2 CompilerThre", 1_000_000);
        OwnScheduling before = read("cpu0 1 1 1 1 1 1 1 1 1 1");
        thread(7, "passthrough 1-1", 3_500_000);
        thread(8, "passthrough 1-2", 4_000_000);
        thread(9, "C2 CompilerThre", 90_000_000);
        OwnScheduling after = read("cpu0 1 1 1 1 1 1 1 1 1 1");

        assertThat(after.waitedMillisSince(before)).isEqualTo(6.5);
        assertThat(after.idlePercentSince(before)).isEmpty();
    }

    @Test
    void saysNothingWhereTheKernelDoesNot() throws IOException {
        assertThat(OwnScheduling.read(proc.resolve("none"))).isEmpty();
        Files.writeString(proc.resolve("stat"), "nonsense\n");
        assertThat(OwnScheduling.read(proc)).isEmpty();
    }
}
