/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

import org.jspecify.annotations.Nullable;

/**
 * One user's connection to an HTTP/1.1 server, kept between requests and opened again when needed.
 *
 * <p>Understands content-length, chunked and close-delimited answers, trailers, interim (1xx) answers, answers without a
 * body (HEAD, 204, 304), and {@code Connection: close}. Redirects are answers like any other; content codings are not
 * decoded; an upgrade (101) is a failure. A kept connection that proves to be closed is replaced: before a request when
 * it was idle for a second or more, and after one that is idempotent and got no byte of an answer (RFC 9110, 9.2.2).
 *
 * <p>Not thread-safe: it belongs to one user. Figures of the last exchange are read by the methods without parameters.
 */
public final class HttpConnection implements AutoCloseable {

    /** Largest head of a response in bytes. */
    public static final int MAX_HEAD_BYTES = 64 * 1024;

    private static final int BUFFER_BYTES = 16 * 1024;
    private static final int ONE_WRITE_BYTES = 8 * 1024;
    private static final long STALE_CHECK_AFTER_NANOS = 1_000_000_000L;
    private static final long NO_DEADLINE = Long.MAX_VALUE;

    private final HttpTarget target;
    private final @Nullable SSLSocketFactory tls;
    private final boolean checkHostName;
    private final HttpTimeouts timeouts;
    private final ResponseDeadlines deadlines;
    private final LongAdder opened;

    private byte[] in = new byte[BUFFER_BYTES];
    private byte[] out = new byte[2048];
    private byte[] head = new byte[1024];
    private int position;
    private int limit;
    private int headLength;

    private @Nullable Socket socket;
    private @Nullable InputStream input;
    private @Nullable OutputStream output;
    private long lastUsedNanos;

    private volatile @Nullable Socket wire;
    private volatile long deadlineNanos = NO_DEADLINE;
    private volatile @Nullable String cutReason;
    private volatile long cutForDeadline;

    private int status;
    private long startNanos;
    private long connectNanos;
    private long firstByteNanos;
    private long endNanos;
    private long sentBytes;
    private long receivedBytes;
    private long bodyBytes;

    /**
     * Creates a connection that opens with the first request.
     *
     * @param tls makes TLS sockets; must be given exactly if the target is TLS
     * @param checkHostName whether the server's certificate must be for the target's host
     * @param opened counts opened connections
     */
    public HttpConnection(
            HttpTarget target,
            @Nullable SSLSocketFactory tls,
            boolean checkHostName,
            HttpTimeouts timeouts,
            ResponseDeadlines deadlines,
            LongAdder opened) {
        if (target.tls() != (tls != null)) {
            throw new IllegalArgumentException("a TLS target needs a socket factory, a clear one must not have it");
        }
        this.target = target;
        this.tls = tls;
        this.checkHostName = checkHostName;
        this.timeouts = timeouts;
        this.deadlines = deadlines;
        this.opened = opened;
        deadlines.add(this);
    }

    /**
     * Sends one request and reads its answer to the end.
     *
     * @param message the request
     * @param token bearer token to send, or null
     * @param body the body; empty for none
     * @param listener sees the answer's status and body
     * @throws HttpExchangeException if there is no whole, valid answer; times and bytes are then those up to the failure
     */
    public void exchange(HttpRequestHead message, byte @Nullable [] token, byte[] body, BodyListener listener)
            throws HttpExchangeException {
        startNanos = System.nanoTime();
        connectNanos = -1;
        firstByteNanos = 0;
        status = 0;
        sentBytes = 0;
        receivedBytes = 0;
        bodyBytes = 0;
        headLength = 0;
        boolean mayRetry = message.idempotent();
        while (true) {
            boolean reused = open();
            try {
                deadlineNanos = startNanos + timeouts.response().toNanos();
                attempt(message, token, body, listener);
                endNanos = System.nanoTime();
                lastUsedNanos = endNanos;
                deadlineNanos = NO_DEADLINE;
                return;
            } catch (IOException e) {
                closeSocket();
                String cut = takeCut();
                endNanos = System.nanoTime();
                if (cut != null) {
                    throw new HttpExchangeException(HttpExchangeException.Kind.TIMEOUT, cut, e);
                }
                if (reused && mayRetry && receivedBytes == 0) {
                    mayRetry = false;
                    continue;
                }
                if (e instanceof HttpExchangeException failure) {
                    throw failure;
                }
                throw new HttpExchangeException(
                        HttpExchangeException.Kind.CLOSED,
                        receivedBytes == 0
                                ? "connection ended before an answer: " + reason(e)
                                : "connection ended within an answer: " + reason(e),
                        e);
            }
        }
    }

