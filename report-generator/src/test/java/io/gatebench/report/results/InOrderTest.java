/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

class InOrderTest {

    private final List<Integer> things = IntStream.range(0, 1000).boxed().toList();

    @Test
    void handsOverInTheOrderOfTheThings() throws IOException {
        List<Integer> taken = new ArrayList<>();

        InOrder.forEach(things, thing -> 2 * thing, taken::add);

        assertThat(taken)
                .containsExactlyElementsOf(
                        things.stream().map(thing -> 2 * thing).toList());
    }

    @Test
    void holdsAFewProductsAtATime() throws IOException {
        AtomicInteger waiting = new AtomicInteger();
        List<Integer> seen = new ArrayList<>();

        InOrder.forEach(things, thing -> waiting.incrementAndGet(), product -> seen.add(waiting.getAndDecrement()));

        assertThat(seen).allMatch(held -> held <= 2 * Runtime.getRuntime().availableProcessors());
    }

    @Test
    void throwsWhatTheFirstOneThrew() {
        assertThatThrownBy(() -> InOrder.forEach(
                        things,
                        thing -> {
                            if (thing >= 5) {
                                throw new ReportException("thing " + thing);
                            }
                            return thing;
                        },
                        product -> {}))
                .isInstanceOf(ReportException.class)
                .hasMessage("thing 5");
    }
}
