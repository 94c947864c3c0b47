/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.jtl;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * Takes one CSV stream apart, row by row, in a buffer of fixed size.
 *
 * <p>A row whose quotes do not close, or that makes no sense, costs its own first line alone: reading goes on with the
 * line after it, as a stray quote would otherwise swallow good rows up to the next one.
 */
final class JtlParser {

    static final int MAX_COLUMNS = 256;

    /** A row with messages longer than this is not understood; JMeter cuts none, but servers do not send such. */
    private static final int MAX_ROW_BYTES = 1 << 20;

    private static final int BUFFER_BYTES = 2 << 20;
    /** Number of bytes read at once: little enough to be still in the processor's cache when it is taken apart. */
    static final int READ_BYTES = 128 << 10;

    private static final int LOWER_CASE = 0x20202020;
    private static final int TRUE = 't' | 'r' << 8 | 'u' << 16 | 'e' << 24;
    private static final int FALS = 'f' | 'a' << 8 | 'l' << 16 | 's' << 24;

    private static final int END_OF_INPUT = -1;
    private static final int BROKEN = -2;

    private final String file;
    private final InputStream in;
    private final Consumer<JtlRow> rows;
    private final SkippedLines skipped;
    private final LabelTable labels;
    private final JtlRow row;
    private final TimestampParser timestamps = new TimestampParser();

    private final JtlBuffer content = new JtlBuffer(BUFFER_BYTES);
    private final byte[] buffer = content.bytes;
    private final LikeRows likeRows;
    /** True if the row has no quote. */
    private boolean plain;

    private int position;
    private int limit;
    private boolean ended;
    private long line = 1;
    private long linesOfRow;
    private long breaksOfField;
    private boolean endsWithoutBreak;
    private long unended;
    private long lines;
    private String brokenReason = "";
    /** Position in the file at which the buffer begins. */
    private long base;

    private long until = Long.MAX_VALUE;

    JtlParser(String file, InputStream in, LabelTable labels, SkippedLines skipped, Consumer<JtlRow> rows) {
        this.file = file;
        this.in = in;
        this.labels = labels;
        this.row = new JtlRow(labels);
        this.likeRows = new LikeRows(content);
        this.skipped = skipped;
        this.rows = rows;
    }

    /** Reads everything; returns the number of rows, header and empty lines apart. */
    long parse(List<String> notes) throws IOException {
        JtlColumns columns = columns(notes);
        if (columns == null) {
            notes.add(file + " is empty");
            return 0;
        }
        long rows = readRows(columns, notes);
        unended().ifPresent(last -> notes.add(unendedNote(file, last)));
        return rows;
    }

    /** Returns the number of a last row without a line end. */
    OptionalLong unended() {
        return unended == 0 ? OptionalLong.empty() : OptionalLong.of(unended);
    }

    static String unendedNote(String file, long line) {
        return "the last line of " + file + " (" + line + ") has no line end; it is counted, but may have been cut";
    }

    /** Reads what stands before the first row; returns the columns, or null if there is nothing. */
    @Nullable
    JtlColumns columns(List<String> notes) throws IOException {
        fill();
        if (limit >= 3 && (buffer[0] & 0xff) == 0xef && (buffer[1] & 0xff) == 0xbb && (buffer[2] & 0xff) == 0xbf) {
            position = 3;
        }
        return firstColumns(notes);
    }

    /**
     * Reads the rows that begin before an offset of the file; returns their number.
     *
     * @param from the offset at which the stream begins
     */
    long block(JtlColumns columns, long from, long end, List<String> notes) throws IOException {
        base = from;
        until = end;
        return readRows(columns, notes);
    }

    /** Returns the offset in the file of the first row that was not read. */
    long offset() {
        return base + position;
    }

    /** Returns how many line ends were passed. */
    long breaks() {
        return line - 1;
    }

    private long readRows(JtlColumns columns, List<String> notes) throws IOException {
        row.bytes = buffer;
        row.columns = columns;
        content.separator(columns.separator);
        likeRows.columns(columns);
        while (true) {
            if (offset() >= until) {
                return lines;
            }
            int like = likeRows.take(row, position);
            if (like >= 0) {
                row.line = line;
                rows.accept(row);
                lines++;
                line++;
                position = like;
                continue;
            }
            int end = nextRow(row.columns);
            if (end == END_OF_INPUT) {
                if (lines == 0) {
                    notes.add(file + " holds no sample");
                }
                return lines;
            }
            long rowLine = line;
            if (end == BROKEN) {
                lines++;
                skipped.add(file, rowLine, brokenReason);
                skipPhysicalLine();
                continue;
            }
            if (row.fields == 1 && row.starts[0] == row.ends[0]) {
                line += linesOfRow;
                position = end;
                continue;
            }
            row.line = rowLine;
            String problem = read();
            if (problem == null) {
                lines++;
                rows.accept(row);
                if (plain) {
                    likeRows.keep(row);
                }
                if (endsWithoutBreak) {
                    unended = rowLine;
                }
                line += linesOfRow;
                position = end;
            } else if (repeatsHeader()) {
                line += linesOfRow;
                position = end;
            } else {
                lines++;
                skipped.add(file, rowLine, endsWithoutBreak ? "partial last line: " + problem : problem);
                skipPhysicalLine();
            }
        }
    }

