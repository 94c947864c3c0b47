/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.gatebench.model.DataSize;
import io.gatebench.model.MessageLevel;
import io.gatebench.model.PayloadKind;
import io.gatebench.model.ResponseCheck;
import io.gatebench.model.TestCase;
import io.gatebench.model.TestScenario;
import io.gatebench.model.TestTiming;
import io.gatebench.model.TokenKind;

/** Scenarios, cases and timings that tests use. */
final class Scenarios {

    private Scenarios() {}

    static TestScenario echo() {
        return echo(TokenKind.NONE);
    }

    static TestScenario echo(TokenKind token) {
        return new TestScenario(
                "passthrough",
                "Passthrough",
                "An echo.",
                false,
                "POST",
                "/echo/1.0.0",
                Map.of(),
                PayloadKind.JSON_ARRAY,
                token,
                new ResponseCheck(200, Optional.of("{size}B"), true, false),
                List.of());
    }

    static TestCase users(int users) {
        return new TestCase("passthrough", DataSize.parse("512M"), users, MessageLevel.bytes(1024), Duration.ZERO);
    }

    static TestTiming timing(double seconds, double warmUp, double rampUp) {
        return new TestTiming(millis(seconds), millis(warmUp), millis(rampUp));
    }

    private static Duration millis(double seconds) {
        return Duration.ofMillis(Math.round(seconds * 1000));
    }
}
