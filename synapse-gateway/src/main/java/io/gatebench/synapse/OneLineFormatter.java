/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.synapse;

import java.time.temporal.ChronoUnit;
import java.util.logging.Formatter;
import java.util.logging.LogRecord;

/**
 * Writes a record as one line: time in UTC, level, logger, message, and the exception with its first cause.
 *
 * <p>The engine's stack traces run to fifty lines and more and seldom lead anywhere but into the engine.
 * Stateless and safe for concurrent use.
 */
final class OneLineFormatter extends Formatter {

    @Override
    public String format(LogRecord logRecord) {
        StringBuilder line = new StringBuilder()
                .append(logRecord.getInstant().truncatedTo(ChronoUnit.MILLIS))
                .append(' ')
                .append(logRecord.getLevel())
                .append(' ')
                .append(logRecord.getLoggerName())
                .append(": ")
                .append(formatMessage(logRecord));
        Throwable thrown = logRecord.getThrown();
        if (thrown != null) {
            line.append(": ").append(thrown);
            Throwable root = thrown;
            while (root.getCause() != null) {
                root = root.getCause();
            }
            if (root != thrown) {
                line.append(", because of ").append(root);
            }
        }
        return line.toString().replaceAll("\\s+", " ").strip() + System.lineSeparator();
    }
}
