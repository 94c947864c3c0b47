/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.render;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;

import org.HdrHistogram.Histogram;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HistogramLogTest {

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 10, 999, 1000, 50_000, 2_000_000})
    void givesThePercentilesThatTheHistogramItselfGives(int samples) {
        Random random = new Random(samples);
        Histogram histogram = new Histogram(3);
        for (int i = 0; i < Math.min(samples, 50_000); i++) {
            histogram.recordValue((long) (3000 * Math.exp(random.nextGaussian())));
        }
        if (samples > 50_000) {
            histogram.recordValueWithCount(0, samples - 50_000);
        }

        assertThat(HistogramLog.points(histogram))
                .isNotEmpty()
                .allSatisfy(point -> assertThat(point.millis())
                        .isEqualTo(Math.min(histogram.getValueAtPercentile(point.percentile()), histogram.getMaxValue())
                                / 1000.0));
    }
}
