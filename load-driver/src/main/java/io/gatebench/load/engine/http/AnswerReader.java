/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.engine.http;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * Reads the answers of one HTTP/1.1 connection, one after the other, in constant memory. Content codings are not decoded;
 * an upgrade (101) is a failure.
 *
 * <p>Not thread-safe.
 */
final class AnswerReader {

    /** Largest head, trailers, or extension of a chunk in bytes. */
    static final int MAX_HEAD_BYTES = 64 * 1024;

    private static final int BUFFER_BYTES = 16 * 1024;

    private final byte[] in = new byte[BUFFER_BYTES];
    private byte[] head = new byte[1024];
    private int position;
    private int limit;
    private int headLength;
    private int lineEndIndex;
    private @Nullable InputStream input;

    private int status;
    private long firstByteNanos;
    private long receivedBytes;
    private long bodyBytes;
    private byte @Nullable [] mark;
    private boolean marked;
    private boolean otherMark;

    /** Reads from another connection from now on, or from none. */
    void readFrom(@Nullable InputStream connection) {
        input = connection;
        position = 0;
        limit = 0;
    }

    /**
     * Forgets the answer before.
     *
     * @param expectedMark the mark that the header of the next one must have if it has that header, or null
     */
    void begin(byte @Nullable [] expectedMark) {
        mark = expectedMark;
        marked = false;
        otherMark = false;
        status = 0;
        firstByteNanos = 0;
        receivedBytes = 0;
        bodyBytes = 0;
        headLength = 0;
    }

    /** Returns whether bytes have come that belong to no answer that was asked for. */
    boolean holdsMore() {
        return position < limit;
    }

    /** Returns the status of the answer, 0 if there was none. */
    int status() {
        return status;
    }

    /** Returns when its first byte came, by {@link System#nanoTime}, 0 if none did. */
    long firstByteNanos() {
        return firstByteNanos;
    }

    /** Returns the bytes that came, framing included. */
    long receivedBytes() {
        return receivedBytes;
    }

    /** Returns the length of the body, transfer coding removed. */
    long bodyBytes() {
        return bodyBytes;
    }

    /** Returns whether the answer has the header of a mark, and that is another one. */
    boolean carriesAnotherMark() {
        return otherMark;
    }

    /** Returns whether the answer has the header with the expected mark. */
    boolean carriesTheMark() {
        return marked && !otherMark;
    }

    /**
     * Reads one answer to its end.
     *
     * @param answersHead whether the request was HEAD, so that there is no body
     * @return whether the connection can take another request
     */
    boolean read(boolean answersHead, BodyListener listener) throws IOException {
        Framing framing = readHead();
        while (status >= 100 && status < 200) {
            if (status == 101) {
                throw protocol("the server switched protocols, which was not asked for");
            }
            framing = readHead();
        }
        listener.begin(status);
        boolean noBody = answersHead || status == 204 || status == 304;
        boolean keep = framing.keepAlive;
        if (!noBody) {
            if (framing.chunked) {
                readChunks(listener);
            } else if (framing.contentLength >= 0) {
                readBody(framing.contentLength, listener);
            } else {
                keep = false;
                readToEnd(listener);
            }
        }
        return keep && position == limit;
    }

    private static final class Framing {
        private boolean keepAlive = true;
        private boolean chunked;
        private boolean otherCoding;
        private long contentLength = -1;
    }

    private Framing readHead() throws IOException {
        headLength = 0;
        Framing framing = new Framing();
        int start = nextLine();
        int end = lineEnd();
        // Two bytes of an empty line before the status line are what some servers leave from the answer before.
        while (end == start) {
            start = nextLine();
            end = lineEnd();
            if (headLength > 16) {
                throw protocol("the response does not begin with a status line");
            }
        }
        parseStatusLine(start, end, framing);
        while (true) {
            start = nextLine();
            end = lineEnd();
            if (start == end) {
                break;
            }
            parseField(start, end, framing);
        }
        if (framing.otherCoding && !framing.chunked) {
            framing.contentLength = -1;
        }
        return framing;
    }

    private int lineEnd() {
        return lineEndIndex;
    }

