/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.jmeter;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

import io.gatebench.load.engine.Trust;
import io.gatebench.load.engine.http.HttpConnection;
import io.gatebench.load.engine.http.HttpTarget;

/**
 * Open connections that outlive the load that opened them, for the next load on the same server. Thread-safe.
 *
 * <p>Those of the servers that were loaded last are kept; those of others are closed.
 */
public final class KeptConnections {

    private final int servers;
    /** The server that was loaded last comes last. */
    private final Map<Server, Deque<HttpConnection.Opened>> open = new LinkedHashMap<>(16, 0.75f, true);

    /**
     * Creates one that holds none yet.
     *
     * @param servers of how many servers connections are kept
     */
    public KeptConnections(int servers) {
        this.servers = servers;
    }

    private record Server(HttpTarget target, Trust trust) {}

    /** Makes room for the connections of a server that is about to be loaded. */
    public synchronized void begin(HttpTarget target, Trust trust) {
        open.computeIfAbsent(new Server(target, trust), server -> new ArrayDeque<>());
        Iterator<Deque<HttpConnection.Opened>> oldest = open.values().iterator();
        while (open.size() > servers) {
            oldest.next().forEach(HttpConnection.Opened::close);
            oldest.remove();
        }
    }

    /** Gives away a connection, if there is one; whether the server has closed it meanwhile is for the taker to see. */
    public synchronized Optional<HttpConnection.Opened> take(HttpTarget target, Trust trust) {
        return Optional.ofNullable(open.get(new Server(target, trust))).map(Deque::pollFirst);
    }

    /** Keeps a connection that nobody else uses, or closes it if those of its server are not kept any more. */
    public synchronized void keep(HttpTarget target, Trust trust, HttpConnection.Opened connection) {
        Deque<HttpConnection.Opened> others = open.get(new Server(target, trust));
        if (others == null) {
            connection.close();
        } else {
            others.addFirst(connection);
        }
    }
}
