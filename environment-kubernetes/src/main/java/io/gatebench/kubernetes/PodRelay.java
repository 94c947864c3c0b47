/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.kubernetes;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.ExecutionException;

import io.fabric8.kubernetes.client.KubernetesClientException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.gatebench.spi.host.HostException;

/** A port of the loopback address here each of whose connections goes on from a pod. */
final class PodRelay implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(PodRelay.class);

    private final PodConnection pod;
    private final String to;
    private final int port;
    private final ServerSocket server;

    PodRelay(PodConnection pod, String to, int port) throws IOException {
        this.pod = pod;
        this.to = to;
        this.port = port;
        this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start("gatebench-relay-" + to + ":" + port, this::accept);
    }

    private static void start(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }

    InetSocketAddress address() {
        return new InetSocketAddress(server.getInetAddress(), server.getLocalPort());
    }

    private void accept() {
        while (true) {
            try {
                Socket socket = server.accept();
                start(Thread.currentThread().getName() + "-" + socket.getPort(), () -> pump(socket));
            } catch (IOException e) {
                // Closed: nobody needs this way any more.
                return;
            }
        }
    }

    private void pump(Socket socket) {
        try (socket;
                OutputStream back = socket.getOutputStream();
                PodExec running = pod.relay(to, port, back)) {
            start(Thread.currentThread().getName() + "-up", () -> up(socket, running));
            running.exit().get();
        } catch (IOException | ExecutionException | HostException | KubernetesClientException e) {
            LOG.debug("the way to {}:{} ended: {}", to, port, e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void up(Socket socket, PodExec running) {
        try {
            byte[] piece = new byte[1 << 15];
            for (int read = socket.getInputStream().read(piece);
                    read >= 0;
                    read = socket.getInputStream().read(piece)) {
                running.send(piece, read);
            }
        } catch (IOException | HostException e) {
            LOG.debug("a connection to a pod ended: {}", e.getMessage());
        } finally {
            // Who asked has gone: the relay in the pod is not needed any more.
            running.close();
        }
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            LOG.debug("{}", e.getMessage());
        }
    }
}
