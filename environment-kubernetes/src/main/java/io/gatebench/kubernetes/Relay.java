/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.kubernetes;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;

/** Runs in a pod: pumps between its own standard streams and a server; ends when the server does. One class, for Java 17. */
final class Relay extends Thread {

    private static final int PATIENCE_MILLIS = 2000;

    private final InputStream in;
    private final OutputStream out;

    private Relay(InputStream in, OutputStream out) {
        this.in = in;
        this.out = out;
        setDaemon(true);
    }

    /** Takes an address, a port, and {@code check} where it is only to look whether the server takes connections. */
    public static void main(String[] arguments) throws IOException {
        try (Socket socket = new Socket()) {
            socket.setTcpNoDelay(true);
            socket.connect(new InetSocketAddress(arguments[0], Integer.parseInt(arguments[1])), PATIENCE_MILLIS);
            if (arguments.length == 2) {
                new Relay(System.in, socket.getOutputStream()).start();
                socket.getInputStream().transferTo(System.out);
                System.out.flush();
            }
        }
    }

    @Override
    public void run() {
        try {
            byte[] piece = new byte[1 << 16];
            for (int read = in.read(piece); read >= 0; read = in.read(piece)) {
                out.write(piece, 0, read);
                out.flush();
            }
        } catch (IOException e) {
            // The server has closed its end, which the other direction sees as well.
            return;
        }
    }
}
