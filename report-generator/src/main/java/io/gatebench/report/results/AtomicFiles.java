/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.results;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Writes files so that a reader finds the old content or the new one, never a part. */
public final class AtomicFiles {

    private static final int BUFFER = 1 << 16;

    private AtomicFiles() {}

    /**
     * Replaces a file's content: written beside it, forced to the disk, then renamed.
     *
     * @throws ReportException if the file cannot be written; the old content then still stands
     */
    public static void write(Path file, String content) {
        write(file, content.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Replaces a file's content: written beside it, forced to the disk, then renamed.
     *
     * @throws ReportException if the file cannot be written; the old content then still stands
     */
    public static void write(Path file, byte[] content) {
        write(file, content, true);
    }

    /**
     * Replaces the content of a file that can be made again: written beside it, then renamed. A power cut may lose it.
     *
     * @throws ReportException if the file cannot be written; the old content then still stands
     */
    public static void writeUnforced(Path file, byte[] content) {
        write(file, content, false);
    }

    /** Writes the content of a file. */
    public interface Content {

        /** Writes all of it; leaves the stream open. */
        void writeTo(OutputStream out) throws IOException;
    }

    /**
     * Replaces the content of a file that can be made again, however large: written beside it, then renamed. A power cut may
     * lose it.
     *
     * @throws ReportException if the file cannot be written; the old content then still stands
     */
    public static void writeUnforced(Path file, Content content) {
        write(file, content, false);
    }

    private static void write(Path file, byte[] content, boolean forced) {
        write(file, out -> out.write(content), forced);
    }

    private static void write(Path file, Content content, boolean forced) {
        Path directory = file.toAbsolutePath().getParent();
        Path temporary = directory.resolve("." + file.getFileName() + ".tmp");
        try {
            Files.createDirectories(directory);
            try (FileChannel channel = FileChannel.open(
                    temporary,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.TRUNCATE_EXISTING,
                    StandardOpenOption.WRITE)) {
                OutputStream out = new BufferedOutputStream(Channels.newOutputStream(channel), BUFFER);
                content.writeTo(out);
                out.flush();
                if (forced) {
                    channel.force(true);
                }
            }
            move(temporary, file);
        } catch (IOException e) {
            delete(temporary, e);
            throw new ReportException("cannot write " + file + ": " + reason(e), e);
        } catch (RuntimeException | Error e) {
            delete(temporary, e);
            throw e;
        }
        if (forced) {
            forceDirectory(directory);
        }
    }

    private static void move(Path from, Path to) throws IOException {
        try {
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException e) {
            Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    private static void delete(Path temporary, Throwable cause) {
        try {
            Files.deleteIfExists(temporary);
        } catch (IOException e) {
            cause.addSuppressed(e);
        }
    }

    /** The rename itself must survive a power cut; where directories cannot be opened (Windows) it need not. */
    private static void forceDirectory(Path directory) {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        } catch (IOException e) {
            return;
        }
    }

    static String reason(IOException e) {
        String message = e.getMessage();
        return e.getClass().getSimpleName() + (message == null ? "" : " (" + message + ")");
    }
}
