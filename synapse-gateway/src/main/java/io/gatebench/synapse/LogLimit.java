/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.synapse;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.logging.Filter;
import java.util.logging.LogRecord;

import org.jspecify.annotations.Nullable;

/**
 * Lets each logger write a few records a second and counts the rest.
 *
 * <p>The engine logs three lines for every request that a dead back end fails, and a stack trace for every client that
 * resets its connection. Under load that would measure the log, and fill the disk. Safe for concurrent use.
 */
final class LogLimit implements Filter {
    private static final int RECORDS_PER_SECOND = 5;

    private final LongSupplier nanoTime;
    private final Map<String, Window> windows = new ConcurrentHashMap<>();

    LogLimit(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    @Override
    public boolean isLoggable(LogRecord logRecord) {
        long second = TimeUnit.NANOSECONDS.toSeconds(nanoTime.getAsLong());
        Window window = windows.compute(
                String.valueOf(logRecord.getLoggerName()), (name, earlier) -> Window.next(earlier, second));
        if (window.records() > RECORDS_PER_SECOND) {
            return false;
        }
        if (window.dropped() > 0) {
            logRecord.setMessage(logRecord.getMessage() + " [and " + window.dropped() + " more records before it]");
        }
        return true;
    }

    /**
     * Count of what one logger has written.
     *
     * @param second the second that is counted
     * @param records records of that second so far
     * @param dropped records that were not written since the last one that was; reported with the first of a second
     */
    private record Window(long second, int records, long dropped) {
        static Window next(@Nullable Window earlier, long second) {
            if (earlier == null) {
                return new Window(second, 1, 0);
            }
            if (earlier.second == second) {
                return new Window(second, earlier.records + 1, 0);
            }
            return new Window(second, 1, Math.max(0, earlier.records - RECORDS_PER_SECOND));
        }
    }
}