    private @Nullable JtlColumns firstColumns(List<String> notes) throws IOException {
        while (position < limit && (buffer[position] == '\n' || buffer[position] == '\r')) {
            if (buffer[position] == '\n') {
                line++;
            }
            position++;
        }
        if (position == limit) {
            return null;
        }
        int end = position;
        boolean inQuotes = false;
        while (end < limit && (inQuotes || buffer[end] != '\n')) {
            inQuotes ^= buffer[end] == '"';
            end++;
        }
        String first = new String(buffer, position, end - position, StandardCharsets.UTF_8).stripTrailing();
        if (first.startsWith("<?xml") || first.startsWith("<testResults")) {
            throw new JtlFormatException(file + " is a JTL in XML form, which is not read; let JMeter write CSV:"
                    + " -Jjmeter.save.saveservice.output_format=csv");
        }
        JtlColumns columns = JtlColumns.ofHeader(first);
        if (columns != null) {
            line++;
            position = Math.min(limit, end + 1);
            check(columns);
            return columns;
        }
        columns = JtlColumns.ofFirstRow(first);
        if (columns == null) {
            throw new JtlFormatException(file + " has no header line, and its first line fits none of JMeter's default"
                    + " column sets: " + (first.length() > 100 ? first.substring(0, 100) + "..." : first));
        }
        notes.add(file + " has no header line; it is read with the " + columns.count
                + " columns that JMeter writes by default");
        return columns;
    }

    private void check(JtlColumns columns) throws JtlFormatException {
        List<String> missing = new ArrayList<>();
        if (columns.timestamp < 0) {
            missing.add("timeStamp");
        }
        if (columns.elapsed < 0) {
            missing.add("elapsed");
        }
        if (columns.success < 0 && columns.responseCode < 0) {
            missing.add("success");
        }
        if (!missing.isEmpty()) {
            throw new JtlFormatException(file + " has no column " + String.join(" and no column ", missing)
                    + "; without it no sample can be counted");
        }
        if (columns.count > MAX_COLUMNS) {
            throw new JtlFormatException(
                    file + " has " + columns.count + " columns; at most " + MAX_COLUMNS + " are read");
        }
    }

    private boolean repeatsHeader() {
        int index = row.columns.elapsed;
        return index < row.fields && row.field(index).equals("elapsed")
                || row.columns.timestamp < row.fields
                        && row.field(row.columns.timestamp).equals("timeStamp");
    }

    private void skipPhysicalLine() throws IOException {
        int at = position;
        while (true) {
            while (at < limit && buffer[at] != '\n') {
                at++;
            }
            if (at < limit) {
                position = at + 1;
                line++;
                return;
            }
            position = at;
            if (!fill()) {
                return;
            }
            at = position;
        }
    }

    /** Moves what is not read yet to the front and reads more; returns false at the end of the input. */
    private boolean fill() throws IOException {
        if (ended) {
            return false;
        }
        if (position > 0) {
            System.arraycopy(buffer, position, buffer, 0, limit - position);
            limit -= position;
            base += position;
            position = 0;
        }
        int wanted = Math.min(READ_BYTES, BUFFER_BYTES - limit);
        int count = wanted == 0 ? 0 : in.readNBytes(buffer, limit, wanted);
        ended = count < wanted;
        limit += count;
        content.changed(limit);
        return count > 0;
    }

    /** Finds the fields of the row at the position; returns the index behind it. */
    private int nextRow(JtlColumns columns) throws IOException {
        endsWithoutBreak = false;
        while (true) {
            int end = content.plainRow(row, columns, position);
            plain = end >= 0;
            if (plain) {
                linesOfRow = 1;
                return end;
            }
            end = scan(columns);
            if (end >= 0 || end == BROKEN) {
                return end;
            }
            // The row goes on behind the buffer.
            if (!ended && limit - position < MAX_ROW_BYTES && fill()) {
                continue;
            }
            if (!ended) {
                brokenReason = "the line is longer than " + MAX_ROW_BYTES + " bytes";
                return BROKEN;
            }
            if (position == limit) {
                return END_OF_INPUT;
            }
            return scanLast(columns);
        }
    }

    private int scanLast(JtlColumns columns) {
        // A line end that is not there makes the last line a row like any other.
        content.endLine(true);
        limit++;
        int end = scan(columns);
        limit--;
        content.endLine(false);
        if (end < 0) {
            brokenReason = end == BROKEN ? brokenReason : "a quote is not closed";
            return BROKEN;
        }
        endsWithoutBreak = end > limit;
        return Math.min(end, limit);
    }

