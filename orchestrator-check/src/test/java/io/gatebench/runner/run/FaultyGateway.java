/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

import org.jspecify.annotations.Nullable;

/** A gateway that does one thing wrong, on a thread per connection; closing it ends them all. */
final class FaultyGateway implements AutoCloseable {

    /** What it does wrong. */
    enum Fault {
        SOUND("nothing"),
        CACHED("the first response is given to all requests"),
        CACHED_UNMARKED("the same, without the header of the mark, where the check looks at the status alone"),
        STALE("every tenth response is that of the request before"),
        SWAPPED("each user gets the response of another"),
        TRUNCATED("every tenth body has half its length"),
        WRONG_BYTE("every fiftieth body has one wrong byte"),
        GARBAGE_TAIL("every tenth body goes on behind its end"),
        GARBAGE("every tenth body is garbage from byte 64 on"),
        SLOW_FIRST_BYTE("every response begins 50 ms late"),
        RESET("every fiftieth request is answered by a reset of its connection"),
        GRAPHQL_ERRORS("every tenth response is a GraphQL error with status 200"),
        ONE_ERROR_IN_1000("every thousandth response is status 500"),
        CLOSING("every connection is closed after its first response"),
        ELSEWHERE("requests go to another back end"),
        UNMEDIATED("the message that should be transformed comes back as it is"),
        UNCHECKED_UNDER_LOAD("wrong routes are refused until the load begins, then let through");

        final String words;

        Fault(String words) {
            this.words = words;
        }
    }

    private static final int REFUSED_AT_FIRST = 1;

    private final Fault fault;
    private final int upstreamPort;
    private final ServerSocket server;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final AtomicLong requests = new AtomicLong();
    private final AtomicLong wrongRoutes = new AtomicLong();
    private final AtomicReference<@Nullable Message> kept = new AtomicReference<>();

    /** A head with its empty line, and a body. */
    private record Message(String head, byte[] body) {

        private Message withBody(byte[] other) {
            return new Message(
                    head.replaceFirst("(?i)content-length: *\\d+", "content-length: " + other.length), other);
        }

        private byte[] bytes() {
            byte[] first = head.getBytes(StandardCharsets.ISO_8859_1);
            byte[] all = Arrays.copyOf(first, first.length + body.length);
            System.arraycopy(body, 0, all, first.length, body.length);
            return all;
        }
    }

    FaultyGateway(Fault fault, int upstreamPort) throws IOException {
        this.fault = fault;
        this.upstreamPort = upstreamPort;
        this.server = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        daemon(this::accept);
    }

    URI url() {
        return URI.create("http://127.0.0.1:" + server.getLocalPort());
    }

    private static void daemon(Runnable work) {
        Thread thread = new Thread(work, "faulty-gateway");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = server.accept();
                open.add(client);
                daemon(() -> serve(client));
            }
        } catch (IOException e) {
            // It was closed.
        }
    }

    private void serve(Socket client) {
        try (client;
                Socket upstream = new Socket(InetAddress.getLoopbackAddress(), upstreamPort)) {
            open.add(upstream);
            client.setTcpNoDelay(true);
            upstream.setTcpNoDelay(true);
            InputStream in = new BufferedInputStream(client.getInputStream());
            InputStream back = new BufferedInputStream(upstream.getInputStream());
            Message before = null;
            while (true) {
                Message request = read(in);
                long number = requests.incrementAndGet();
                if (fault == Fault.RESET && number % 50 == 0) {
                    client.setSoLinger(true, 0);
                    return;
                }
                Message answer = request.head().contains("routing: wrong") && refuses()
                        ? new Message("HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n", new byte[0])
                        : answer(request, upstream, back, number, before);
                before = answer;
                if (fault == Fault.CLOSING) {
                    Message last = new Message(
                            answer.head().replaceFirst("\r\n\r\n$", "\r\nconnection: close\r\n\r\n"), answer.body());
                    client.getOutputStream().write(last.bytes());
                    return;
                }
                client.getOutputStream().write(answer.bytes());
            }
        } catch (IOException e) {
            // The client or the test has ended.
        } finally {
            open.remove(client);
        }
    }

    private boolean refuses() {
        return fault != Fault.UNCHECKED_UNDER_LOAD || wrongRoutes.incrementAndGet() <= REFUSED_AT_FIRST;
    }

    private Message answer(Message request, Socket upstream, InputStream back, long number, @Nullable Message before)
            throws IOException {
        Message known = kept.get();
        if ((fault == Fault.CACHED || fault == Fault.CACHED_UNMARKED) && known != null) {
            return known;
        }
        upstream.getOutputStream().write(request.bytes());
        Message answer = read(back);
        byte[] body = answer.body();
        boolean tenth = number % 10 == 0;
        switch (fault) {
            case CACHED -> kept.compareAndSet(null, answer);
            case CACHED_UNMARKED ->
                kept.compareAndSet(
                        null, new Message(answer.head().replaceFirst("(?i)echo-mark: [^\r]*\r\n", ""), body));
            case STALE -> {
                return tenth && before != null ? before : answer;
            }
            case SWAPPED -> {
                Message other = kept.getAndSet(answer);
                return other == null ? answer : other;
            }
            case TRUNCATED -> {
                return tenth ? answer.withBody(Arrays.copyOf(body, body.length / 2)) : answer;
            }
            case WRONG_BYTE -> {
                if (number % 50 == 0) {
                    body[body.length * 2 / 3] ^= 1;
                }
            }
            case GARBAGE_TAIL -> {
                return tenth ? answer.withBody(Arrays.copyOf(body, body.length + 5)) : answer;
            }
            case GARBAGE -> {
                if (tenth) {
                    Arrays.fill(body, 64, body.length, (byte) '#');
                }
            }
            case SLOW_FIRST_BYTE -> LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
            case GRAPHQL_ERRORS -> {
                return tenth
                        ? answer.withBody("{\"errors\":[{\"message\":\"no\"}]}".getBytes(StandardCharsets.US_ASCII))
                        : answer;
            }
            case ONE_ERROR_IN_1000 -> {
                return number % 1000 == 500
                        ? new Message("HTTP/1.1 500 Internal Server Error\r\ncontent-length: 0\r\n\r\n", new byte[0])
                        : answer;
            }
            default -> {
                // What it does wrong is not in the answer.
            }
        }
        return answer;
    }

    private static Message read(InputStream in) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        int last = 0;
        while (last != 0x0D0A0D0A) {
            int b = in.read();
            if (b < 0) {
                throw new EOFException();
            }
            head.write(b);
            last = last << 8 | b;
        }
        String text = head.toString(StandardCharsets.ISO_8859_1);
        int length = text.toLowerCase(Locale.ROOT)
                .lines()
                .filter(line -> line.startsWith("content-length:"))
                .mapToInt(line -> Integer.parseInt(line.substring(15).strip()))
                .findFirst()
                .orElse(0);
        byte[] body = in.readNBytes(length);
        if (body.length < length) {
            throw new EOFException();
        }
        return new Message(text, body);
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Socket socket : open) {
            socket.close();
        }
    }
}
