/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.echo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One CSV line per response: what the server itself knows of it, to compare other recorders with.
 *
 * <p>Each event loop fills a buffer of its own (see {@link #forLoop}) and writes it when it is full or at the next sweep;
 * the system appends each write whole.
 */
final class AccessLog implements AutoCloseable {

    static final String HEADER =
            "epochMicros,protocol,method,target,status,requestBytes,responseBytes,askedMicros,actualMicros\n";

    private static final Logger LOG = LoggerFactory.getLogger(AccessLog.class);
    private static final int BUFFER = 1 << 16;
    private static final int MAX_LINE = 1024;

    private final FileChannel channel;
    private final AtomicBoolean failed;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER);

    private AccessLog(FileChannel channel, AtomicBoolean failed) {
        this.channel = channel;
        this.failed = failed;
    }

    static AccessLog open(Path file) {
        try {
            FileChannel channel = FileChannel.open(
                    file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING);
            channel.write(ByteBuffer.wrap(HEADER.getBytes(StandardCharsets.US_ASCII)));
            channel.close();
            return new AccessLog(
                    FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.APPEND), new AtomicBoolean());
        } catch (IOException e) {
            throw new EchoException(
                    "cannot write the access log " + file + ": " + e.getMessage()
                            + "; name a file in a directory that exists",
                    e);
        }
    }

    /** Returns a log with a buffer of its own that appends to the same file. */
    AccessLog forLoop() {
        return new AccessLog(channel, failed);
    }

    void line(Exchange exchange, String protocol, long responseBytes, long actualNanos) {
        String requestLine = exchange.requestLine == null ? "- -" : exchange.requestLine;
        int space = requestLine.indexOf(' ');
        Instant now = Instant.now();
        String line = now.getEpochSecond() * 1_000_000 + now.getNano() / 1000 + "," + protocol + ","
                + requestLine.substring(0, space) + "," + quoted(requestLine.substring(space + 1)) + ","
                + exchange.status + "," + exchange.bodyLength + "," + responseBytes + ","
                + exchange.askedNanos / 1000 + "," + actualNanos / 1000 + "\n";
        byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
        if (buffer.remaining() < bytes.length) {
            flush();
        }
        buffer.put(bytes);
    }

    private static String quoted(String target) {
        String shortened = target.length() > MAX_LINE ? target.substring(0, MAX_LINE) : target;
        return shortened.indexOf(',') < 0 && shortened.indexOf('"') < 0
                ? shortened
                : '"' + shortened.replace("\"", "\"\"") + '"';
    }

    void flush() {
        if (buffer.position() == 0) {
            return;
        }
        buffer.flip();
        try {
            while (buffer.hasRemaining() && !failed.get()) {
                channel.write(buffer);
            }
        } catch (IOException e) {
            if (failed.compareAndSet(false, true)) {
                LOG.warn("the access log ends here, it cannot be written any more: {}", e.getMessage());
            }
        }
        buffer.clear();
    }

    @Override
    public void close() {
        flush();
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
