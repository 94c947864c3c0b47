/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class GcReadingTest {

    static Stream<Truth> truths() throws IOException {
        return Truth.all();
    }

    @ParameterizedTest
    @MethodSource("truths")
    void givesByOneReadingWhatEachGivesAlone(Truth truth) {
        List<Path> log = List.of(truth.log());
        GcLogOptions options = GcLogOptions.defaults().withCompat().withStarted(truth.started());

        GcReading reading = GcLogAnalyzer.read(log, options, Optional.of(truth.window()));

        assertThat(reading.whole()).isEqualTo(GcLogAnalyzer.analyze(log, options));
        assertThat(reading.inWindow()).contains(GcLogAnalyzer.analyze(log, options.withWindow(truth.window())));
        assertThat(reading.events()).isNotEmpty().isEqualTo(GcLogAnalyzer.events(log, options));
        assertThat(reading.inWindow().orElseThrow().exact())
                .isNotEqualTo(reading.whole().exact());
    }
}
