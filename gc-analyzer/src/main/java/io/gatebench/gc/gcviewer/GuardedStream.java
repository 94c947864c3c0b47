/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gc.gcviewer;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Passes a log on to GCViewer as long as it cannot harm: no XML, no line and no whole that does
 * not fit into memory.
 *
 * <p>GCViewer's readers of other JVMs resolve external entities of XML. They are never called; that a log with XML is
 * refused besides keeps this true where somebody changes the choice of the reader.
 */
final class GuardedStream extends FilterInputStream {

    /** A reader of GCViewer holds a line as a whole; the longest of a real log is its command line. */
    static final int MAX_LINE_BYTES = 1 << 17;

    private static final List<String> MARKS = List.of("<?xml", "<!DOCTYPE", "<verbosegc");

    private final byte[][] marks =
            MARKS.stream().map(mark -> mark.getBytes(StandardCharsets.US_ASCII)).toArray(byte[][]::new);
    private final int[] matched = new int[marks.length];
    private long mostBytes;
    private long bytes;
    private long line = 1;
    private int lineBytes;
    private boolean markPossible;

    GuardedStream(InputStream in, long mostBytes) {
        super(in);
        this.mostBytes = mostBytes;
    }

    /** Lets any number of bytes through, for a reader that keeps a part of them only. */
    void withoutLimit() {
        mostBytes = Long.MAX_VALUE;
    }

    /** Returns how many bytes went through. */
    long bytes() {
        return bytes;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] b, int offset, int length) throws IOException {
        int count = super.read(b, offset, length);
        for (int i = offset; i < offset + count; i++) {
            inspect(b[i]);
        }
        bytes += Math.max(0, count);
        checkSize(bytes, mostBytes);
        return count;
    }

    /**
     * Checks what GCViewer gets to read.
     *
     * @throws RefusedException if it is too much for its memory
     */
    static void checkSize(long bytes, long mostBytes) throws RefusedException {
        if (bytes > mostBytes) {
            throw new RefusedException("what GCViewer reads of it, unpacked, is larger than the memory that it may have"
                    + " here (" + (mostBytes >> 20) + " MiB); give the JVM a larger heap (-Xmx)");
        }
    }

    @Override
    public long skip(long count) throws IOException {
        return read(new byte[(int) Math.min(count, 1 << 13)]);
    }

    @Override
    public boolean markSupported() {
        return false;
    }

    private void inspect(byte b) throws RefusedException {
        if (b == '\n') {
            line++;
            lineBytes = 0;
        } else if (++lineBytes > MAX_LINE_BYTES) {
            throw new RefusedException(
                    "line " + line + " is longer than " + MAX_LINE_BYTES + " bytes, which no line of a GC log is");
        }
        if (b == '<' || markPossible) {
            mark(b);
        }
    }

    private void mark(byte b) throws RefusedException {
        markPossible = false;
        for (int i = 0; i < marks.length; i++) {
            // No mark holds its first byte twice, so that a mismatch can only begin anew.
            matched[i] = b == marks[i][matched[i]] ? matched[i] + 1 : b == marks[i][0] ? 1 : 0;
            if (matched[i] == marks[i].length) {
                throw new RefusedException(
                        "line " + line + " holds '" + MARKS.get(i) + "': XML, as JVMs of IBM write it, is not read");
            }
            markPossible |= matched[i] > 0;
        }
    }

    /** The log is not for GCViewer. */
    static final class RefusedException extends IOException {
        private static final long serialVersionUID = 1L;

        RefusedException(String message) {
            super(message);
        }
    }
}
