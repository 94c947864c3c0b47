/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.spi.host;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A process that was started on a host; safe for use by several threads.
 *
 * @since 0.1
 */
public interface HostProcess {

    /** Returns the name of the {@link ProcessSpec}. */
    String name();

    /** Returns its process identifier on its host. */
    long pid();

    /** Returns whether it runs. */
    boolean isAlive();

    /** Returns its exit code, or empty while it runs or if it can no longer be known. */
    OptionalInt exitCode();

    /** Returns why it ended in words, where more is known than its exit code. */
    default Optional<String> whyEnded() {
        return Optional.empty();
    }

    /** Returns in words what it lost although it runs on, as a container of which the kernel ended a child; empty for nothing. */
    default Optional<String> losses() {
        return Optional.empty();
    }

    /**
     * Returns what it has written since an offset.
     *
     * @param offset bytes of its output to skip
     * @return text up to the last complete line, possibly empty, and the offset to go on from
     */
    Output outputFrom(long offset);

    /** Returns the last lines of its output, for messages. */
    String lastLines(int count);

    /** Returns how a sentence about it ends: with the last lines of its output, or with that there are none. */
    default String lastWords(int count) {
        String lines = lastLines(count);
        return lines.isBlank() ? "; it printed nothing" : "; its last lines:\n" + lines;
    }

    /** Asks it to end, waits, and ends it by force when the time is over; one that has ended is left alone. */
    void stop(Duration grace);

    /**
     * A piece of output.
     *
     * @param text complete lines, possibly empty
     * @param nextOffset where the next piece begins
     */
    record Output(String text, long nextOffset) {}
}
