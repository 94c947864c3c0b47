/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;

/**
 * Something that only one of the JVMs in which tests run side by side may do at a time: to start roles at the ports of the
 * products, or to make hosts.
 *
 * <p>A JVM that has it may take it again, and has it until it has given it up as often.
 */
public final class Turn implements AutoCloseable {

    /** A lock of a file belongs to the JVM and not to a test, so that what is held of it does, too. */
    private static final Map<String, Turn> HELD = new HashMap<>();

    private final String name;
    private final FileChannel file;
    private int holders;

    private Turn(String name, FileChannel file) {
        this.name = name;
        this.file = file;
    }

    /** Waits until no other JVM has it. */
    public static Turn take(String name) {
        synchronized (HELD) {
            Turn turn = HELD.get(name);
            if (turn == null) {
                try {
                    turn = new Turn(
                            name,
                            FileChannel.open(
                                    Path.of("target", name + ".turn"),
                                    StandardOpenOption.CREATE,
                                    StandardOpenOption.WRITE));
                    turn.file.lock();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
                HELD.put(name, turn);
            }
            turn.holders++;
            return turn;
        }
    }

    @Override
    public void close() {
        synchronized (HELD) {
            holders--;
            if (holders == 0) {
                HELD.remove(name);
                try {
                    file.close();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }
}
