/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.echo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import io.netty.channel.embedded.EmbeddedChannel;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** The timing structure by itself: whatever is added and taken out, the earliest of the rest comes first. */
class DueQueueTest {

    @Property
    void yieldsTheRestInOrderAfterAnyAdditionsAndRemovals(
            @ForAll @Size(max = 60) List<@IntRange(min = 1, max = 100) Integer> dues, @ForAll long seed) {
        DueQueue queue = new DueQueue(new EmbeddedChannel().eventLoop(), () -> 0);
        List<Exchange> added = new ArrayList<>();
        for (int due : dues) {
            Exchange exchange = new Exchange();
            exchange.dueNanos = Long.MAX_VALUE - 50 + due;
            added.add(exchange);
            queue.add(exchange);
        }
        Random random = new Random(seed);
        List<Exchange> left = new ArrayList<>(added);
        for (Exchange exchange : added) {
            if (random.nextBoolean()) {
                queue.remove(exchange);
                queue.remove(exchange);
                left.remove(exchange);
            }
        }
        assertThat(queue.size()).isEqualTo(left.size());
        Exchange before = null;
        while (queue.size() > 0) {
            Exchange first = queue.first();
            assertThat(before == null || first.dueNanos - before.dueNanos >= 0).isTrue();
            before = first;
            assertThat(left.remove(first)).isTrue();
            queue.remove(first);
            assertThat(first.heapIndex).isEqualTo(-1);
        }
        assertThat(left).isEmpty();
    }
}
