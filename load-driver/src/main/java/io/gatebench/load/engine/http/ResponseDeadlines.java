/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.engine.http;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Closes connections whose time is over.
 *
 * <p>One thread looks after all connections of a test. A socket time-out would cost two further system calls per
 * response, as the JDK then polls before it reads.
 */
public final class ResponseDeadlines implements AutoCloseable {

    private final Set<HttpConnection> connections = ConcurrentHashMap.newKeySet();
    private final Thread thread;
    private final long pauseMillis;
    private volatile boolean closed;

    /**
     * Starts the thread.
     *
     * @param shortest the shortest time-out in use; connections are closed at most a tenth of it, or 50 ms, too late
     */
    public ResponseDeadlines(Duration shortest) {
        this.pauseMillis = Math.max(1, Math.min(50, shortest.toMillis() / 10));
        this.thread = new Thread(this::watch, "gatebench-response-deadlines");
        thread.setDaemon(true);
        thread.start();
    }

    void add(HttpConnection connection) {
        connections.add(connection);
    }

    void remove(HttpConnection connection) {
        connections.remove(connection);
    }

    private void watch() {
        while (!closed) {
            try {
                Thread.sleep(pauseMillis);
            } catch (InterruptedException e) {
                return;
            }
            long now = System.nanoTime();
            for (HttpConnection connection : connections) {
                connection.closeIfOverdue(now);
            }
        }
    }

    /** Ends every exchange that is under way with a failure of that text, e.g. at the end of a test. */
    public void cutAll(String reason) {
        for (HttpConnection connection : connections) {
            connection.cut(reason);
        }
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
    }
}
