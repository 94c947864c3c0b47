/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.engine.stats;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

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
}
