/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.spi.host;

/**
 * A way between a port of the loopback address here and one of the loopback address of a host; it ends with the connection
 * to the host, and is not made anew.
 *
 * @since 0.1
 */
public interface Tunnel extends AutoCloseable {

    /** Returns the port at the near end, to which one connects. */
    int port();

    /** Takes it away; does nothing if it is gone. */
    @Override
    void close();

    /** Returns the way that is there by itself, between two programs of one machine. */
    static Tunnel onOneMachine(int port) {
        return new Tunnel() {
            @Override
            public int port() {
                return port;
            }

            @Override
            public void close() {
                // Nothing was made.
            }
        };
    }
}
