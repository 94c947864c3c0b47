/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.junit;

import static io.gatebench.junit.GatebenchAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Path;
import java.time.Duration;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.gatebench.model.DataSize;
import io.gatebench.runner.BenchmarkResult;
import io.gatebench.runner.RelativeBaseline;

class BenchmarkResultAssertTest {

    private static final String CELL = "passthrough/512M_heap/10_users/1024B/0ms_sleep";

    @TempDir
    private Path directory;

    private BenchmarkResult sound;

    @BeforeEach
    void measure() {
        sound = Results.completed(directory.resolve("sound"), 0, 2000, 500, 510);
    }

    @Test
    void acceptsWhatHolds() {
        assertThat(sound)
                .isUsable()
                .isNotDoubtful()
                .hasNoErrors()
                .errorsAreAtMost(0)
                .meanIsBelow(Duration.ofMillis(21))
                .p50IsBelow(Duration.ofMillis(21))
                .p90IsBelow(Duration.ofMillis(21))
                .p95IsBelow(Duration.ofMillis(21))
                .p99IsBelow(Duration.ofMillis(41))
                .p999IsBelow(Duration.ofMillis(61))
                .throughputIsAbove(499)
                .throughputRatioToControlIsAbove(0.24)
                .gcThroughputIsAbove(93)
                .footprintAfterFullGcIsBelow(DataSize.ofMebibytes(49))
                .meets("p99 < 50ms", "errors == 0")
                .meetsItsThresholds()
                .isNotSlowerThan(sound)
                .isNotSlowerThan(sound.relativeBaseline(), 0);
    }

    @Test
    void missesTheThresholdsOfARunThatIsReadBack(@TempDir Path directory) {
        BenchmarkResult result = Results.withThresholds(directory.resolve("run"), "p99 < 30ms", "errors == 0");

        assertFails(() -> assertThat(result).meetsItsThresholds())
                .withMessageContaining("Expecting all thresholds to be met, but")
                .withMessageContaining("p99 is 40 ms, 10 ms (33.333 %) above; required is < 30 ms");
        assertThat(Results.withThresholds(directory.resolve("met"), "p99 < 50ms"))
                .meetsItsThresholds();
    }

    @Test
    void saysFigureLimitCellAndReport() {
        assertFails(() -> assertThat(sound).p99IsBelow(Duration.ofMillis(40)))
                .withMessage("Expecting a 99th percentile of the response times below 40 ms, but:\n"
                        + "  " + CELL + ": it is 40 ms for HTTP Request (20000 samples)\n"
                        + "Report: " + sound.report().toAbsolutePath());
        assertFails(() -> assertThat(sound).gcThroughputIsAbove(95)).withMessageContainingAll("95 %", "it is 93.5 %");
        assertFails(() -> assertThat(sound).throughputIsAbove(505)).withMessageContainingAll("505", "it is 500 per");
        assertFails(() -> assertThat(sound).throughputRatioToControlIsAbove(0.5))
                .withMessageContainingAll("0.5 of the control run's", "0.25", "0.255", "(repeat 2)");
        assertFails(() -> assertThat(sound).footprintAfterFullGcIsBelow(DataSize.ofMebibytes(40)))
                .withMessageContainingAll(
                        "below 41943040 bytes", String.valueOf(48 << 20).substring(0, 4));
        assertFails(() -> assertThat(sound).meets("p99 < 1ms")).withMessageContaining("p99");
    }

    @Test
    void countsErrorsAndSaysWhatTheyWere() {
        BenchmarkResult some = Results.completed(directory.resolve("errors"), 10, 0, 500);

        assertFails(() -> assertThat(some).hasNoErrors())
                .withMessageContainingAll("10 of 20000 samples failed", "status 503");
        assertFails(() -> assertThat(some).errorsAreAtMost(0.01)).withMessageContaining("0.05 %");
        assertThat(some).errorsAreAtMost(0.05);
    }

    @Test
    void refusesToAssertOnWhatWasNotMeasured() {
        BenchmarkResult failed = Results.failed(directory.resolve("failed"));

        assertFails(() -> assertThat(failed).hasNoErrors())
                .withMessageContainingAll("Expecting figures that can be used", "the gateway did not start", CELL);
        assertFails(() -> assertThat(failed).isNotSlowerThan(sound))
                .withMessageContaining("Expecting figures that can be used");
    }

    @Test
    void refusesToAssertOnFiguresThatAreInvalid() {
        BenchmarkResult allFailed = Results.completed(directory.resolve("all"), 20_000, 0, 500);

        assertFails(() -> assertThat(allFailed).p99IsBelow(Duration.ofDays(1)))
                .withMessageContainingAll("Expecting figures that can be used", "all samples failed");
    }

    @Test
    void findsWhatIsSlowerThanAnEarlierRun() {
        BenchmarkResult slower = Results.completed(directory.resolve("slower"), 0, 2000, 300, 306);

        assertFails(() -> assertThat(slower).isNotSlowerThan(sound))
                .withMessageContainingAll("Expecting nothing slower than sound", "throughput");
        assertThat(sound).isNotSlowerThan(slower);
    }

