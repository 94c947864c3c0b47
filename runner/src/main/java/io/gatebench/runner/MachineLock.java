/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;

import org.jspecify.annotations.Nullable;

import io.gatebench.spi.host.Pause;

/**
 * Lets one measurement of a user run on this machine at a time, whatever the number of threads and JVMs.
 *
 * <p>The lock is one of the operating system, so that it ends with its holder, however that ends.
 */
final class MachineLock {

    private static final Duration POLL = Duration.ofMillis(100);

    /**
     * Set while a thread of this JVM measures. Other threads must not even open the file that one of them has locked: closing
     * any channel of a file gives up every lock of the process on it. A property, as a build tool loads this class once for
     * each set of jars beside it, and all of them have the machine in common.
     */
    private static final String THIS_JVM = "gatebench.measuring";

    private final FileChannel channel;
    private final FileLock lock;

    private MachineLock(FileChannel channel, FileLock lock) {
        this.channel = channel;
        this.lock = lock;
    }

    /** Returns the file that all measurements of this user lock. */
    static Path file() {
        // Nobody else can put anything there, as anybody can in a directory for temporary files.
        return Path.of(System.getProperty("user.home"), ".gatebench", "measurement.lock");
    }

    /**
     * Waits for its turn.
     *
     * @param patience how long
     * @throws IllegalStateException if another measurement still runs after that time
     */
    static MachineLock take(Path file, Duration patience) {
        long deadline = System.nanoTime() + patience.toNanos();
        boolean mine = false;
        try {
            while (true) {
                mine = mine || System.getProperties().putIfAbsent(THIS_JVM, "true") == null;
                MachineLock taken = mine ? tryTake(file) : null;
                if (taken != null) {
                    mine = false;
                    return taken;
                }
                if (System.nanoTime() >= deadline) {
                    String pid = String.valueOf(ProcessHandle.current().pid());
                    throw refused(mine ? holder(file) : pid, patience);
                }
                if (!Pause.passed(POLL)) {
                    Thread.currentThread().interrupt();
                    throw new IllegalStateException("interrupted while another measurement ran on this machine");
                }
            }
        } finally {
            if (mine) {
                System.clearProperty(THIS_JVM);
            }
        }
    }

    private static IllegalStateException refused(String holder, Duration patience) {
        return new IllegalStateException("another measurement runs on this machine (process " + holder
                + "); two at once would measure each other. Run them one after the other, or wait longer than "
                + patience.toSeconds() + " s with patience(..)");
    }

    private static @Nullable MachineLock tryTake(Path file) {
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            FileChannel channel = FileChannel.open(
                    file,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE,
                    // What is written here must not fall on the file that a link leads to.
                    LinkOption.NOFOLLOW_LINKS);
            FileLock lock = channel.tryLock();
            if (lock == null) {
                channel.close();
                return null;
            }
            channel.truncate(0);
            channel.write(ByteBuffer.wrap(
                    String.valueOf(ProcessHandle.current().pid()).getBytes(StandardCharsets.US_ASCII)));
            return new MachineLock(channel, lock);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot lock " + file + ", by which measurements wait for each other", e);
        }
    }

    private static String holder(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            return "unknown";
        }
    }

    /** Lets the next one in. */
    void release() {
        try {
            lock.release();
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            System.clearProperty(THIS_JVM);
        }
    }
}