    /** Copies the next line into {@link #head}; returns its first index there and keeps its end without CR LF. */
    private int nextLine() throws IOException {
        int lineStart = headLength;
        while (true) {
            if (position == limit) {
                fill();
            }
            int at = position;
            int stop = limit;
            byte[] bytes = in;
            while (at < stop && bytes[at] != '\n') {
                at++;
            }
            int count = (at < stop ? at + 1 : at) - position;
            if (headLength + count > MAX_HEAD_BYTES) {
                throw protocol("the head of the response exceeds " + MAX_HEAD_BYTES + " bytes");
            }
            if (headLength + count > head.length) {
                head = Arrays.copyOf(head, Math.max(head.length * 2, headLength + count));
            }
            System.arraycopy(bytes, position, head, headLength, count);
            headLength += count;
            position += count;
            if (at < stop) {
                int end = headLength - 1;
                if (end > lineStart && head[end - 1] == '\r') {
                    end--;
                }
                lineEndIndex = end;
                return lineStart;
            }
        }
    }

    private void parseStatusLine(int start, int end, Framing framing) throws IOException {
        // HTTP/1.1 200 OK
        boolean valid = end - start >= 12
                && head[start] == 'H'
                && head[start + 1] == 'T'
                && head[start + 2] == 'T'
                && head[start + 3] == 'P'
                && head[start + 4] == '/'
                && head[start + 5] == '1'
                && head[start + 6] == '.'
                && head[start + 8] == ' '
                && isDigit(head[start + 9])
                && isDigit(head[start + 10])
                && isDigit(head[start + 11])
                && (end - start == 12 || head[start + 12] == ' ');
        if (!valid) {
            throw protocol("the response does not begin with a status line of HTTP/1");
        }
        framing.keepAlive = head[start + 7] != '0';
        status = (head[start + 9] - '0') * 100 + (head[start + 10] - '0') * 10 + head[start + 11] - '0';
        if (status < 100) {
            throw protocol("the response has a status below 100");
        }
    }

    private static boolean isDigit(byte b) {
        return b >= '0' && b <= '9';
    }

    private void parseField(int start, int end, Framing framing) throws IOException {
        if (head[start] == ' ' || head[start] == '\t') {
            throw protocol("the response folds a header line");
        }
        int colon = start;
        while (colon < end && head[colon] != ':') {
            colon++;
        }
        if (colon == end || colon == start) {
            throw protocol("the response has a header line without a name");
        }
        switch (colon - start) {
            case 9 -> {
                if (mark != null && matches(start, RequestMark.HEADER)) {
                    parseMark(colon + 1, end, mark);
                }
            }
            case 10 -> {
                if (matches(start, "connection")) {
                    parseConnection(colon + 1, end, framing);
                }
            }
            case 14 -> {
                if (matches(start, "content-length")) {
                    parseContentLength(colon + 1, end, framing);
                }
            }
            case 17 -> {
                if (matches(start, "transfer-encoding")) {
                    String coding = text(colon + 1, end).toLowerCase(Locale.ROOT);
                    framing.chunked =
                            coding.equals("chunked") || coding.endsWith(",chunked") || coding.endsWith(" chunked");
                    framing.otherCoding = true;
                }
            }
            default -> {
                // Every other field is for readers of a failure only.
            }
        }
    }

