/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.Random;
import java.util.concurrent.TimeUnit;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Against a socket that speaks as an API server does when a command is run in a pod. */
class PodExecTest {

    private static final int LENGTH = 8 << 20;
    private static final Pod POD = new PodBuilder()
            .withNewMetadata()
            .withName("gateway-0")
            .withNamespace("perf")
            .endMetadata()
            .build();

    private ServerSocket server;
    private KubernetesClient client;
    private volatile String request = "";
    private final ByteArrayOutputStream received = new ByteArrayOutputStream();

    @BeforeEach
    void listen() throws IOException {
        server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        client = new KubernetesClientBuilder()
                .withConfig(new ConfigBuilder()
                        .withMasterUrl("http://127.0.0.1:" + server.getLocalPort())
                        .withRequestRetryBackoffLimit(0)
                        .build())
                .build();
    }

    @AfterEach
    void close() throws IOException {
        client.close();
        server.close();
    }

    private interface Conversation {
        void hold(DataInputStream in, OutputStream out) throws IOException;
    }

    /** Takes one connection: shakes hands, holds the conversation. */
    private void serve(Conversation conversation) {
        Thread thread = new Thread(() -> {
            try (Socket socket = server.accept()) {
                DataInputStream in = new DataInputStream(socket.getInputStream());
                String key = "";
                request = line(in);
                for (String header = line(in); !header.isEmpty(); header = line(in)) {
                    if (header.toLowerCase(java.util.Locale.ROOT).startsWith("sec-websocket-key:")) {
                        key = header.substring(header.indexOf(':') + 1).trim();
                    }
                }
                String accepted = Base64.getEncoder()
                        .encodeToString(MessageDigest.getInstance("SHA-1")
                                .digest((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11")
                                        .getBytes(StandardCharsets.US_ASCII)));
                socket.getOutputStream()
                        .write(("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                                        + "Sec-WebSocket-Protocol: v4.channel.k8s.io\r\nSec-WebSocket-Accept: "
                                        + accepted
                                        + "\r\n\r\n")
                                .getBytes(StandardCharsets.US_ASCII));
                conversation.hold(in, socket.getOutputStream());
            } catch (IOException | GeneralSecurityException e) {
                request = e.toString();
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    private static String line(DataInputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next >= 0 && next != '\n'; next = in.read()) {
            if (next != '\r') {
                line.append((char) next);
            }
        }
        return line.toString();
    }

    /** Reads one masked message of less than 64 KiB. */
    private static byte[] message(DataInputStream in) throws IOException {
        in.readUnsignedByte();
        int length = in.readUnsignedByte() & 0x7f;
        if (length == 126) {
            length = in.readUnsignedShort();
        }
        byte[] mask = in.readNBytes(4);
        byte[] bytes = in.readNBytes(length);
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] ^= mask[i % 4];
        }
        return bytes;
    }

    private static void say(OutputStream out, int stream, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int length = bytes.length + 1;
        out.write(
                length < 126
                        ? new byte[] {(byte) 0x82, (byte) length, (byte) stream}
                        : new byte[] {(byte) 0x82, 126, (byte) (length >> 8), (byte) length, (byte) stream});
        out.write(bytes);
        out.flush();
    }

    /** Ends as an API server does: it says so, and stays until the client has gone. The JDK loses a message before a bare end. */
    private static void end(DataInputStream in, OutputStream out) throws IOException {
        out.write(new byte[] {(byte) 0x88, 2, 3, (byte) 0xe8});
        out.flush();
        in.transferTo(OutputStream.nullOutputStream());
    }

    @Test
    void allOfALargeInputArrivesThoughTheServerReadsSlowly() throws Exception {
        serve((in, out) -> {
            while (received.size() < LENGTH) {
                byte[] message = message(in);
                received.write(message, 1, message.length - 1);
            }
            say(out, 1, "taken");
            say(out, 3, "{\"kind\": \"Status\", \"apiVersion\": \"v1\", \"status\": \"Success\"}");
            end(in, out);
        });
        byte[] input = new byte[LENGTH];
        new Random(1).nextBytes(input);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (PodExec running = new PodExec(client, POD, "cat >'a b'", out, OutputStream.nullOutputStream())) {
            for (int at = 0; at < LENGTH; at += 1 << 15) {
                running.send(Arrays.copyOfRange(input, at, at + (1 << 15)), 1 << 15);
            }
            assertThat(running.exit().get(30, TimeUnit.SECONDS)).isZero();
        }
        assertThat(received.toByteArray()).isEqualTo(input);
        assertThat(out).hasToString("taken");
        assertThat(request)
                .contains("/api/v1/namespaces/perf/pods/gateway-0/exec?container=role")
                .contains("command=cat+%3E%27a+b%27");
    }

    @Test
    void theExitCodeIsThatOfTheStatus() throws Exception {
        serve((in, out) -> {
            say(out, 2, "no such file");
            say(
                    out,
                    3,
                    "{\"kind\": \"Status\", \"apiVersion\": \"v1\", \"status\": \"Failure\", \"reason\":"
                            + " \"NonZeroExitCode\", \"details\": {\"causes\": [{\"reason\": \"ExitCode\", \"message\":"
                            + " \"7\"}]}}");
            end(in, out);
        });
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        try (PodExec running = new PodExec(client, POD, "cat none", OutputStream.nullOutputStream(), err)) {
            assertThat(running.exit().get(30, TimeUnit.SECONDS)).isEqualTo(7);
        }
        assertThat(err).hasToString("no such file");
    }

    @Test
    void aCommandThatIsCutOffHasNoExitCode() throws Exception {
        serve(PodExecTest::end);
        try (PodExec running =
                new PodExec(client, POD, "sleep 9", OutputStream.nullOutputStream(), OutputStream.nullOutputStream())) {
            assertThat(running.exit().get(30, TimeUnit.SECONDS)).isNegative();
        }
    }

    @Test
    void aRefusalHasItsStatus() throws Exception {
        Thread refusing = new Thread(() -> {
            try (Socket socket = server.accept()) {
                while (!line(new DataInputStream(socket.getInputStream())).isEmpty()) {
                    // The headers do not matter.
                }
                socket.getOutputStream()
                        .write("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n"
                                .getBytes(StandardCharsets.US_ASCII));
            } catch (IOException e) {
                request = e.toString();
            }
        });
        refusing.start();
        assertThatThrownBy(() -> new PodExec(
                        client, POD, "true", OutputStream.nullOutputStream(), OutputStream.nullOutputStream()))
                .isInstanceOfSatisfying(
                        KubernetesClientException.class,
                        e -> assertThat(e.getCode()).isEqualTo(403))
                .hasMessage("a command was refused with status 403");
        refusing.join();
    }
}
