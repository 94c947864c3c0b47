/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.echo;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringServerSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads of a server and the kind of socket that goes with them.
 *
 * @param transport the one that runs, never {@link Transport#AUTO}
 * @param acceptor accepts connections
 * @param workers serve them
 * @param serverChannel the socket to listen with
 */
record LoopGroups(
        Transport transport,
        EventLoopGroup acceptor,
        EventLoopGroup workers,
        Class<? extends ServerChannel> serverChannel) {

    private static final Logger LOG = LoggerFactory.getLogger(LoopGroups.class);

    static LoopGroups of(Transport wanted, int threads) {
        return switch (choose(wanted)) {
            case IO_URING ->
                groups(Transport.IO_URING, IoUringIoHandler.newFactory(), IoUringServerSocketChannel.class, threads);
            case EPOLL -> groups(Transport.EPOLL, EpollIoHandler.newFactory(), EpollServerSocketChannel.class, threads);
            default -> groups(Transport.NIO, NioIoHandler.newFactory(), NioServerSocketChannel.class, threads);
        };
    }

    private static Transport choose(Transport wanted) {
        switch (wanted) {
            case IO_URING -> {
                if (!IoUring.isAvailable()) {
                    throw missing(wanted, IoUring.unavailabilityCause());
                }
                return wanted;
            }
            case EPOLL -> {
                if (!Epoll.isAvailable()) {
                    throw missing(wanted, Epoll.unavailabilityCause());
                }
                return wanted;
            }
            case NIO -> {
                return wanted;
            }
            default -> {
                if (IoUring.isAvailable()) {
                    return Transport.IO_URING;
                }
                LOG.debug("io_uring is not available: {}", reason(IoUring.unavailabilityCause()));
                if (Epoll.isAvailable()) {
                    return Transport.EPOLL;
                }
                LOG.debug("epoll is not available: {}", reason(Epoll.unavailabilityCause()));
                return Transport.NIO;
            }
        }
    }

    private static EchoException missing(Transport wanted, Throwable cause) {
        return new EchoException(
                "transport " + wanted + " is not available here (" + reason(cause) + "); leave --transport at auto",
                cause);
    }

    private static String reason(Throwable cause) {
        Throwable root = cause;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root.getMessage() == null ? root.toString() : root.getMessage();
    }

    private static LoopGroups groups(
            Transport transport, IoHandlerFactory factory, Class<? extends ServerChannel> channel, int threads) {
        return new LoopGroups(
                transport,
                new MultiThreadIoEventLoopGroup(1, new DefaultThreadFactory("echo-accept", true), factory),
                new MultiThreadIoEventLoopGroup(threads, new DefaultThreadFactory("echo-worker", true), factory),
                channel);
    }
}
