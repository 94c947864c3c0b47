/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.echo;

/** View of a connection that the timing structure and the sweeper of an event loop need; called on its event loop only. */
sealed interface Connection permits Http1Connection, Http2Connection {

    /** Answers, or goes on answering, an exchange whose moment has come; does not flush. */
    void due(Exchange exchange, long nowNanos);

    /** Sends what {@link #due} has written. */
    void flushDue();

    /** Closes the connection if it has rested, dawdled or left its responses unread for too long. */
    void sweep(int tick);

    /** Finishes what is in flight, takes no more requests, then closes. */
    void drain();

    int slot();

    void slot(int index);
}
