/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.spi.host;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import io.gatebench.load.engine.http.HttpTarget;
import io.gatebench.model.SystemInformation;

/**
 * A machine that runs roles.
 *
 * <p>Everything above this interface is written once for the machine at hand, for SSH hosts and for machines in a
 * cloud. Paths on the host are absolute strings in the host's own form; paths on the machine of the orchestrator are
 * {@link Path}s. Implementations are safe for use by several threads.
 *
 * <p>Methods throw {@link HostException} when the host cannot be reached or refuses.
 *
 * @since 0.1
 */
public interface Host extends AutoCloseable {

    /** Time that a server may take to accept a connection. */
    int ANSWER_MILLIS = 2000;

    /** Returns the name by which messages and reports call this host. */
    String name();

    /** Returns whether this is the machine of the orchestrator itself, whose files it reads without a copy. */
    default boolean isLocal() {
        return false;
    }

    /** Returns the address at which the other hosts of the run reach this one. */
    String address();

    /** Returns the absolute path of the directory that holds everything that the run puts on this host. */
    String workDirectory();

    /** Returns the absolute path of the {@code java} command. */
    String java();

    /** Returns the feature version of that Java, e.g. 17. */
    int javaFeatureVersion();

    /** Creates a directory with its parents below {@link #workDirectory()}; one that exists is left as it is. */
    void createDirectory(String directory);

    /**
     * Puts a file at a path on the host; the same content that is already there is not sent again.
     *
     * @return the path on the host at which the content is found, which a host on this machine may answer with the
     *     file's own path
     */
    String upload(Path file, String path);

    /** Brings all files of a directory on the host into a directory here, which is created. */
    void download(String directory, Path target);

    /**
     * Runs a command to its end.
     *
     * @throws HostException if it does not end within the time-out
     */
    CommandResult run(List<String> command, Duration timeout);

    /** Starts a long-running process, which goes on until it is stopped or this host is closed. */
    HostProcess start(ProcessSpec spec);

    /** Returns whether nothing listens at a TCP port of the address that roles bind to. */
    boolean isPortFree(int port);

    /** Returns a port that is free at this moment. */
    int freePort();

    /**
     * Returns the URL by which this program reaches a server that this host reaches; its own URL where this program is
     * in the network of the roles itself. Good for one request or a few: the way ends with the connection to the host.
     */
    default URI reach(URI server) {
        return server;
    }

    /**
     * Makes a way from here to a port of this host's loopback address.
     *
     * @throws HostException if the connection to the host does not allow it
     */
    default Tunnel tunnelTo(int port) {
        return Tunnel.onOneMachine(port);
    }

    /**
     * Makes a way from this host's loopback address to a port of the loopback address here.
     *
     * @throws HostException if the connection to the host does not allow it
     */
    default Tunnel tunnelFrom(int port) {
        return Tunnel.onOneMachine(port);
    }

    /** Returns whether a server that this host reaches takes connections. */
    default boolean accepts(URI server) {
        try (Socket socket = new Socket()) {
            HttpTarget target = HttpTarget.of(server);
            socket.connect(new InetSocketAddress(target.host(), target.port()), ANSWER_MILLIS);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Returns the rows of the published system information table. */
    SystemInformation systemInformation();

    /** Stops every process that was started through this host and releases the connection. */
    @Override
    void close();
}