    private boolean open() throws HttpExchangeException {
        if (socket != null && System.nanoTime() - lastUsedNanos > STALE_CHECK_AFTER_NANOS && isStale(socket)) {
            closeSocket();
        }
        if (socket != null) {
            return true;
        }
        try {
            connect();
            connectNanos = System.nanoTime() - startNanos;
            opened.increment();
            return false;
        } catch (IOException e) {
            closeSocket();
            String cut = takeCut();
            endNanos = System.nanoTime();
            connectNanos = endNanos - startNanos;
            if (cut != null) {
                throw new HttpExchangeException(
                        HttpExchangeException.Kind.TIMEOUT, cut.startsWith("no answer") ? connectTimedOut() : cut, e);
            }
            if (e instanceof SocketTimeoutException) {
                throw new HttpExchangeException(HttpExchangeException.Kind.TIMEOUT, connectTimedOut(), e);
            }
            if (e instanceof SSLException) {
                throw new HttpExchangeException(
                        HttpExchangeException.Kind.TLS, "TLS handshake failed: " + reason(e), e);
            }
            throw new HttpExchangeException(HttpExchangeException.Kind.CONNECT, "cannot connect: " + reason(e), e);
        }
    }

    private String connectTimedOut() {
        return "no connection within " + timeouts.connect().toMillis() + " ms";
    }

    private static String reason(IOException e) {
        if (e instanceof UnknownHostException) {
            return "unknown host " + e.getMessage();
        }
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }

    private boolean isStale(Socket kept) {
        if (position < limit) {
            return true;
        }
        try {
            kept.setSoTimeout(1);
            try {
                // Nothing may come between two exchanges: neither the end nor a byte.
                Objects.requireNonNull(input).read();
                return true;
            } catch (SocketTimeoutException e) {
                kept.setSoTimeout(0);
                return false;
            }
        } catch (IOException e) {
            return true;
        }
    }

    private void connect() throws IOException {
        IOException last = null;
        for (InetAddress address : InetAddress.getAllByName(target.host())) {
            Socket plain = new Socket();
            try {
                plain.setTcpNoDelay(true);
                deadlineNanos = System.nanoTime() + timeouts.connect().toNanos();
                wire = plain;
                plain.connect(new InetSocketAddress(address, target.port()), (int)
                        Math.min(Integer.MAX_VALUE, timeouts.connect().toMillis()));
                Socket ready = tls == null ? plain : handshake(plain, tls);
                socket = ready;
                input = ready.getInputStream();
                output = ready.getOutputStream();
                position = 0;
                limit = 0;
                return;
            } catch (IOException e) {
                plain.close();
                last = e;
                if (e instanceof SSLException || cutReason != null) {
                    break;
                }
            }
        }
        throw last == null ? new UnknownHostException(target.host()) : last;
    }

    private Socket handshake(Socket plain, SSLSocketFactory factory) throws IOException {
        SSLSocket encrypted = (SSLSocket) factory.createSocket(plain, target.host(), target.port(), true);
        SSLParameters parameters = encrypted.getSSLParameters();
        if (!isAddress(target.host())) {
            parameters.setServerNames(List.of(new SNIHostName(target.host())));
        }
        parameters.setProtocols(supported(encrypted));
        parameters.setEndpointIdentificationAlgorithm(checkHostName ? "HTTPS" : null);
        encrypted.setSSLParameters(parameters);
        encrypted.startHandshake();
        return encrypted;
    }

    private static String[] supported(SSLSocket socket) {
        return Arrays.stream(socket.getSupportedProtocols())
                .filter(protocol -> protocol.equals("TLSv1.2") || protocol.equals("TLSv1.3"))
                .toArray(String[]::new);
    }

    private static boolean isAddress(String host) {
        return host.indexOf(':') >= 0 || host.chars().allMatch(c -> c == '.' || c >= '0' && c <= '9');
    }

    private void attempt(HttpRequestHead message, byte @Nullable [] token, byte[] body, BodyListener listener)
            throws IOException {
        OutputStream server = Objects.requireNonNull(output);
        int length = message.maxLength(token == null ? 0 : token.length);
        boolean oneWrite = length + body.length <= ONE_WRITE_BYTES;
        if (out.length < length + (oneWrite ? body.length : 0)) {
            out = new byte[length + (oneWrite ? body.length : 0)];
        }
        int end = message.write(out, token, body.length);
        IOException writing = null;
        try {
            if (oneWrite) {
                System.arraycopy(body, 0, out, end, body.length);
                server.write(out, 0, end + body.length);
            } else {
                server.write(out, 0, end);
                server.write(body);
            }
            sentBytes += end + body.length;
        } catch (IOException e) {
            // A server may refuse a request before it has read all of it: its answer says more than the broken pipe.
            writing = e;
        }
        try {
            readAnswer(message.head(), listener);
        } catch (IOException e) {
            throw writing == null || status != 0 ? e : writing;
        }
        if (writing != null) {
            closeSocket();
        }
    }

