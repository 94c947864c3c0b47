/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

/** An echo server of the JDK that counts what it answers, but a {@link Witness}; every n-th answer can be a failure. */
final class EchoFixture implements AutoCloseable {

    final AtomicLong requests = new AtomicLong();
    final AtomicLong failures = new AtomicLong();
    /** When each request came, by {@link System#nanoTime}. */
    final Queue<Long> arrivals = new ConcurrentLinkedQueue<>();
    /** When the first request of each connection came. */
    final Map<InetSocketAddress, Long> firstOfConnection = new ConcurrentHashMap<>();

    /** When each answer began to be written: never after its reader can have it. */
    final Queue<Instant> answers = new ConcurrentLinkedQueue<>();
    /** Requests that were never answered. */
    final AtomicLong swallowed = new AtomicLong();

    volatile int failEvery;
    /** Interval after which a request is never answered: by time, so that users are left however fast the machine is. */
    volatile long neverAnswerEveryMillis;

    private final AtomicLong swallowsAtNanos = new AtomicLong();
    /** Keeps all answers back until it is opened. */
    volatile CountDownLatch held = new CountDownLatch(0);

    volatile long delayMillis;
    volatile String failureBody = "refused";

    private final HttpServer server;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final ExecutorService threads = Executors.newCachedThreadPool();

    EchoFixture() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1000);
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.createContext(Witness.PATH, exchange -> {
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        server.start();
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    /** Returns what {@link System#nanoTime} was at an instant, by the clocks of now. */
    static long nanosAt(Instant instant) {
        return System.nanoTime() + Duration.between(Instant.now(), instant).toNanos();
    }

    private void answer(HttpExchange exchange) throws IOException {
        long now = System.nanoTime();
        arrivals.add(now);
        firstOfConnection.putIfAbsent(exchange.getRemoteAddress(), now);
        byte[] body = exchange.getRequestBody().readAllBytes();
        long number = requests.incrementAndGet();
        if (delayMillis > 0) {
            try {
                Thread.sleep(delayMillis);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        if (neverAnswerEveryMillis > 0 && isToBeSwallowed()) {
            swallowed.incrementAndGet();
            await(closed);
            return;
        }
        await(held);
        int status = 200;
        if (failEvery > 0 && number % failEvery == 0) {
            failures.incrementAndGet();
            status = 500;
            body = failureBody.getBytes(java.nio.charset.StandardCharsets.UTF_8);
        }
        answers.add(Instant.now());
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean isToBeSwallowed() {
        long now = System.nanoTime();
        long next = now + TimeUnit.MILLISECONDS.toNanos(neverAnswerEveryMillis);
        long due = swallowsAtNanos.get();
        return due == 0
                ? !swallowsAtNanos.compareAndSet(0, next) && isToBeSwallowed()
                : now - due >= 0 && swallowsAtNanos.compareAndSet(due, next);
    }

    @Override
    public void close() {
        closed.countDown();
        server.stop(0);
        threads.shutdownNow();
    }
}