    /** Returns the index behind the row, BROKEN, or END_OF_INPUT if the buffer ends before the row does. */
    private int scan(JtlColumns columns) {
        byte[] bytes = buffer;
        int stop = limit;
        int start = position;
        int field = 0;
        long breaks = 0;
        // Separators and line ends of the eight bytes from here on that were not looked at yet, a bit for each.
        int word = start;
        long found = 0;
        while (true) {
            if (start >= stop) {
                return END_OF_INPUT;
            }
            if (field == MAX_COLUMNS) {
                brokenReason = "the line has more than " + MAX_COLUMNS + " columns";
                return BROKEN;
            }
            int at;
            if (bytes[start] == '"') {
                at = quotedField(start, field, columns.separator);
                if (at < 0) {
                    return at;
                }
                breaks += breaksOfField;
                word = at + 1;
                found = 0;
            } else {
                while (found == 0) {
                    if (word >= stop) {
                        return END_OF_INPUT;
                    }
                    found = content.fieldEnds(content.wordAt(word));
                    if (found == 0) {
                        word += Long.BYTES;
                    }
                }
                at = word + JtlBuffer.lowestByte(found);
                found &= found - 1;
                if (found == 0) {
                    word += Long.BYTES;
                }
                if (at >= stop) {
                    return END_OF_INPUT;
                }
                row.starts[field] = start;
                row.ends[field] = bytes[at] == '\n' && at > start && bytes[at - 1] == '\r' ? at - 1 : at;
                row.quoted[field] = false;
            }
            field++;
            if (bytes[at] == '\n') {
                row.located(field);
                linesOfRow = breaks + 1;
                return at + 1;
            }
            start = at + 1;
        }
    }

    /** Takes a field in quotes; returns the index of what ends it, BROKEN, or END_OF_INPUT. */
    private int quotedField(int quote, int field, byte separator) {
        byte[] bytes = buffer;
        int stop = limit;
        int at = quote + 1;
        boolean doubled = false;
        breaksOfField = 0;
        while (true) {
            while (at < stop && bytes[at] != '"') {
                if (bytes[at] == '\n') {
                    breaksOfField++;
                }
                at++;
            }
            if (at + 1 >= stop) {
                return END_OF_INPUT;
            }
            if (bytes[at + 1] != '"') {
                break;
            }
            doubled = true;
            at += 2;
        }
        row.starts[field] = quote + 1;
        row.ends[field] = at;
        row.quoted[field] = doubled;
        row.anyQuoted |= doubled;
        at++;
        if (bytes[at] == '\r' && at + 1 >= stop) {
            return END_OF_INPUT;
        }
        if (bytes[at] == '\r' && bytes[at + 1] == '\n') {
            at++;
        }
        if (bytes[at] != separator && bytes[at] != '\n') {
            brokenReason = "text follows a closing quote";
            return BROKEN;
        }
        return at;
    }

    /** Reads the fields that count; returns what is wrong with the row, or null. */
    private @Nullable String read() {
        JtlColumns columns = row.columns;
        if (row.fields != columns.count) {
            return row.fields + " columns instead of " + columns.count;
        }
        long timestamp = number(columns.timestamp);
        if (timestamp < 0) {
            OptionalLong formatted = timestamps.parse(row.field(columns.timestamp));
            if (formatted.isEmpty()) {
                return "time stamp '" + shown(columns.timestamp) + "' is not understood";
            }
            timestamp = formatted.getAsLong();
        }
        long elapsed = number(columns.elapsed);
        if (elapsed < 0) {
            return "elapsed '" + shown(columns.elapsed) + "' is no whole number of milliseconds";
        }
        if (columns.success >= 0) {
            int success = parseBoolean(columns.success);
            if (success < 0) {
                return "success '" + shown(columns.success) + "' is neither true nor false";
            }
            row.success = success == 1;
        } else {
            long code = number(columns.responseCode);
            row.success = code >= 200 && code < 400;
        }
        row.timestamp = timestamp;
        row.elapsed = elapsed;
        row.received = columns.received < 0 ? 0 : Math.max(0, number(columns.received));
        row.sent = columns.sent < 0 ? 0 : Math.max(0, number(columns.sent));
        row.transaction = row.hasMessageOfTransaction();
        row.labelNumber = label(columns.label);
        return null;
    }

    private int label(int index) {
        if (index < 0) {
            return labels.numberOf("");
        }
        return row.quoted[index]
                ? labels.numberOf(row.field(index))
                : labels.numberOf(content, row.starts[index], row.ends[index]);
    }

    private String shown(int index) {
        String text = row.field(index);
        return text.length() > 40 ? text.substring(0, 40) + "..." : text;
    }

    /** Returns 1 for true, 0 for false, in any case, and -1 for anything else. */
    private int parseBoolean(int index) {
        int start = row.starts[index];
        int length = row.ends[index] - start;
        int four = (int) content.wordAt(start) | LOWER_CASE;
        if (length == 4 && four == TRUE) {
            return 1;
        }
        return length == 5 && four == FALS && (buffer[start + 4] | 0x20) == 'e' ? 0 : -1;
    }

    /** Returns a whole number of at most 18 digits, or -1 if the field is none. */
    private long number(int index) {
        return content.number(row.starts[index], row.ends[index]);
    }
}
