/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

import io.gatebench.report.results.ReportException;

/**
 * Keeps a results directory for one run at a time.
 *
 * <p>The operating system releases it when the process ends, however it ends, so that a run that was killed can be
 * resumed at once.
 */
final class ResultsLock implements AutoCloseable {

    private static final String FILE = ".lock";

    private final Path file;
    private final FileChannel channel;

    private ResultsLock(Path file, FileChannel channel) {
        this.file = file;
        this.channel = channel;
    }

    /**
     * Takes a results directory.
     *
     * @param owner who takes it and when, for the message that another run gets
     * @throws ReportException if a run that is alive holds it, or it cannot be written
     */
    static ResultsLock take(Path directory, String owner) {
        Path file = directory.resolve(FILE);
        try {
            FileChannel channel = FileChannel.open(
                    file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
            FileLock lock = tryLock(channel);
            if (lock == null) {
                channel.close();
                throw new ReportException("the results directory " + directory + " is in use: "
                        + Files.readString(file).trim() + "; wait for its end");
            }
            channel.truncate(0);
            channel.write(ByteBuffer.wrap((owner + "\n").getBytes(StandardCharsets.UTF_8)));
            return new ResultsLock(file, channel);
        } catch (IOException e) {
            throw new ReportException("cannot write " + file + ": " + e.getMessage(), e);
        }
    }

    private static @org.jspecify.annotations.Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            return null;
        }
    }

    @Override
    public void close() {
        try {
            Files.deleteIfExists(file);
            channel.close();
        } catch (IOException e) {
            throw new ReportException("cannot release " + file + ": " + e.getMessage(), e);
        }
    }
}
