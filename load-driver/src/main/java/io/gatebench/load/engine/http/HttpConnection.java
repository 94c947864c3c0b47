/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.engine.http;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
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
 * body (HEAD, 204, 304), and {@code Connection: close}. Redirects are answers like any other. A kept connection that
 * proves to be closed is replaced: before a request, and before its time begins, when it was idle for a second or more, and
 * after one that is idempotent and got no byte of an answer (RFC 9110, 9.2.2).
 *
 * <p>Not thread-safe: it belongs to one user. Figures of the last exchange are read by the methods without parameters.
 */
public final class HttpConnection implements AutoCloseable {

    private static final int ONE_WRITE_BYTES = 8 * 1024;
    private static final long STALE_CHECK_AFTER_NANOS = 1_000_000_000L;
    private static final long NO_DEADLINE = Long.MAX_VALUE;

    private final HttpTarget target;
    private final @Nullable SSLSocketFactory tls;
    private final boolean checkHostName;
    private final HttpTimeouts timeouts;
    private final ResponseDeadlines deadlines;
    private final LongAdder opened;
    private final LongSupplier clock;
    private final Supplier<Socket> sockets;

    private final AnswerReader reader = new AnswerReader();
    private byte[] out = new byte[2048];

    private @Nullable Socket socket;
    private @Nullable OutputStream output;
    private long lastUsedNanos;

    private volatile @Nullable Socket wire;
    private volatile long deadlineNanos = NO_DEADLINE;
    private volatile @Nullable String cutReason;
    private volatile long cutForDeadline;

