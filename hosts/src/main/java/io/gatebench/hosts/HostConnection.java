/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.hosts;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

import io.gatebench.model.ShellWord;
import io.gatebench.spi.host.HostException;
import io.gatebench.spi.host.HostUnreachableException;
import io.gatebench.spi.host.Tunnel;

/**
 * The way to the shell of a host, made when it is needed and made anew when it was lost; safe for use by several threads.
 *
 * <p>A command whose connection is lost has an unknown end: that is a {@link HostUnreachableException}, never a success.
 */
public interface HostConnection extends AutoCloseable {

    /** More than this of what a command writes is dropped. */
    int MAX_OUTPUT = 64 << 20;

    /**
     * End of a command on a host.
     *
     * @param status its exit code
     * @param output what it wrote to standard output, empty if that went to a stream of the caller's
     * @param errorOutput what it wrote to standard error
     */
    record Exec(int status, byte[] output, String errorOutput) {

        /** Returns the output as text. */
        public String text() {
            return new String(output, StandardCharsets.UTF_8);
        }
    }

    /** Returns the address at which other hosts reach this one, unless the user says another. */
    String hostName();

    /** Returns whether what the host reaches is reached from here only through {@link #forward}. */
    boolean isApart();

    /**
     * Runs a command with streams of the caller's.
     *
     * @param command for the login shell of the host
     * @param in its input, which is read to its end
     * @param length the number of bytes of the input
     * @param out takes its output
     * @throws HostUnreachableException if the connection is lost before the end is known, or the time is over
     */
    Exec exec(String command, InputStream in, long length, OutputStream out, Duration timeout);

    /** Runs a command with an input; see {@link #exec(String, InputStream, long, OutputStream, Duration)}. */
    default Exec exec(String command, byte[] in, Duration timeout) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Exec ended =
                exec(command, new ByteArrayInputStream(in), in.length, new BoundedOutput(out, MAX_OUTPUT), timeout);
        return new Exec(ended.status(), out.toByteArray(), ended.errorOutput());
    }

    /** Runs a command; see {@link #exec(String, InputStream, long, OutputStream, Duration)}. */
    default Exec exec(String command, Duration timeout) {
        return exec(command, new byte[0], timeout);
    }

    /**
     * Returns the command that runs a shell script with arguments. Where commands are costly or for others to read, the
     * script is put on the host first.
     */
    default String command(String script, List<String> words) {
        return "exec /bin/sh -c " + ShellWord.quoted(script) + " gatebench "
                + words.stream().map(ShellWord::quoted).collect(Collectors.joining(" "));
    }

    /** Returns a port of the loopback address here that leads to a server which the host reaches. */
    InetSocketAddress forward(String address, int port);

    /**
     * Makes a way from here to a port of the host's loopback address.
     *
     * @throws HostException if this way to a host has none
     */
    default Tunnel tunnelTo(int port) {
        throw new HostException(hostName() + " is reached in a way that takes no tunnels");
    }

    /**
     * Makes a way from the host's loopback address to a port of the loopback address here.
     *
     * @throws HostException if this way to a host has none
     */
    default Tunnel tunnelFrom(int port) {
        throw new HostException(hostName() + " is reached in a way that takes no tunnels");
    }

    /** Returns whether the host can open a connection to a server. */
    boolean reaches(String address, int port);

    @Override
    void close();
}
