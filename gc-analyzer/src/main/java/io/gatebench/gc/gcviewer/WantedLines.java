/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gc.gcviewer;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Passes on the lines of a unified log that GCViewer makes events of, as long as they fit into memory.
 *
 * <p>GCViewer keeps every event, and takes a line apart before it knows that it does not want it. These are its own words
 * for what it wants, and so its figures stay the same; only the parts of a pause, which its window shows, go too.
 */
final class WantedLines extends InputStream {

    /** A later GCViewer counts the stops at safepoints too; whoever puts it in the place of this one gets them. */
    private static final List<String> WANTED =
            List.of("[gc ", "[gc]", "[gc,start", "[gc,heap", "[gc,metaspace", "[gc,phases", "[safepoint");

    private static final List<String> UNWANTED = List.of(
            "[debug",
            "[trace",
            "gc,heap,coops",
            "gc,heap,exit",
            "[gc,phases,start",
            "Cancelling concurrent GC",
            "Trigger:",
            "Failed to allocate",
            "Cancelling GC");

    private static final String PHASES = "[gc,phases";
    private static final String INDENTED = ")  ";

    private final BufferedReader in;
    private final long mostBytes;
    private byte[] line = new byte[0];
    private int position;
    private long bytes;

    /**
     * Creates the filter.
     *
     * @param mostBytes how many bytes may be passed on
     */
    WantedLines(InputStream in, long mostBytes) {
        // Every byte is a character and the other way round.
        this.in = new BufferedReader(new InputStreamReader(in, StandardCharsets.ISO_8859_1), 1 << 16);
        this.mostBytes = mostBytes;
    }

    /** Returns how many bytes were passed on. */
    long bytes() {
        return bytes;
    }

    @Override
    public int read() throws IOException {
        return available() > 0 || next() ? line[position++] & 0xff : -1;
    }

    @Override
    public int read(byte[] b, int offset, int length) throws IOException {
        if (available() == 0 && !next()) {
            return -1;
        }
        int count = Math.min(length, available());
        System.arraycopy(line, position, b, offset, count);
        position += count;
        return count;
    }

    @Override
    public int available() {
        return line.length - position;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }

    private boolean next() throws IOException {
        String text = in.readLine();
        while (text != null && !wanted(text)) {
            text = in.readLine();
        }
        if (text == null) {
            return false;
        }
        line = (text + "\n").getBytes(StandardCharsets.ISO_8859_1);
        position = 0;
        bytes += line.length;
        GuardedStream.checkSize(bytes, mostBytes);
        return true;
    }

    static boolean wanted(String line) {
        return WANTED.stream().anyMatch(line::contains)
                && UNWANTED.stream().noneMatch(line::contains)
                && !(line.contains(PHASES) && line.contains(INDENTED));
    }
}