    private long startNanos;
    private long connectNanos;
    private long endNanos;
    private long sentBytes;

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
        this(
                target,
                tls,
                checkHostName,
                timeouts,
                deadlines,
                opened,
                System::nanoTime,
                tls == null ? Socket::new : ReadAheadSocket::new);
    }

    HttpConnection(
            HttpTarget target,
            @Nullable SSLSocketFactory tls,
            boolean checkHostName,
            HttpTimeouts timeouts,
            ResponseDeadlines deadlines,
            LongAdder opened,
            LongSupplier clock,
            Supplier<Socket> sockets) {
        if (target.tls() != (tls != null)) {
            throw new IllegalArgumentException("a TLS target needs a socket factory, a clear one must not have it");
        }
        this.target = target;
        this.tls = tls;
        this.checkHostName = checkHostName;
        this.timeouts = timeouts;
        this.deadlines = deadlines;
        this.opened = opened;
        this.clock = clock;
        this.sockets = sockets;
        deadlines.add(this);
    }

    /** A connection that is open and that nobody uses, without the one whose it was. */
    public static final class Opened {
        private final Socket socket;
        private final Socket wire;
        private final long lastUsedNanos;

        private Opened(Socket socket, Socket wire, long lastUsedNanos) {
            this.socket = socket;
            this.wire = wire;
            this.lastUsedNanos = lastUsedNanos;
        }

        /** Closes it. */
        public void close() {
            HttpConnection.close(wire);
        }
    }

    /** Gives away what is open, for another one to the same server; empty if nothing is, or if more has come than the answer. */
    public Optional<Opened> release() {
        Socket kept = socket;
        Socket under = wire;
        if (kept == null || under == null || under.isClosed() || reader.holdsMore()) {
            return Optional.empty();
        }
        forget();
        return Optional.of(new Opened(kept, under, lastUsedNanos));
    }

    /** Uses what another one has opened; where it has been closed, the next request opens another as ever. */
    public void take(Opened opened) {
        wire = opened.wire;
        lastUsedNanos = opened.lastUsedNanos;
        try {
            use(opened.socket);
        } catch (IOException e) {
            closeSocket();
        }
    }

    private void use(Socket ready) throws IOException {
        socket = ready;
        reader.readFrom(ready.getInputStream());
        output = ready.getOutputStream();
    }

    /**
     * Returns whether the connection will have been idle for so long at that time that it must be looked at before its
     * next request.
     *
     * @param nanos the time, by {@link System#nanoTime}
     */
    public boolean wantsLookAt(long nanos) {
        return socket != null && nanos - lastUsedNanos > STALE_CHECK_AFTER_NANOS;
    }

    /**
     * Looks whether the server has closed a connection that was idle for long, which takes a millisecond; the next request
     * then opens another.
     *
     * <p>{@link #exchange} looks by itself, before its time begins. Who must send at a given time looks before that time.
     */
    public void look() {
        Socket kept = socket;
        if (kept != null && wantsLookAt(clock.getAsLong())) {
            if (isStale(kept)) {
                closeSocket();
            } else {
                lastUsedNanos = clock.getAsLong();
            }
        }
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
        exchange(message, token, body, null, listener);
    }

    /**
     * Sends one request that carries a mark and reads its answer to the end.
     *
     * @param message the request
     * @param token bearer token to send, or null
     * @param body the body; empty for none; the mark goes into what is sent, not into it
     * @param mark the mark of this request, or null
     * @param listener sees the answer's status and body
     * @throws HttpExchangeException if there is no whole, valid answer; times and bytes are then those up to the failure
     */
    public void exchange(
            HttpRequestHead message,
            byte @Nullable [] token,
            byte[] body,
            @Nullable RequestMark mark,
            BodyListener listener)
            throws HttpExchangeException {
        look();
        startNanos = clock.getAsLong();
        connectNanos = -1;
        sentBytes = 0;
        reader.begin(mark == null || mark.inBody() ? null : mark.text());
        boolean mayRetry = message.idempotent();
        while (true) {
            boolean reused = open();
            try {
                deadlineNanos = startNanos + timeouts.response().toNanos();
                attempt(message, token, body, mark, listener);
                endNanos = clock.getAsLong();
                lastUsedNanos = endNanos;
                deadlineNanos = NO_DEADLINE;
                return;
            } catch (IOException e) {
                closeSocket();
                String cut = takeCut();
                endNanos = clock.getAsLong();
                if (cut != null) {
                    throw new HttpExchangeException(HttpExchangeException.Kind.TIMEOUT, cut, e);
                }
                if (reused && mayRetry && reader.receivedBytes() == 0) {
                    mayRetry = false;
                    continue;
                }
                if (e instanceof HttpExchangeException failure) {
                    throw failure;
                }
                throw new HttpExchangeException(
                        HttpExchangeException.Kind.CLOSED,
                        reader.receivedBytes() == 0
                                ? "connection ended before a response: " + reason(e)
                                : "connection ended within a response: " + reason(e),
                        e);
            }
        }
    }

    private boolean open() throws HttpExchangeException {
        if (socket != null) {
            return true;
        }
        try {
            connect();
            connectNanos = clock.getAsLong() - startNanos;
            opened.increment();
            return false;
        } catch (IOException e) {
            closeSocket();
            String cut = takeCut();
            endNanos = clock.getAsLong();
            connectNanos = endNanos - startNanos;
            if (cut != null) {
                throw new HttpExchangeException(
                        HttpExchangeException.Kind.TIMEOUT, cut.startsWith("no response") ? connectTimedOut() : cut, e);
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
        if (reader.holdsMore()) {
            return true;
        }
        try {
            kept.setSoTimeout(1);
            try {
                // Nothing may come between two exchanges: neither the end nor a byte.
                kept.getInputStream().read();
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
            Socket plain = sockets.get();
            try {
                plain.setTcpNoDelay(true);
                deadlineNanos = clock.getAsLong() + timeouts.connect().toNanos();
                wire = plain;
                plain.connect(new InetSocketAddress(address, target.port()), (int)
                        Math.min(Integer.MAX_VALUE, timeouts.connect().toMillis()));
                use(tls == null ? plain : handshake(plain, tls));
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

    private void attempt(
            HttpRequestHead message,
            byte @Nullable [] token,
            byte[] body,
            @Nullable RequestMark mark,
            BodyListener listener)
            throws IOException {
        OutputStream server = Objects.requireNonNull(output);
        int length = message.maxLength(token == null ? 0 : token.length);
        boolean markedBody = mark != null && mark.inBody();
        // The body is everybody's: what is this request's own in it is written into a copy of its beginning.
        int copied = length + body.length <= ONE_WRITE_BYTES
                ? body.length
                : markedBody ? mark.place() + RequestMark.LENGTH : 0;
        if (out.length < length + copied) {
            out = new byte[length + copied];
        }
        int end = message.write(out, token, mark, body.length);
        IOException writing = null;
        try {
            System.arraycopy(body, 0, out, end, copied);
            if (markedBody) {
                mark.write(out, end);
            }
            server.write(out, 0, end + copied);
            if (copied < body.length) {
                server.write(body, copied, body.length - copied);
            }
            sentBytes += end + body.length;
        } catch (IOException e) {
            // A server may refuse a request before it has read all of it: its answer says more than the broken pipe.
            writing = e;
        }
        try {
            boolean keep = reader.read(message.head(), listener);
            if (keep && writing == null) {
                return;
            }
        } catch (IOException e) {
            throw writing == null || reader.status() != 0 ? e : writing;
        }
        closeSocket();
    }

    void closeIfOverdue(long now) {
        long deadline = deadlineNanos;
        if (deadline != NO_DEADLINE && now - deadline > 0) {
            cutForDeadline = deadline;
            cutReason = "no response within " + timeouts.response().toMillis() + " ms";
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
            close(open);
        }
    }

    private static void close(Socket open) {
        try {
            open.close();
        } catch (IOException e) {
            // The reader sees the end either way.
        }
    }

    private void closeSocket() {
        closeWire();
        forget();
    }

    private void forget() {
        socket = null;
        output = null;
        wire = null;
        reader.readFrom(null);
    }

    /** Returns the status of the answer, 0 if there was none. */
    public int status() {
        return reader.status();
    }

    /** Returns whether the answer has the header of a mark, and that is not the mark of the request. */
    public boolean carriesAnotherMark() {
        return reader.carriesAnotherMark();
    }

    /** Returns whether the answer has the header with the mark of the request. */
    public boolean carriesTheMark() {
        return reader.carriesTheMark();
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
        return (reader.firstByteNanos() == 0 ? endNanos : reader.firstByteNanos()) - startNanos;
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
        return reader.receivedBytes();
    }

    /** Returns the length of the body, transfer coding removed. */
    public long bodyBytes() {
        return reader.bodyBytes();
    }

    /** Returns the head of the last answer, status line and header lines, as text. */
    public String head() {
        return reader.head();
    }

    /** Returns the header fields of the last answer by lower-case name; values of repeated fields are joined by a comma. */
    public Map<String, String> headers() {
        return reader.headers();
    }

    @Override
    public void close() {
        deadlines.remove(this);
        closeSocket();
    }
}
