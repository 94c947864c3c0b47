/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.gatebench.model.LoadResult;

/**
 * Clients of the test's own that ask the same server beside the load.
 *
 * <p>They wait for processors and kernel as the load generator does: what the server does not answer for and they do not
 * see either is the load generator's doing, however busy the machine.
 */
final class Witness implements AutoCloseable {

    /** Begins the paths of its requests, each of which ends with a number of its own. */
    static final String PATH = "/witness/";

    /**
     * One request.
     *
     * @param path its path
     * @param sentNanos when it was sent, by {@link System#nanoTime}
     * @param lateNanos how long after it was due its response was there
     * @param tookNanos how long after it was sent its response was there
     */
    record Seen(String path, long sentNanos, long lateNanos, long tookNanos) {}

    private final URI server;
    private final long pauseNanos;
    private final AtomicInteger number = new AtomicInteger();
    private final Queue<Seen> seen = new ConcurrentLinkedQueue<>();
    private final ExecutorService threads;

    /**
     * Starts to ask.
     *
     * @param pause the time from a response to the next request
     */
    Witness(URI server, int clients, Duration pause) {
        this.server = server;
        this.pauseNanos = pause.toNanos();
        this.threads = Executors.newFixedThreadPool(clients);
        for (int i = 0; i < clients; i++) {
            threads.execute(this::ask);
        }
    }

    private void ask() {
        try {
            while (!threads.isShutdown()) {
                String path = PATH + number.incrementAndGet();
                long due = System.nanoTime() + pauseNanos;
                TimeUnit.NANOSECONDS.sleep(pauseNanos);
                long sent = System.nanoTime();
                HttpURLConnection connection =
                        (HttpURLConnection) server.resolve(path).toURL().openConnection();
                connection.getInputStream().readAllBytes();
                long now = System.nanoTime();
                seen.add(new Seen(path, sent, now - due, now - sent));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns the requests that were sent while a load ran. */
    List<Seen> seenDuring(LoadResult run) {
        long started = EchoFixture.nanosAt(run.started());
        long ended = EchoFixture.nanosAt(run.window().end());
        return seen.stream()
                .filter(request -> request.sentNanos() - started >= 0 && request.sentNanos() - ended < 0)
                .toList();
    }

    /** Waits for the responses that are under way. */
    @Override
    public void close() {
        threads.shutdown();
        try {
            if (!threads.awaitTermination(1, TimeUnit.MINUTES)) {
                throw new AssertionError("a response did not come");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
