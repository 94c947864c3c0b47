/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways.wso2;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import org.junit.jupiter.api.Test;

import io.gatebench.load.engine.Trust;

class RestClientTest {

    /** Promises to keep its connections, and closes each when the second request comes. */
    private static final class ForgetfulServer implements AutoCloseable {
        private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        private final List<String> answered = new CopyOnWriteArrayList<>();

        ForgetfulServer() throws IOException {
            Thread thread = new Thread(this::accept, "forgetful server");
            thread.setDaemon(true);
            thread.start();
        }

        private void accept() {
            while (!server.isClosed()) {
                try {
                    Socket connection = server.accept();
                    Thread thread = new Thread(() -> serve(connection), "connection");
                    thread.setDaemon(true);
                    thread.start();
                } catch (IOException e) {
                    return;
                }
            }
        }

        private void serve(Socket connection) {
            try (connection) {
                BufferedReader in = new BufferedReader(
                        new InputStreamReader(connection.getInputStream(), StandardCharsets.ISO_8859_1));
                String first = request(in);
                answered.add(first);
                connection
                        .getOutputStream()
                        .write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}".getBytes(StandardCharsets.ISO_8859_1));
                request(in);
            } catch (IOException e) {
                // The client went away first.
            }
        }

        private static String request(BufferedReader in) throws IOException {
            String first = in.readLine();
            int length = 0;
            for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
                if (line.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
                    length = Integer.parseInt(
                            line.substring(line.indexOf(':') + 1).strip());
                }
            }
            in.skip(length);
            return first;
        }

        URI url() {
            return URI.create("http://127.0.0.1:" + server.getLocalPort() + "/");
        }

        @Override
        public void close() throws IOException {
            server.close();
        }
    }

    @Test
    void losesNoRequestToAServerThatClosesAKeptConnection() throws IOException {
        try (ForgetfulServer server = new ForgetfulServer()) {
            RestClient client = new RestClient(Trust.everything(), Duration.ofSeconds(20), url -> url);
            List<String> methods = List.of("GET", "GET", "POST", "POST", "PUT", "DELETE", "GET", "POST");

            for (String method : methods) {
                RestBody body =
                        method.equals("POST") ? RestBody.json(JsonNodeFactory.instance.objectNode()) : RestBody.NONE;
                RestClient.Request request = new RestClient.Request("step", method, server.url(), "", body);
                client.require(request, client.send(request), Set.of(200));
            }

            assertThat(server.answered).extracting(line -> line.split(" ")[0]).containsExactlyElementsOf(methods);
        }
    }
}
