/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.synapse;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

class LogLimitTest {
    private final AtomicLong nanos = new AtomicLong(TimeUnit.SECONDS.toNanos(7));
    private final LogLimit limit = new LogLimit(nanos::get);

    @Test
    void letsFiveRecordsOfALoggerThroughInASecond() {
        assertThat(written("a", 100)).isEqualTo(5);
        assertThat(written("b", 3)).isEqualTo(3);
    }

    @Test
    void saysInTheNextSecondHowManyItDropped() {
        written("a", 100);
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
        LogRecord first = logRecord("a");
        LogRecord second = logRecord("a");

        assertThat(limit.isLoggable(first)).isTrue();
        assertThat(limit.isLoggable(second)).isTrue();
        assertThat(first.getMessage()).isEqualTo("failed [and 95 more records before it]");
        assertThat(second.getMessage()).isEqualTo("failed");
    }

    private long written(String logger, int records) {
        return IntStream.range(0, records)
                .filter(i -> limit.isLoggable(logRecord(logger)))
                .count();
    }

    private static LogRecord logRecord(String logger) {
        LogRecord logRecord = new LogRecord(Level.WARNING, "failed");
        logRecord.setLoggerName(logger);
        return logRecord;
    }
}