    private boolean matches(int start, String lowerCaseName) {
        for (int i = 0; i < lowerCaseName.length(); i++) {
            if ((head[start + i] | 0x20) != lowerCaseName.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private void parseConnection(int start, int end, Framing framing) {
        for (String option : text(start, end).toLowerCase(Locale.ROOT).split(",")) {
            switch (option.trim()) {
                case "close" -> framing.keepAlive = false;
                case "keep-alive" -> framing.keepAlive = true;
                default -> {
                    // Names of further connection fields.
                }
            }
        }
    }

    private void parseMark(int start, int end, byte[] expected) {
        int from = start;
        while (from < end && (head[from] == ' ' || head[from] == '\t')) {
            from++;
        }
        marked = true;
        otherMark |= !Arrays.equals(head, from, Math.min(end, from + expected.length), expected, 0, expected.length);
    }

    private void parseContentLength(int start, int end, Framing framing) throws IOException {
        int from = start;
        int to = end;
        while (from < to && (head[from] == ' ' || head[from] == '\t')) {
            from++;
        }
        while (to > from && (head[to - 1] == ' ' || head[to - 1] == '\t')) {
            to--;
        }
        long length = 0;
        boolean valid = to > from && to - from <= 18;
        for (int i = from; valid && i < to; i++) {
            valid = isDigit(head[i]);
            length = length * 10 + head[i] - '0';
        }
        if (!valid) {
            throw protocol("the response has a content-length that is no number");
        }
        if (framing.contentLength >= 0 && framing.contentLength != length) {
            throw protocol("the response has two different content-lengths");
        }
        framing.contentLength = length;
    }

    private String text(int start, int end) {
        return new String(head, start, end - start, StandardCharsets.ISO_8859_1).trim();
    }

    private void readBody(long length, BodyListener listener) throws IOException {
        if (length > 0 && length <= limit - position) {
            listener.acceptWhole(in, position, (int) length);
            position += (int) length;
            bodyBytes = length;
        } else {
            readBytes(length, listener);
        }
    }

    private void readBytes(long count, BodyListener listener) throws IOException {
        long left = count;
        while (left > 0) {
            if (position == limit) {
                fill();
            }
            int piece = (int) Math.min(left, limit - position);
            listener.accept(in, position, piece);
            position += piece;
            left -= piece;
            bodyBytes += piece;
        }
    }

    private void readToEnd(BodyListener listener) throws IOException {
        while (true) {
            if (position == limit && !fillOrEnd()) {
                return;
            }
            int piece = limit - position;
            listener.accept(in, position, piece);
            position += piece;
            bodyBytes += piece;
        }
    }

    private void readChunks(BodyListener listener) throws IOException {
        while (true) {
            long size = readChunkSize();
            if (size == 0) {
                skipTrailers();
                return;
            }
            readBytes(size, listener);
            if (nextByte() != '\r' || nextByte() != '\n') {
                throw protocol("the response has a chunk that is longer than its size");
            }
        }
    }

    private long readChunkSize() throws IOException {
        long size = 0;
        int digits = 0;
        int b = nextByte();
        while (true) {
            int digit = Character.digit(b, 16);
            if (digit < 0) {
                break;
            }
            size = size << 4 | digit;
            digits++;
            if (digits > 15) {
                throw protocol("the response has a chunk size that is too large");
            }
            b = nextByte();
        }
        if (digits == 0 || b != '\r' && b != '\n' && b != ';' && b != ' ' && b != '\t') {
            throw protocol("the response has a chunk size that is no number");
        }
        int extension = 0;
        while (b != '\n') {
            b = nextByte();
            extension++;
            if (extension > MAX_HEAD_BYTES) {
                throw protocol("the response has a chunk extension above " + MAX_HEAD_BYTES + " bytes");
            }
        }
        return size;
    }

    private void skipTrailers() throws IOException {
        int length = 0;
        int total = 0;
        while (true) {
            int b = nextByte();
            total++;
            if (b == '\n') {
                if (length == 0) {
                    return;
                }
                length = 0;
            } else if (b != '\r') {
                length++;
            }
            if (total > MAX_HEAD_BYTES) {
                throw protocol("the response has trailers above " + MAX_HEAD_BYTES + " bytes");
            }
        }
    }

    private int nextByte() throws IOException {
        if (position == limit) {
            fill();
        }
        return in[position++] & 0xff;
    }

    private void fill() throws IOException {
        if (!fillOrEnd()) {
            throw new IOException("the server closed the connection");
        }
    }

    private boolean fillOrEnd() throws IOException {
        int count = Objects.requireNonNull(input).read(in, 0, in.length);
        if (count < 0) {
            return false;
        }
        if (receivedBytes == 0) {
            firstByteNanos = System.nanoTime();
        }
        position = 0;
        limit = count;
        receivedBytes += count;
        return true;
    }

    private static HttpExchangeException protocol(String message) {
        return new HttpExchangeException(HttpExchangeException.Kind.PROTOCOL, message);
    }

    /** Returns the head of the last answer, status line and header lines, as text. */
    String head() {
        return new String(head, 0, headLength, StandardCharsets.ISO_8859_1).trim();
    }

    /** Returns the header fields of the last answer by lower-case name; values of repeated fields are joined by a comma. */
    Map<String, String> headers() {
        Map<String, String> fields = new LinkedHashMap<>();
        String[] lines = head().split("\r?\n");
        for (int i = 1; i < lines.length; i++) {
            int colon = lines[i].indexOf(':');
            if (colon > 0) {
                fields.merge(
                        lines[i].substring(0, colon).toLowerCase(Locale.ROOT),
                        lines[i].substring(colon + 1).trim(),
                        (a, b) -> a + ", " + b);
            }
        }
        return Collections.unmodifiableMap(fields);
    }
}
