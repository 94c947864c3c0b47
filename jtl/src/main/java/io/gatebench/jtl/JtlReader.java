/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.jtl;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipInputStream;

/**
 * Reads sample files that JMeter wrote as CSV, plain, gzip or zip, in constant memory.
 *
 * <p>Understands quoted fields with separators, doubled quotes and line breaks, columns in any order, missing and further
 * columns, other separators (tab, semicolon, bar, blank), files without a header in JMeter's default columns, headers
 * that repeat, formatted time stamps, and a cut last line. Every row is handed over or reported with its line.
 * Not thread-safe.
 */
public final class JtlReader {

    private static final int GZIP_BUFFER = 1 << 16;

    private final LabelTable labels = new LabelTable();
    private final SkippedLines skipped = new SkippedLines();
    private final List<String> notes = new ArrayList<>();
    private long rowCount;

    /** Creates a reader, which numbers the labels of all its files together. */
    public JtlReader() {
        // Everything begins empty.
    }

    /**
     * Reads one file.
     *
     * @param rows is given each row
     * @throws JtlFormatException if it is no JTL in CSV form
     * @throws IOException if it cannot be read
     */
    public void read(Path file, Consumer<JtlRow> rows) throws IOException {
        String name = String.valueOf(file.getFileName());
        try (InputStream raw = Files.newInputStream(file);
                BufferedInputStream in = new BufferedInputStream(raw, 4)) {
            in.mark(4);
            byte[] magic = in.readNBytes(4);
            in.reset();
            if (magic.length >= 2 && (magic[0] & 0xff) == 0x1f && (magic[1] & 0xff) == 0x8b) {
                readGzip(name, in, rows);
            } else if (magic.length == 4 && magic[0] == 'P' && magic[1] == 'K' && magic[2] == 3 && magic[3] == 4) {
                readZip(name, in, rows);
            } else {
                read(name, in, rows);
            }
        }
    }

    /**
     * Reads one stream of plain CSV, which is not closed.
     *
     * @param name the name of the file in notes and messages
     * @param rows is given each row
     * @throws JtlFormatException if it is no JTL in CSV form
     * @throws IOException if it cannot be read
     */
    public void read(String name, InputStream in, Consumer<JtlRow> rows) throws IOException {
        try {
            rowCount += new JtlParser(name, in, labels, skipped, rows).parse(notes);
        } catch (LabelTable.TooMany e) {
            throw new JtlFormatException(name + " has " + e.getMessage()
                    + "; a label names a kind of request and holds no id: let JMeter write it so, or cut the id off");
        }
    }

    private void readGzip(String name, InputStream in, Consumer<JtlRow> rows) throws IOException {
        InputStream unpacked;
        try {
            unpacked = new GZIPInputStream(in, GZIP_BUFFER);
        } catch (EOFException | ZipException e) {
            throw cutAtItsBegin(name);
        }
        read(name, new CutStream(unpacked, name), rows);
    }

    private static JtlFormatException cutAtItsBegin(String name) {
        return new JtlFormatException(
                "the compressed file " + name + " is cut or damaged before its first sample; copy it again");
    }

    private void readZip(String name, InputStream in, Consumer<JtlRow> rows) throws IOException {
        ZipInputStream zip = new ZipInputStream(in);
        int entries = 0;
        try {
            ZipEntry entry = zip.getNextEntry();
            while (entry != null) {
                String lower = entry.getName().toLowerCase(Locale.ROOT);
                if (!entry.isDirectory() && (lower.endsWith(".jtl") || lower.endsWith(".csv"))) {
                    entries++;
                    CutStream content = new CutStream(zip, name);
                    read(name + "!" + entry.getName(), content, rows);
                    if (content.cut) {
                        return;
                    }
                }
                entry = zip.getNextEntry();
            }
        } catch (EOFException | ZipException | IllegalArgumentException e) {
            // The name of an entry that is no text is an IllegalArgumentException.
            if (entries == 0) {
                throw cutAtItsBegin(name);
            }
            cut(name);
            return;
        }
        if (entries == 0) {
            throw new JtlFormatException(name + " is a zip file without a .jtl or .csv file in it");
        }
    }

    private void cut(String name) {
        notes.add("the compressed file " + name + " is cut or damaged; what comes before is counted");
    }

    /** Ends a compressed stream that was cut where it ends, with a note, instead of losing what was before. */
    private final class CutStream extends FilterInputStream {
        private final String name;
        private boolean cut;

        private CutStream(InputStream in, String name) {
            super(in);
            this.name = name;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            if (cut) {
                return -1;
            }
            try {
                return super.read(bytes, offset, length);
            } catch (EOFException | ZipException e) {
                cut = true;
                cut(name);
                return -1;
            }
        }
    }

    /** Returns the number of rows of all files so far, skipped ones included; headers and empty lines apart. */
    public long rows() {
        return rowCount;
    }

    /** Returns the number of labels so far. */
    public int labels() {
        return labels.size();
    }

    /** Returns the label of a number. */
    public String label(int number) {
        return labels.text(number);
    }

    /** Returns the rows that were not handed over, in order; at most the first 100,000. */
    public List<SkippedLine> skipped() {
        return skipped.kept();
    }

    /** Returns how many rows were not handed over. */
    public long skippedCount() {
        return skipped.count();
    }

    /** Returns what a reader of the figures must know, e.g. that a file was cut. */
    public List<String> notes() {
        return List.copyOf(notes);
    }

    /** Counts a row that was handed over as skipped after all. */
    void skip(String file, long line, String reason) {
        skipped.add(file, line, reason);
    }
}
