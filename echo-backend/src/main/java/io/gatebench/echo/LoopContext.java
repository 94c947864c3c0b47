/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.echo;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** State that the connections of one event loop share without a lock; used by that event loop only, but for the counters. */
final class LoopContext {

    /** Interval at which resting and dawdling connections are looked for; the time-outs are as coarse as this. */
    static final long SWEEP_MILLIS = 250;

    private static final int SPARE_EXCHANGES = 4096;

    final EventExecutor executor;
    final Behaviour behaviour;
    final LongSupplier nanoClock;
    final DueQueue dueQueue;
    final LoopCounters counters = new LoopCounters();
    final Http1Head head;
    final Http1ResponseHead responseHead = new Http1ResponseHead();
    final @Nullable AccessLog accessLog;

    /** Counts sweeps; connections note it in place of the time, which would cost a clock call per read. */
    int tick;

    boolean draining;

    private final List<Connection> connections = new ArrayList<>();
    private final Exchange[] spare = new Exchange[SPARE_EXCHANGES];
    private int spareCount;
    private @Nullable Future<?> sweeper;

    LoopContext(EventExecutor executor, Behaviour behaviour, LongSupplier nanoClock, @Nullable AccessLog accessLog) {
        this.executor = executor;
        this.behaviour = behaviour;
        this.nanoClock = nanoClock;
        this.accessLog = accessLog;
        this.dueQueue = new DueQueue(executor, nanoClock);
        this.head = new Http1Head(behaviour.config.maxHeaderSize());
    }

    void startSweeping() {
        sweeper = executor.scheduleAtFixedRate(this::sweep, SWEEP_MILLIS, SWEEP_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void sweep() {
        tick++;
        for (int i = connections.size() - 1; i >= 0; i--) {
            // A connection that is closed here takes itself off the list, and another may take its place.
            if (i < connections.size()) {
                connections.get(i).sweep(tick);
            }
        }
        flushAccessLog();
    }

    void flushAccessLog() {
        if (accessLog != null) {
            accessLog.flush();
        }
    }

    void drain() {
        draining = true;
        for (Connection connection : List.copyOf(connections)) {
            connection.drain();
        }
    }

    void stop() {
        if (sweeper != null) {
            sweeper.cancel(false);
        }
    }

    void register(Connection connection) {
        connection.slot(connections.size());
        connections.add(connection);
    }

    void deregister(Connection connection) {
        int slot = connection.slot();
        if (slot < 0) {
            return;
        }
        connection.slot(-1);
        Connection last = connections.remove(connections.size() - 1);
        if (last != connection) {
            connections.set(slot, last);
            last.slot(slot);
        }
    }

    /** Counts and logs a response whose first byte is about to be written. */
    void begin(Exchange exchange, long bodyBytes, String protocol) {
        exchange.started = true;
        long actual = 0;
        if (exchange.askedNanos > 0 || exchange.rate > 0 || accessLog != null) {
            exchange.startedNanos = nanoClock.getAsLong();
            if (exchange.receivedNanos != 0) {
                actual = exchange.startedNanos - exchange.receivedNanos;
                counters.delayed(exchange.askedNanos, actual);
            }
        }
        counters.response(exchange.status);
        LoopCounters.add(counters.responseBytes, bodyBytes);
        if (accessLog != null) {
            accessLog.line(exchange, protocol, bodyBytes, actual);
        }
    }

    Exchange take(Connection connection) {
        Exchange exchange = spareCount > 0 ? spare[--spareCount] : new Exchange();
        exchange.connection = connection;
        return exchange;
    }

    /** Takes an exchange back, with what it still holds. */
    void giveBack(Exchange exchange) {
        exchange.clear();
        if (spareCount < SPARE_EXCHANGES) {
            spare[spareCount++] = exchange;
        }
    }

    static int ticks(Duration limit) {
        return limit.isZero() ? 0 : (int) Math.max(1, (limit.toMillis() + SWEEP_MILLIS - 1) / SWEEP_MILLIS);
    }
}
