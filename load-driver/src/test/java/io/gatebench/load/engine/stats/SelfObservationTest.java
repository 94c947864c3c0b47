/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.engine.stats;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.gatebench.model.LoadGeneratorHealth;
import io.gatebench.model.ResponseTimes;

class SelfObservationTest {

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

    @Test
    void whatUsersWaitedForInTheWindowCounts(@TempDir Path proc) throws Exception {
        Path schedstat = Files.createDirectories(proc.resolve("thread-self")).resolve("schedstat");
        try (SelfObservation self = new SelfObservation(proc)) {
            self.begin(0);
            Files.writeString(schedstat, "77 1000000000 9\n");
            self.userEnds();
            self.userBegins();
            Files.writeString(schedstat, "78 6000000000 10\n");
            self.userEnds();
            self.userEnds();
            self.end();

            LoadGeneratorHealth health =
                    self.health(1, Optional.of(ResponseTimes.of(100, 60, 0, 10_000, 10_000, percentile -> 10_000)));

            assertThat(health.reasons())
                    .containsExactly("its threads waited for a processor for 50.000 ms per request,"
                            + " 83 % of the mean response time (limit 50 %)");
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
