/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SharedWarmUpTest {

    private final SharedWarmUp warmUp = new SharedWarmUp(2, 3);

    private static String line(int second, long samples, double mean) {
        return "{\"second\":" + second + ",\"samples\":" + samples + ",\"errors\":0,\"p99Millis\":9,\"users\":3,"
                + "\"meanMillis\":" + mean + "}";
    }

    @Test
    void isSteadyWhenTheSumIsWhateverEachOfThemDoes() {
        int end = -1;
        for (int second = 0; second < 40 && end < 0; second++) {
            // What one of them gets more the other gets less.
            assertThat(warmUp.isSteadyAfter(line(second, 100 + second, 10))).isFalse();
            if (warmUp.isSteadyAfter(line(second, 200 - second, 10))) {
                end = second;
            }
        }

        // Three seconds of ramp-up, and fifteen that are looked at.
        assertThat(end).isEqualTo(17);
    }

    @Test
    void isNotSteadyWhileTheSumClimbs() {
        for (int second = 0; second < 40; second++) {
            assertThat(warmUp.isSteadyAfter(line(second, 100, 10))).isFalse();
            assertThat(warmUp.isSteadyAfter(line(second, 10L * second, 10))).isFalse();
        }
    }

    @Test
    void isNotSteadyByWhatOneOfThemSaysOrByOtherOutput() {
        for (int second = 0; second < 40; second++) {
            assertThat(warmUp.isSteadyAfter(line(second, 100, 10))).isFalse();
            assertThat(warmUp.isSteadyAfter("load-generator ready")).isFalse();
            assertThat(warmUp.isSteadyAfter("{\"second\":")).isFalse();
        }
    }
}
