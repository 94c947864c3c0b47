/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.engine.stats;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.FileOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.gatebench.model.LoadGeneratorHealth;
import io.gatebench.model.ResponseTimes;

class SelfObservationTest {

    private static final String STATUS = "Cpus_allowed_list:\t0\n";
    private static final String STAT = "cpu0 1 1 1 1 1 1 1 1\n";

    @ParameterizedTest
    @CsvSource({"15000, true", "0, false"})
    void aWindowThatBeganLateIsADelayThoughTheProbeSawNone(long lateMillis, boolean saturated) {
        try (SelfObservation self = new SelfObservation(Path.of("/nothing"))) {
            self.begin(TimeUnit.MILLISECONDS.toNanos(lateMillis));
            self.end();

            LoadGeneratorHealth health =
                    self.health(1, Optional.of(ResponseTimes.of(100, 10_000, 0, 10_000, 10_000, percentile -> 10_000)));

            assertThat(health.saturated()).as(health.toString()).isEqualTo(saturated);
        }
    }

    /** The kernel's files are pipes here: who reads one waits, and uses no CPU time. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void aLookThatWaitsIsADelay(@TempDir Path proc) throws Exception {
        Path thread = Files.createDirectories(proc.resolve("self/task/1"));
        Files.writeString(thread.resolve("comm"), "user");
        Files.writeString(thread.resolve("schedstat"), "0 0 0");
        Path status = proc.resolve("self/status");
        Path stat = proc.resolve("stat");
        assertThat(new ProcessBuilder("mkfifo", status.toString(), stat.toString())
                        .start()
                        .waitFor())
                .isZero();
        try (SelfObservation self = new SelfObservation(proc)) {
            CompletableFuture<Void> begun = CompletableFuture.runAsync(() -> self.begin(0));
            answer(status, STATUS, 0);
            answer(stat, STAT, 0);
            begun.get();
            answer(status, STATUS, 200);
            answer(stat, STAT, 0);
            // The next look: the one before has ended, and is no delay that lasts still.
            answer(status, STATUS, 0);
            self.end();

            assertThat(self.health(1, Optional.empty())
                            .schedulingDelayMaxMillis()
                            .value()
                            .getAsDouble())
                    .isGreaterThanOrEqualTo(200);
        }
    }

    private static void answer(Path pipe, String text, long millisAfterItIsAsked) throws Exception {
        try (OutputStream asked = new FileOutputStream(pipe.toFile())) {
            Thread.sleep(millisAfterItIsAsked);
            asked.write(text.getBytes(StandardCharsets.US_ASCII));
        }
    }

    /** One step of the counter in a window of 5 ms would be all of two processors. */
    @Test
    void aWindowShorterThanAStepOfTheCounterHasNoShareOfCpuTime() {
        assertThat(SelfObservation.cpuPercent(10_000_000, 5_000_000, 2).value()).isEmpty();
        assertThat(SelfObservation.cpuPercent(10_000_000, 100_000_000, 2).value())
                .hasValue(5);
    }
}
