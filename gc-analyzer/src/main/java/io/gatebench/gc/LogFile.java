/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gc;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.zip.GZIPInputStream;

/** One file of a log: opened, whatever packs it, and its place among its siblings. */
final class LogFile {

    static final int BUFFER_BYTES = 1 << 17;
    private static final int SNIFFING_BYTES = 1 << 16;
    private static final long SECOND = 1_000_000_000L;

    /** Way in which the log is written. */
    enum Form {
        UNIFIED,
        JDK8,
        FOREIGN
    }

    private final Path path;
    private Form form = Form.FOREIGN;
    private long firstEpochMillis = Decorations.NONE;
    private long firstUptimeNanos = Decorations.NONE;
    private boolean damaged;
    private boolean wide;
    private boolean packed;

    private LogFile(Path path) {
        this.path = path;
    }

    /**
     * Looks at the files and puts them into the order of time.
     *
     * @throws GcLogException if one cannot be read
     */
    static List<LogFile> inOrder(List<Path> paths) {
        if (paths.isEmpty()) {
            throw new GcLogException("no GC log was given; name at least one file");
        }
        List<LogFile> files = new ArrayList<>();
        boolean wallClock = true;
        for (Path path : paths) {
            LogFile file = new LogFile(path);
            file.sniff();
            wallClock &= file.firstEpochMillis != Decorations.NONE;
            files.add(file);
        }
        // Two JVM runs without wall clock both begin near zero: the caller's order then stands.
        files.sort(
                wallClock
                        ? Comparator.comparingLong(file -> file.firstEpochMillis)
                        : Comparator.comparingLong(file -> file.firstUptimeNanos < SECOND ? 0 : file.firstUptimeNanos));
        return files;
    }

    Path path() {
        return path;
    }

    Form form() {
        return form;
    }

    /** Returns whether reading ended before the file did, as that of a packed file that was cut off. */
    boolean damaged() {
        return damaged;
    }

    /** Returns whether the file is in UTF-16, as a Windows console writes it. */
    boolean wide() {
        return wide;
    }

    private void sniff() {
        if (Files.isDirectory(path)) {
            throw new GcLogException("'" + path + "' is a directory; name the GC log files in it");
        }
        if (!Files.exists(path)) {
            throw new GcLogException("there is no GC log '" + path + "'");
        }
        Decorations head = new Decorations();
        List<String> xml = new ArrayList<>();
        read(SNIFFING_BYTES, new LineTaker() {
            @Override
            public boolean take(byte[] b, int start, int end, boolean terminated) {
                form = form(head, b, start, end);
                if (xml.isEmpty()) {
                    Jdk8Scan.xml(b, start, end).ifPresent(xml::add);
                }
                return form == Form.FOREIGN;
            }
        });
        // Lines of a unified log stand for themselves: what lies between them is not read by anybody.
        if (!xml.isEmpty() && form != Form.UNIFIED) {
            throw new GcLogException("'" + path + "' holds '" + xml.get(0)
                    + "': it is XML, as JVMs of IBM write their logs, which is not read; give a log of HotSpot");
        }
        if (head.groups() > 0 && form == Form.UNIFIED) {
            firstEpochMillis = head.epochMillis();
            firstUptimeNanos = head.uptimeNanos() != Decorations.NONE ? head.uptimeNanos() : head.tickNanos();
        }
    }

    private Form form(Decorations head, byte[] b, int start, int end) {
        if (head.scan(b, start, end) > 0 && head.groups() > 0) {
            head.decode();
            if (head.uptimeNanos() != Decorations.NONE
                    || head.epochMillis() != Decorations.NONE
                    || head.tickNanos() != Decorations.NONE
                    || head.tagsStartWith("gc")
                    || head.tagsStartWith("safepoint")) {
                return Form.UNIFIED;
            }
        }
        if (head.find(b, start, end) >= 0) {
            return Form.UNIFIED;
        }
        if (Bytes.startsWith(b, start, end, "GC(") || Bytes.startsWith(b, start, end, "Using G1")) {
            return Form.UNIFIED;
        }
        if (Jdk8Scan.recognises(b, start, end)) {
            firstEpochMillis = Jdk8Scan.epochMillis(b, start, end);
            firstUptimeNanos = Jdk8Scan.uptimeNanos(b, start, end);
            return Form.JDK8;
        }
        return Form.FOREIGN;
    }

