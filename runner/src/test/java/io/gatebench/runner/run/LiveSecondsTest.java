/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import io.gatebench.spi.RunListener;

class LiveSecondsTest {

    private final List<String> told = new ArrayList<>();
    private final LiveSeconds seconds = new LiveSeconds(2, new RunListener() {
        @Override
        public void second(LiveSecond second) {
            told.add(second.toString());
        }

        @Override
        public void note(String text) {
            told.add(text);
        }
    });

    private static String line(int second, int samples, int errors, double p99) {
        return "{\"second\":" + second + ",\"samples\":" + samples + ",\"errors\":" + errors + ",\"p99Millis\":" + p99
                + ",\"users\":3}";
    }

    @Test
    void tellsASecondWhenAllLoadGeneratorsHaveSpokenOfIt() {
        seconds.line(line(0, 10, 1, 2.5));
        seconds.line(line(1, 20, 0, 2.5));
        assertThat(told).isEmpty();
        seconds.line("some other output");
        seconds.line(line(0, 5, 2, 7.5));

        assertThat(told).containsExactly(new RunListener.LiveSecond(0, 15, 3, 7.5, 6).toString());
    }

    @Test
    void saysWhenALineCannotBeRead() {
        seconds.line("{\"second\":");

        assertThat(told).containsExactly("a load generator wrote a line that is no JSON: {\"second\":");
    }
}
