/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.echo;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** A client that sends exactly the bytes it is told to, and reads responses as RFC 9112 frames them. */
final class RawClient implements AutoCloseable {

    final Socket socket;
    private final InputStream in;

    RawClient(int port) {
        this(connect(port));
    }

    RawClient(Socket socket) {
        try {
            this.socket = socket;
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(10_000);
            this.in = new BufferedInputStream(socket.getInputStream());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Socket connect(int port) {
        try {
            return new Socket(InetAddress.getLoopbackAddress(), port);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    RawClient send(String text) {
        return send(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    RawClient send(byte[] bytes) {
        try {
            socket.getOutputStream().write(bytes);
            socket.getOutputStream().flush();
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads one response with a length, interim ones included. */
    Response response() {
        return response(true);
    }

    /** Reads one response; without a body if it answers a HEAD. */
    Response response(boolean withBody) {
        String statusLine = line();
        Map<String, String> headers = new LinkedHashMap<>();
        for (String line = line(); !line.isEmpty(); line = line()) {
            int colon = line.indexOf(':');
            headers.put(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip());
        }
        int length = withBody ? Integer.parseInt(headers.getOrDefault("content-length", "0")) : 0;
        try {
            byte[] body = in.readNBytes(length);
            if (body.length < length) {
                throw new IllegalStateException("connection ended after " + body.length + " of " + length + " bytes");
            }
            return new Response(Integer.parseInt(statusLine.split(" ")[1]), headers, body);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String line() {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        try {
            while (true) {
                int b = in.read();
                if (b < 0) {
                    throw new IllegalStateException("connection ended after '" + line + "'");
                }
                if (b == '\n') {
                    return line.toString(StandardCharsets.ISO_8859_1).stripTrailing();
                }
                line.write(b);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns whether nothing arrives for the time given. */
    boolean isSilentFor(int millis) {
        try {
            socket.setSoTimeout(millis);
            int b = in.read();
            throw new IllegalStateException("read " + b);
        } catch (SocketTimeoutException e) {
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            restoreTimeout();
        }
    }

    private void restoreTimeout() {
        try {
            socket.setSoTimeout(10_000);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns whether the server ends the connection, orderly or by reset, before anything else arrives. */
    boolean isEnded() {
        try {
            return in.read() < 0;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    record Response(int status, Map<String, String> headers, byte[] body) {

        String text() {
            return new String(body, StandardCharsets.UTF_8);
        }
    }
}
