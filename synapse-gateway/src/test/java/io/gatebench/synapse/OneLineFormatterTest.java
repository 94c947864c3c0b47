/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.synapse;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Instant;
import java.util.logging.Level;
import java.util.logging.LogRecord;

import org.junit.jupiter.api.Test;

class OneLineFormatterTest {

    @Test
    void writesARecordAndItsFirstCauseOnOneLine() {
        LogRecord logRecord = new LogRecord(Level.SEVERE, "cannot read\n {0}");
        logRecord.setParameters(new Object[] {"a.xml"});
        logRecord.setLoggerName("engine");
        logRecord.setInstant(Instant.parse("2026-11-21T08:00:00.123456Z"));
        logRecord.setThrown(new IllegalStateException("outer", new RuntimeException(new IOException("line\n2"))));

        assertThat(new OneLineFormatter().format(logRecord))
                .isEqualTo("2026-11-21T08:00:00.123Z SEVERE engine: cannot read a.xml:"
                        + " java.lang.IllegalStateException: outer, because of java.io.IOException: line 2"
                        + System.lineSeparator());
    }
}
