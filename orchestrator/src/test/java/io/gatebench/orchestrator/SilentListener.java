/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Listens on loopback for whoever a hostile file sends here, and makes the GC logs that do. */
public final class SilentListener implements AutoCloseable {

    private static final Path HOSTILE = Path.of("..", "gc-analyzer", "src", "test", "resources", "hostile");

    private final ServerSocket socket;

    public SilentListener() throws IOException {
        socket = new ServerSocket(0, 8, InetAddress.getLoopbackAddress());
    }

    /** Writes the XML log of a J9 JVM with an external DTD that is here, which GCViewer would read as one of JDK 8. */
    public Path writeXmlLog(String name, Path file) throws IOException {
        String text = Files.readString(HOSTILE.resolve(name), StandardCharsets.US_ASCII);
        return Files.writeString(file, text.replace("PORT", Integer.toString(socket.getLocalPort())));
    }

    /** Returns whether somebody has connected; whoever did waits in the queue. */
    public boolean wasCalled() throws IOException {
        socket.setSoTimeout(1);
        try (Socket caller = socket.accept()) {
            return caller.isConnected();
        } catch (SocketTimeoutException e) {
            return false;
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
