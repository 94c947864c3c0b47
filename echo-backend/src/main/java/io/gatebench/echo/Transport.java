/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.echo;

import java.util.Locale;

/**
 * Names the way in which the server talks to the operating system.
 *
 * @since 0.1
 */
public enum Transport {
    /** The best one that works here: io_uring, else epoll, else NIO. */
    AUTO,
    /** Linux io_uring; often forbidden inside containers. */
    IO_URING,
    /** Linux epoll through native code. */
    EPOLL,
    /** The JDK's own; works everywhere. */
    NIO;

    /** Returns the name as it is written on the command line and in the ready line, for example {@code io_uring}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
