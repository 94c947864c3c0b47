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
        Files.createDirectories(proc.resolve("self"));
        Files.writeString(proc.resolve("self/status"), "Name:\tjava\nCpus_allowed_list:\t0,2-2\n");
    }

    private OwnScheduling read(String... processors) throws IOException {
        Files.writeString(proc.resolve("stat"), "cpu  9 9 9 9 9 9 9 9 0 0\n" + String.join("\n", processors) + "\n");
        return OwnScheduling.read(proc).orElseThrow();
    }

    @Test
    void countsWaitingForInputAndOutputAsIdleAndOtherProcessorsNotAtAll() throws IOException {
        OwnScheduling before =
                read("cpu0 0 0 0 10 0 0 0 0 0 0", "cpu1 0 0 0 0 0 0 0 0 0 0", "cpu2 0 0 0 0 0 0 0 0 0 0");
        OwnScheduling after =
                read("cpu0 50 0 50 10 100 0 0 0 50 0", "cpu1 900 0 0 0 0 0 0 0 0 0", "cpu2 40 0 40 10 90 0 10 10 0 0");

        // 0 + 100 and 10 + 90 of twice 200.
        assertThat(after.idlePercentSince(before)).hasValue(50);
    }

    @Test
    void hasNoShareOfNoTime() throws IOException {
        OwnScheduling before = read("cpu0 1 1 1 1 1 1 1 1 1 1");

        assertThat(before.idlePercentSince(before)).isEmpty();
    }

    @Test
    void saysNothingWhereTheKernelDoesNot() throws IOException {
        assertThat(OwnScheduling.read(proc.resolve("none"))).isEmpty();
        Files.writeString(proc.resolve("stat"), "nonsense\n");
        assertThat(OwnScheduling.read(proc)).isEmpty();
        assertThat(OwnScheduling.waitedNanosOfThisThread(proc)).isEmpty();
    }
}
