/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.echo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.Arrays;
import java.util.SplittableRandom;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ResponseDelayTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "30ms;30ms",
                "30;30ms",
                "0;0ms",
                "1.5s;1500ms",
                "250us;250us",
                "10 ms;10ms",
                "1m;60000ms",
                "1h;3600000ms",
                "uniform:20ms-40ms;uniform:20ms-40ms",
                "uniform:20-40;uniform:20ms-40ms",
                "normal:30ms,5ms;normal:30ms,5ms",
                "Normal: 30ms, 500us;normal:30ms,500us",
                "lognormal:p50=20ms,p99=200ms;lognormal:p50=20ms,p99=200ms",
            })
    void readsWhatPeopleWriteAndWritesWhatItReads(String text, String canonical) {
        ResponseDelay delay = ResponseDelay.parse(text);
        assertThat(delay).hasToString(canonical).isEqualTo(ResponseDelay.parse(canonical));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "soon",
                "-5ms",
                "30mss",
                "uniform:",
                "uniform:20ms",
                "uniform:20ms-40ms-60ms",
                "normal:a,b",
                "lognormal:20ms,200ms",
                "lognormal:p99=20ms,p50=200ms",
                "weibull:1,2",
                "99999999999ms"
            })
    void refusesWhatIsNone(String text) {
        assertThatThrownBy(() -> ResponseDelay.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + text + "' is no delay; write for example 30ms");
    }

    @Test
    void refusesWhatIsOutOfRange() {
        assertThatThrownBy(() -> ResponseDelay.parse("61m"))
                .hasMessage("delay must be between 0 and 1h, but was '61m'");
        assertThatThrownBy(() -> ResponseDelay.parse("uniform:40ms-20ms"))
                .hasMessage("uniform delay must go from the shorter to the longer, but was 40ms-20ms");
        assertThatThrownBy(() -> ResponseDelay.parse("lognormal:p50=0ms,p99=2ms"))
                .hasMessageContaining("above zero");
        assertThatThrownBy(() -> ResponseDelay.parse("lognormal:p50=3ms,p99=2ms"))
                .hasMessageContaining("p99 of a lognormal delay must not be below its p50");
        assertThatThrownBy(() -> ResponseDelay.fixed(Duration.ofMillis(-1))).hasMessageContaining("but was PT-0.001S");
    }

    @Test
    void drawsWhatTheDistributionsPromise() {
        long[] uniform = draw("uniform:20ms-40ms");
        assertThat(uniform[0]).isGreaterThanOrEqualTo(20_000_000);
        assertThat(uniform[uniform.length - 1]).isLessThan(40_000_000);
        assertThat(percentile(uniform, 50)).isCloseTo(30, within(0.2));
        long[] normal = draw("normal:30ms,5ms");
        assertThat(percentile(normal, 50)).isCloseTo(30, within(0.2));
        assertThat(percentile(normal, 84.134)).isCloseTo(35, within(0.3));
        assertThat(normal[0]).isNotNegative();
        assertThat(draw("normal:1ms,5ms")[0]).isZero();
        long[] lognormal = draw("lognormal:p50=20ms,p99=200ms");
        assertThat(percentile(lognormal, 50)).isCloseTo(20, within(0.4));
        assertThat(percentile(lognormal, 99)).isCloseTo(200, within(10.0));
    }

    private static long[] draw(String text) {
        ResponseDelay delay = ResponseDelay.parse(text);
        SplittableRandom random = new SplittableRandom(42);
        long[] drawn = new long[100_000];
        for (int i = 0; i < drawn.length; i++) {
            drawn[i] = delay.nanos(random.nextDouble(), random.nextDouble());
        }
        Arrays.sort(drawn);
        return drawn;
    }

    private static double percentile(long[] sorted, double percentile) {
        return sorted[(int) (sorted.length * percentile / 100)] / 1e6;
    }
}
