/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.gatebench.model.GcSummary;
import io.gatebench.model.MeasuredValue;

/** Logs written by hand in the form of JVMs that are not at hand, or cut out of real ones, with figures added up by hand. */
class HandMadeLogsTest {

    @ParameterizedTest
    @CsvSource({
        "jdk8-cms, CMS, 7, 0.3693, 3, 58368000, 1, 2",
        "jdk8-g1, G1, 7, 0.131, 2, 48234496, 1, 1",
        "jdk8-serial, Serial, 3, 0.2003, 2, 50176000, 0, 1",
        "jdk11-cms, CMS, 4, 0.065, 1, 15360000, 0, 1",
        "jdk11-cms-nested, CMS, 2, 0.029712, 1, 49582080, 0, 0",
        "jdk11-serial-nested, Serial, 3, 0.042035, 1, 34292736, 0, 0",
        "jdk11-g1-trace, G1, 4, 0.0435, 1, 15769600, 1, 1",
        "jdk21-zgc-generational, ZGC generational, 13, 0.00054, 1, 35651584, 0, 1",
        "jdk17-shenandoah-degenerated, Shenandoah, 5, 0.172, 2, 54001664, 0, 0"
    })
    void readsTheFormsOfOtherJvms(
            String name,
            String collector,
            int pauses,
            double pauseSeconds,
            int fulls,
            double afterFull,
            int evacuationFailures,
            int systemGc) {
        GcSummary summary = GcLogAnalyzer.analyze(
                Truth.directory().resolveSibling("hand-made").resolve(name + ".log"));

        assertThat(summary.collector()).contains(collector);
        assertThat(summary.exact().pauseCount()).isEqualTo(MeasuredValue.of(pauses));
        assertThat(summary.exact().pauseTotalSeconds().value().orElseThrow()).isCloseTo(pauseSeconds, within(1e-9));
        assertThat(summary.exact().fullGcCount()).isEqualTo(MeasuredValue.of(fulls));
        assertThat(summary.exact().footprintAfterFullGcMeanBytes().value().orElseThrow())
                .isCloseTo(afterFull, within(1.0));
        assertThat(summary.counts().evacuationFailures()).isEqualTo(MeasuredValue.of(evacuationFailures));
        assertThat(summary.counts().systemGc()).isEqualTo(MeasuredValue.of(systemGc));
        assertThat(summary.coveragePercent()).isEqualTo(MeasuredValue.of(100));
    }

    @ParameterizedTest
    @CsvSource({"1.0, 1.005, 5", "1.0095, 1.0105, 0.5", "0.9, 1.05, 10.5"})
    void cutsAPauseAtTheBorderOfTheWindow(String from, String to, double pauseMillis) {
        Path log = Truth.directory().resolveSibling("hand-made").resolve("jdk11-g1-trace.log");

        GcSummary summary = GcLogAnalyzer.analyze(
                java.util.List.of(log), GcWindowArguments.options(from + "s", to + "s", null, null, null));

        // The pause ends at 1.010 s and lasts 10.5 ms: it begins at 0.9995 s.
        assertThat(summary.exact().pauseTotalSeconds().value().orElseThrow() * 1000)
                .isCloseTo(pauseMillis, within(1e-6));
        assertThat(summary.exact().pauseCount()).isEqualTo(MeasuredValue.of(1));
    }
}
