/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.kubernetes;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.http.WebSocket;
import io.fabric8.kubernetes.client.http.WebSocketHandshakeException;

import io.gatebench.spi.host.HostException;
import io.gatebench.spi.host.Pause;

/**
 * A command in a pod, over the web socket of the API server: the first byte of each message is the stream that the rest
 * belongs to.
 *
 * <p>The client's own way asks for the list of pods before each command, and gives up a command when the JDK's web socket
 * refuses a message because another one is under way.
 */
final class PodExec implements AutoCloseable, WebSocket.Listener {

    private static final Duration CONNECT = Duration.ofSeconds(20);
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String PROTOCOL = "v4.channel.k8s.io";
    private static final byte IN = 0;
    private static final byte OUT = 1;
    private static final byte ERR = 2;
    private static final byte STATUS = 3;
    private static final int NORMAL_CLOSURE = 1000;

    private final KubernetesClient client;
    private final OutputStream out;
    private final OutputStream err;
    private final CompletableFuture<Integer> exit = new CompletableFuture<>();
    private final WebSocket socket;

    /**
     * Starts a command.
     *
     * @param command for the shell of the pod
     * @throws KubernetesClientException if the cluster does not start it
     */
    PodExec(KubernetesClient client, Pod pod, String command, OutputStream out, OutputStream err)
            throws InterruptedException {
        this.client = client;
        this.out = out;
        this.err = err;
        ObjectMeta named = pod.getMetadata();
        String words = List.of("/bin/sh", "-c", command).stream()
                .map(word -> "&command=" + URLEncoder.encode(word, StandardCharsets.UTF_8))
                .collect(Collectors.joining());
        // Relative to it: the API server may have a path of its own behind a proxy.
        String base = client.getMasterUrl().toString().replaceFirst("/*$", "/");
        URI uri = URI.create(base + "api/v1/namespaces/" + named.getNamespace() + "/pods/" + named.getName()
                + "/exec?container=" + RunObjects.CONTAINER + "&stdin=true&stdout=true&stderr=true" + words);
        CompletableFuture<WebSocket> opened = client.getHttpClient()
                .newWebSocketBuilder()
                .uri(WebSocket.toWebSocketUri(uri))
                .subprotocol(PROTOCOL)
                .connectTimeout(CONNECT.toMillis(), TimeUnit.MILLISECONDS)
                .buildAsync(this);
        try {
            socket = opened.get(CONNECT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            int code = e.getCause() instanceof WebSocketHandshakeException refused
                    ? refused.getResponse().code()
                    : 0;
            String what = code == 0 ? HostException.reason(e) : "a command was refused with status " + code;
            throw new KubernetesClientException(what, e, code, null, null);
        } catch (TimeoutException e) {
            opened.thenAccept(late -> late.sendClose(NORMAL_CLOSURE, "late"));
            throw new KubernetesClientException("no command was started within " + CONNECT.toSeconds() + " s", e);
        }
    }

    /** Returns how the command ends: its exit code, negative if the connection is closed before that is known. */
    CompletableFuture<Integer> exit() {
        return exit;
    }

    /**
     * Sends input.
     *
     * @throws IOException if the command has ended, or takes nothing for half a minute
     * @throws HostException if the thread is interrupted, which it remains
     */
    void send(byte[] bytes, int length) throws IOException {
        byte[] message = new byte[length + 1];
        message[0] = IN;
        System.arraycopy(bytes, 0, message, 1, length);
        long end = System.nanoTime() + PATIENCE.toNanos();
        // The JDK's web socket refuses a message while another is under way.
        while (!socket.send(ByteBuffer.wrap(message))) {
            if (exit.isDone() || System.nanoTime() > end) {
                throw new IOException("the command takes no input any more");
            }
            Pause.of(Duration.ofMillis(1), "while a command in a pod took its input");
        }
    }

    @Override
    public void onMessage(WebSocket from, String text) {
        onMessage(from, ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
    }

    @Override
    public void onMessage(WebSocket from, ByteBuffer bytes) {
        byte[] message = new byte[bytes.remaining()];
        bytes.get(message);
        try {
            if (message.length > 1) {
                switch (message[0]) {
                    case OUT -> out.write(message, 1, message.length - 1);
                    case ERR -> err.write(message, 1, message.length - 1);
                    case STATUS -> exit.complete(code(Arrays.copyOfRange(message, 1, message.length)));
                    default -> throw new IOException("the cluster sent a stream that is not known: " + message[0]);
                }
                out.flush();
            }
        } catch (IOException e) {
            exit.completeExceptionally(e);
        }
        from.request();
    }

    private int code(byte[] message) throws IOException {
        Status status = client.getKubernetesSerialization()
                .unmarshal(new String(message, StandardCharsets.UTF_8), Status.class);
        if ("Success".equals(status.getStatus())) {
            return 0;
        }
        if (status.getDetails() == null || !"NonZeroExitCode".equals(status.getReason())) {
            throw new IOException(String.valueOf(status.getMessage()));
        }
        return status.getDetails().getCauses().stream()
                .filter(cause -> "ExitCode".equals(cause.getReason()))
                .map(cause -> Integer.valueOf(cause.getMessage()))
                .findFirst()
                .orElse(-1);
    }

    @Override
    public void onClose(WebSocket from, int code, String reason) {
        exit.complete(-1);
    }

    @Override
    public void onError(WebSocket from, Throwable error) {
        exit.completeExceptionally(error);
    }

    @Override
    public void close() {
        socket.sendClose(NORMAL_CLOSURE, "closed");
        exit.complete(-1);
    }
}