    private void readAnswer(boolean answersHead, BodyListener listener) throws IOException {
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
                readBytes(framing.contentLength, listener);
            } else {
                keep = false;
                readToEnd(listener);
            }
        }
        if (!keep || position < limit) {
            closeSocket();
        }
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
        boolean first = true;
        // Two bytes of an empty line before the status line are what some servers leave from the answer before.
        while (first && end == start) {
            start = nextLine();
            end = lineEnd();
            if (headLength > 16) {
                throw protocol("the answer does not begin with a status line");
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

    private int lineEndIndex;

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
                throw protocol("the head of the answer exceeds " + MAX_HEAD_BYTES + " bytes");
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
            throw protocol("the answer does not begin with a status line of HTTP/1");
        }
        framing.keepAlive = head[start + 7] != '0';
        status = (head[start + 9] - '0') * 100 + (head[start + 10] - '0') * 10 + head[start + 11] - '0';
        if (status < 100) {
            throw protocol("the answer has a status below 100");
        }
    }

    private static boolean isDigit(byte b) {
        return b >= '0' && b <= '9';
    }

    private void parseField(int start, int end, Framing framing) throws IOException {
        if (head[start] == ' ' || head[start] == '\t') {
            throw protocol("the answer folds a header line");
        }
        int colon = start;
        while (colon < end && head[colon] != ':') {
            colon++;
        }
        if (colon == end || colon == start) {
            throw protocol("the answer has a header line without a name");
        }
        switch (colon - start) {
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
            throw protocol("the answer has a content-length that is no number");
        }
        if (framing.contentLength >= 0 && framing.contentLength != length) {
            throw protocol("the answer has two different content-lengths");
        }
        framing.contentLength = length;
    }

    private String text(int start, int end) {
        return new String(head, start, end - start, StandardCharsets.ISO_8859_1).trim();
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
                throw protocol("the answer has a chunk that is longer than its size");
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
                throw protocol("the answer has a chunk size that is too large");
            }
            b = nextByte();
        }
        if (digits == 0 || b != '\r' && b != '\n' && b != ';' && b != ' ' && b != '\t') {
            throw protocol("the answer has a chunk size that is no number");
        }
        int extension = 0;
        while (b != '\n') {
            b = nextByte();
            extension++;
            if (extension > MAX_HEAD_BYTES) {
                throw protocol("the answer has a chunk extension above " + MAX_HEAD_BYTES + " bytes");
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
                throw protocol("the answer has trailers above " + MAX_HEAD_BYTES + " bytes");
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

    void closeIfOverdue(long now) {
        long deadline = deadlineNanos;
        if (deadline != NO_DEADLINE && now - deadline > 0) {
            cutForDeadline = deadline;
            cutReason = "no answer within " + timeouts.response().toMillis() + " ms";
            closeWire();
        }
    }

    void cut(String reason) {
        long deadline = deadlineNanos;
        if (deadline != NO_DEADLINE) {
            cutForDeadline = deadline;
            cutReason = reason;
            closeWire();
        }
    }

    private @Nullable String takeCut() {
        String reason = cutReason;
        // A cut that came too late for its exchange must not be taken for the failure of the next one.
        boolean mine = reason != null && cutForDeadline == deadlineNanos;
        cutReason = null;
        deadlineNanos = NO_DEADLINE;
        return mine ? reason : null;
    }

    private void closeWire() {
        Socket open = wire;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                // The reader sees the end either way.
            }
        }
    }

    private void closeSocket() {
        closeWire();
        socket = null;
        input = null;
        output = null;
        wire = null;
        position = 0;
        limit = 0;
    }

    /** Returns the status of the answer, 0 if there was none. */
    public int status() {
        return status;
    }

    /** Returns when the exchange began, connecting included, by {@link System#nanoTime}. */
    public long startNanos() {
        return startNanos;
    }

    /** Returns the time that connecting took, TLS handshake included, or -1 if a kept connection was used. */
    public long connectNanos() {
        return connectNanos;
    }

    /** Returns the time from the start to the first byte of the answer, or to the end if none came. */
    public long latencyNanos() {
        return (firstByteNanos == 0 ? endNanos : firstByteNanos) - startNanos;
    }

    /** Returns the time from the start to the last byte of the answer, or to the failure. */
    public long elapsedNanos() {
        return endNanos - startNanos;
    }

    /** Returns the bytes sent, without those of TLS. */
    public long sentBytes() {
        return sentBytes;
    }

    /** Returns the bytes received, without those of TLS. */
    public long receivedBytes() {
        return receivedBytes;
    }

    /** Returns the length of the body, transfer coding removed. */
    public long bodyBytes() {
        return bodyBytes;
    }

    /** Returns the head of the last answer, status line and header lines, as text. */
    public String head() {
        return new String(head, 0, headLength, StandardCharsets.ISO_8859_1).trim();
    }

    /** Returns the header fields of the last answer by lower-case name; values of repeated fields are joined by a comma. */
    public Map<String, String> headers() {
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

    @Override
    public void close() {
        deadlines.remove(this);
        closeSocket();
    }
}