    @Test
    void comparesWithABaselineInPartsOfTheControlRun() {
        RelativeBaseline baseline = sound.relativeBaseline();
        // Half of everything: the machine is slower, not the gateway.
        BenchmarkResult slowMachine = Results.completed(directory.resolve("machine"), 0, 1000, 250, 255, 252);
        BenchmarkResult slowGateway = Results.completed(directory.resolve("gateway"), 0, 2000, 250, 255, 252);

        assertThat(slowMachine).isNotSlowerThan(baseline);
        org.assertj.core.api.Assertions.assertThat(slowMachine.directory().resolve("gate.txt"))
                .content()
                .contains("Nothing is worse than the baseline (Gatebench 0.1.0, JDK 17)", CELL + ": throughput 0.2")
                .containsPattern("p99 .* times the control run's: .* a loss of [0-9]+ % would have been found");
        assertThat(slowGateway).isNotSlowerThan(baseline, 120);
        assertFails(() -> assertThat(slowGateway).isNotSlowerThan(baseline, 20))
                .withMessageContainingAll(
                        "worse than the baseline",
                        CELL + ": throughput 0.2",
                        "of the control run's: -50.0 %",
                        "mean ",
                        "p99 ")
                .withMessageNotContaining("requests/s");
    }

    /** A loss that is just accepted is found in every second case, not in nine of ten. */
    @Test
    void promisesToFindNoLossThatItAccepts() {
        org.assertj.core.api.Assertions.assertThat(sound.relativeBaseline()
                        .compare(Results.completed(directory.resolve("same"), 0, 2000, 498, 507, 503), 5))
                .filteredOn(difference -> difference.measure() == RelativeBaseline.Measure.THROUGHPUT)
                .singleElement()
                .satisfies(difference -> org.assertj.core.api.Assertions.assertThat(
                                difference.findablePercent().orElseThrow())
                        .isBetween(5.2, 8.0));
    }

    @Test
    void tellsEveryLimitThatIsBrokenAndHoldsToOneScenario() {
        assertFails(() -> assertThat(sound)
                        .meetsAll(limits -> limits.hasNoErrors()
                                .p50IsBelow(Duration.ofMillis(1))
                                .forUsers(10)
                                .p99IsBelow(Duration.ofMillis(2))))
                .withMessageContainingAll("median response time below 1 ms", "99th percentile", "below 2 ms", CELL)
                .withMessageNotContaining("no errors");
        assertThat(sound).forScenario("passthrough").meetsAll(limits -> limits.p99IsBelow(Duration.ofSeconds(1)));
        assertFails(() -> assertThat(sound).forScenario("mediation"))
                .withMessageContainingAll("a test case of the scenario mediation", CELL);
        org.assertj.core.api.Assertions.assertThat(Results.completed(directory.resolve("one"), 0, 0, 500)
                        .testCase("passthrough", 10)
                        .p99())
                .isEqualTo(Duration.ofMillis(40));
    }

    @Test
    void refusesABaselineThatCouldFindNothing() {
        RelativeBaseline once =
                Results.completed(directory.resolve("once"), 0, 2000, 500).relativeBaseline();
        RelativeBaseline noisy =
                Results.completed(directory.resolve("noisy"), 0, 2000, 300, 700).relativeBaseline();
        BenchmarkResult now = Results.completed(directory.resolve("now"), 0, 2000, 500);

        assertFails(() -> assertThat(now).isNotSlowerThan(once))
                .withMessageContainingAll("the noise is not known", "repeats(3)");
        assertFails(() -> assertThat(now).isNotSlowerThan(noisy))
                .withMessageContainingAll("the repeats differ so much", "would be found", "quieter machine");
    }

    @Test
    void printsNoFigureAsTheLimitThatItMisses() {
        assertFails(() -> assertThat(sound).gcThroughputIsAbove(99.9999))
                .withMessageContainingAll("above 99.9999 %", "it is 93.5 %");
        assertFails(() -> assertThat(sound).gcThroughputIsAbove(93.500001)).withMessageContaining("above 93.500001 %");
        assertFails(() -> assertThat(sound).footprintAfterFullGcIsBelow(DataSize.ofBytes(12_582_912)))
                .withMessageContaining("below 12582912 bytes, but");
    }

    @Test
    void saysThatAControlRunIsMissing() {
        BenchmarkResult without = Results.completed(directory.resolve("without"), 0, 0, 500);

        assertFails(() -> assertThat(without).isNotSlowerThan(sound.relativeBaseline(), 0))
                .withMessageContaining("controlRun(true)");
        assertFails(() -> assertThat(without).throughputRatioToControlIsAbove(0.1))
                .withMessageContaining("controlRun(true)");
    }

    private static ThrowableAssertAlternative<AssertionError> assertFails(ThrowingCallable assertion) {
        return assertThatExceptionOfType(AssertionError.class).isThrownBy(assertion);
    }
}
