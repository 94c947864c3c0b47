/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gc;

import java.util.List;

/** Tells several listeners what one parser tells. */
final class LogListeners implements LogListener {

    private final LogListener[] all;

    LogListeners(List<? extends LogListener> listeners) {
        all = listeners.toArray(LogListener[]::new);
    }

    @Override
    public void jvmStarted() {
        for (LogListener listener : all) {
            listener.jvmStarted();
        }
    }

    @Override
    public void collection(Collection collection) {
        for (LogListener listener : all) {
            listener.collection(collection);
        }
    }

    @Override
    public void afterFull(long startNanos, double bytes, String cause) {
        for (LogListener listener : all) {
            listener.afterFull(startNanos, bytes, cause);
        }
    }

    @Override
    public void concurrent(long endNanos, long durationNanos) {
        for (LogListener listener : all) {
            listener.concurrent(endNanos, durationNanos);
        }
    }

    @Override
    public void safepoint(long endNanos, long waitNanos, long totalNanos) {
        for (LogListener listener : all) {
            listener.safepoint(endNanos, waitNanos, totalNanos);
        }
    }

    @Override
    public void oldGeneration(long endNanos, long beforeBytes, long afterBytes) {
        for (LogListener listener : all) {
            listener.oldGeneration(endNanos, beforeBytes, afterBytes);
        }
    }

    @Override
    public void count(Event event, long timeNanos, long number) {
        for (LogListener listener : all) {
            listener.count(event, timeNanos, number);
        }
    }

    @Override
    public void fact(Fact fact, String value) {
        for (LogListener listener : all) {
            listener.fact(fact, value);
        }
    }
}