    /** Hands every line to the taker until it has enough. */
    void read(LineTaker taker) {
        read(BUFFER_BYTES, taker);
    }

    /** Hands the lines of a unified log that tell something to a taker that wants them all, with all processors. */
    void readParts(LineTaker taker) {
        int processors = Runtime.getRuntime().availableProcessors();
        try {
            if (processors == 1 || wide || packed || Files.size(path) < BlockReader.MIN_BYTES) {
                read(taker);
            } else {
                BlockReader.read(path, processors, taker);
            }
        } catch (IOException e) {
            throw new GcLogException("cannot read the GC log '" + path + "': " + e.getMessage(), e);
        }
    }

    private void read(int bufferBytes, LineTaker taker) {
        try (InputStream in = open()) {
            LineSource lines = new LineSource(in, bufferBytes, taker);
            boolean more = true;
            while (more && next(lines)) {
                more = taker.take(lines.buffer(), lines.start(), lines.end(), lines.terminated());
                if (lines.overlong()) {
                    taker.overlong();
                }
            }
            taker.beforeRefill();
        } catch (IOException e) {
            throw new GcLogException("cannot read the GC log '" + path + "': " + e.getMessage(), e);
        }
    }

    /** Reads on; a packed file that ends too early ends here, with what could be unpacked. */
    private boolean next(LineSource lines) throws IOException {
        try {
            return lines.next();
        } catch (java.io.EOFException | java.util.zip.ZipException e) {
            damaged = true;
            return lines.rest();
        }
    }

    private InputStream open() throws IOException {
        try {
            byte[] magic;
            try (InputStream in = unpacked()) {
                magic = in.readNBytes(2);
            }
            boolean little = magic.length == 2 && (magic[0] & 0xff) == 0xff && (magic[1] & 0xff) == 0xfe;
            boolean big = magic.length == 2 && (magic[0] & 0xff) == 0xfe && (magic[1] & 0xff) == 0xff;
            wide = little || big;
            return wide ? new Utf16Stream(unpacked(), little) : unpacked();
        } catch (java.io.EOFException | java.util.zip.ZipException e) {
            damaged = true;
            return InputStream.nullInputStream();
        }
    }

    private InputStream unpacked() throws IOException {
        InputStream raw = Files.newInputStream(path);
        try {
            byte[] magic = raw.readNBytes(2);
            raw.close();
            raw = Files.newInputStream(path);
            packed = magic.length == 2 && (magic[0] & 0xff) == 0x1f && (magic[1] & 0xff) == 0x8b;
            return packed ? new GZIPInputStream(new BufferedInputStream(raw, SNIFFING_BYTES), SNIFFING_BYTES) : raw;
        } catch (IOException e) {
            raw.close();
            throw e;
        }
    }

    /** Takes lines; the bytes are only valid during the call. */
    interface LineTaker {
        /** Takes one line; returns whether more is wanted. */
        boolean take(byte[] b, int start, int end, boolean terminated);

        /**
         * Passes over lines that need not be taken; called with whole lines and, at the end, a part of one.
         *
         * @return the index of the first line to take
         */
        default int skip(LogBytes content, int start, int limit) {
            return start;
        }

        /** Called with the last line that was passed over where lines were not handed out one by one. */
        default void passOver(byte[] b, int start, int end) {}

        /** Called before the bytes of the last line are overwritten. */
        default void beforeRefill() {}

        /** Called after a line that was longer than the buffer and came cut. */
        default void overlong() {}
    }
}
