/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.echo;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * The one timing structure of an event loop: every response that has to wait, of every protocol, is in it.
 *
 * <p>A binary heap whose entries know their own place, driven by a single timer at the earliest moment. Whatever is due
 * when it rings is answered in one go and each connection is flushed once, so that a busy loop pays for the timer per
 * batch and not per response. Nothing is ever answered before its moment. Used by its event loop only.
 */
final class DueQueue implements Runnable {

    private final EventExecutor executor;
    private final LongSupplier nanoClock;
    private final List<Connection> toFlush = new ArrayList<>();
    private Exchange[] heap = new Exchange[256];
    private int size;
    private long armedFor = Long.MAX_VALUE;
    private @Nullable Future<?> timer;
    private boolean running;

    DueQueue(EventExecutor executor, LongSupplier nanoClock) {
        this.executor = executor;
        this.nanoClock = nanoClock;
    }

    int size() {
        return size;
    }

    /** Returns the exchange that is due next; there must be one. */
    Exchange first() {
        return heap[0];
    }

    void add(Exchange exchange) {
        if (size == heap.length) {
            heap = Arrays.copyOf(heap, size * 2);
        }
        siftUp(size++, exchange);
        arm();
    }

    void remove(Exchange exchange) {
        int index = exchange.heapIndex;
        if (index < 0) {
            return;
        }
        exchange.heapIndex = -1;
        Exchange last = heap[--size];
        heap[size] = null;
        if (last != exchange) {
            siftDown(index, last);
            if (heap[index] == last) {
                siftUp(index, last);
            }
        }
    }

    /** Flushes the connection once, when everything that is due now has been written. */
    void flushLater(Connection connection) {
        toFlush.add(connection);
    }

    @Override
    public void run() {
        armedFor = Long.MAX_VALUE;
        timer = null;
        running = true;
        long now = nanoClock.getAsLong();
        while (size > 0 && first().dueNanos - now <= 0) {
            Exchange next = first();
            remove(next);
            next.connection.due(next, now);
        }
        for (int i = 0; i < toFlush.size(); i++) {
            toFlush.get(i).flushDue();
        }
        toFlush.clear();
        running = false;
        arm();
    }

    private void arm() {
        if (running || size == 0) {
            return;
        }
        long due = heap[0].dueNanos;
        if (armedFor != Long.MAX_VALUE && armedFor - due <= 0) {
            return;
        }
        if (timer != null) {
            timer.cancel(false);
        }
        armedFor = due;
        timer = executor.schedule(this, Math.max(0, due - nanoClock.getAsLong()), TimeUnit.NANOSECONDS);
    }

    private void siftUp(int from, Exchange exchange) {
        int index = from;
        while (index > 0) {
            int parent = (index - 1) >>> 1;
            Exchange above = heap[parent];
            if (exchange.dueNanos - above.dueNanos >= 0) {
                break;
            }
            heap[index] = above;
            above.heapIndex = index;
            index = parent;
        }
        heap[index] = exchange;
        exchange.heapIndex = index;
    }

    private void siftDown(int from, Exchange exchange) {
        int index = from;
        int half = size >>> 1;
        while (index < half) {
            int child = 2 * index + 1;
            if (child + 1 < size && heap[child + 1].dueNanos - heap[child].dueNanos < 0) {
                child++;
            }
            Exchange below = heap[child];
            if (exchange.dueNanos - below.dueNanos <= 0) {
                break;
            }
            heap[index] = below;
            below.heapIndex = index;
            index = child;
        }
        heap[index] = exchange;
        exchange.heapIndex = index;
    }
}
