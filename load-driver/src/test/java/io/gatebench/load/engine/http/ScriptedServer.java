/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.engine.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLSocket;

/** Answers each request of each connection with the next scripted bytes; an empty answer closes the connection, one
 * that ends with {@code <wait>} leaves the client waiting. */
public final class ScriptedServer implements AutoCloseable {

    final List<String> requests = new CopyOnWriteArrayList<>();
    final AtomicInteger connections = new AtomicInteger();
    /** The server name that each TLS client asked for, empty for none. */
    final List<String> serverNames = new CopyOnWriteArrayList<>();

    private final ServerSocket server;
    private final List<String> answers;
    private final AtomicInteger next = new AtomicInteger();
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();

    public ScriptedServer(InetAddress address, String... answers) throws IOException {
        this(new ServerSocket(0, 50, address), answers);
    }

    ScriptedServer(ServerSocket server, String... answers) {
        this.server = server;
        this.answers = List.of(answers);
        Thread thread = new Thread(this::accept, "scripted-server");
        thread.setDaemon(true);
        thread.start();
    }

    public int port() {
        return server.getLocalPort();
    }

    /** Returns how many connections were opened. */
    public AtomicInteger connections() {
        return connections;
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                connections.incrementAndGet();
                sockets.add(socket);
                Thread thread = new Thread(() -> serve(socket), "scripted-connection");
                thread.setDaemon(true);
                thread.start();
            } catch (IOException e) {
                return;
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            if (socket instanceof SSLSocket encrypted) {
                encrypted.startHandshake();
                serverNames.add(((ExtendedSSLSession) encrypted.getSession())
                        .getRequestedServerNames().stream()
                                .map(name -> ((SNIHostName) name).getAsciiName())
                                .findFirst()
                                .orElse(""));
            }
            InputStream in = socket.getInputStream();
            while (true) {
                String request = request(in);
                if (request.isEmpty()) {
                    return;
                }
                requests.add(request);
                int number = next.getAndIncrement();
                String answer = number < answers.size() ? answers.get(number) : "";
                if (answer.isEmpty()) {
                    return;
                }
                boolean end = answer.endsWith("<close>");
                boolean wait = answer.endsWith("<wait>");
                // Byte by byte where asked for: every boundary of the reader is hit.
                byte[] bytes =
                        answer.replace("<close>", "").replace("<wait>", "").getBytes(StandardCharsets.ISO_8859_1);
                if (bytes.length < 400) {
                    for (byte b : bytes) {
                        socket.getOutputStream().write(b);
                        socket.getOutputStream().flush();
                    }
                } else {
                    socket.getOutputStream().write(bytes);
                    socket.getOutputStream().flush();
                }
                if (wait) {
                    // Until the client gives up.
                    in.read();
                    return;
                }
                if (end) {
                    return;
                }
            }
        } catch (IOException e) {
            // The client has gone.
        }
    }

    private static String request(InputStream in) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        int length = -1;
        while (true) {
            int b = in.read();
            if (b < 0) {
                return "";
            }
            head.write(b);
            String text = head.toString(StandardCharsets.ISO_8859_1);
            if (text.endsWith("\r\n\r\n")) {
                for (String line : text.split("\r\n")) {
                    if (line.toLowerCase(java.util.Locale.ROOT).startsWith("content-length:")) {
                        length = Integer.parseInt(line.substring(15).trim());
                    }
                }
                byte[] body = length > 0 ? in.readNBytes(length) : new byte[0];
                return text + new String(body, StandardCharsets.ISO_8859_1);
            }
        }
    }

    void dropConnections() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        dropConnections();
    }
}
