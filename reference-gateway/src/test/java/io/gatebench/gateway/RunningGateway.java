/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateway;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLContext;

import org.springframework.boot.web.server.reactive.context.ReactiveWebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

import io.gatebench.certificate.AnyCertificate;

/** The real application in this JVM, on free ports, with a client that trusts its certificate. */
final class RunningGateway implements AutoCloseable {
    private final ConfigurableApplicationContext context;
    private final HttpClient client = client();

    RunningGateway(String... args) {
        String[] all = new String[args.length + 1];
        all[0] = "--gateway.https-port=0";
        System.arraycopy(args, 0, all, 1, args.length);
        CommandLine line = CommandLine.parse(all);
        context = GatewayApplication.start(
                GatewaySettings.read(new OptionReader(line.environment())), List.of(), Clock.systemUTC());
    }

    static HttpClient client() {
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(Duration.ofSeconds(10))
                .sslContext(trustingAnything())
                .build();
    }

    int httpsPort() {
        return ((ReactiveWebServerApplicationContext) context).getWebServer().getPort();
    }

    int httpPort() {
        return context.getBean(PlainPort.class).port().orElseThrow();
    }

    HttpResponse<String> post(String path, String body, UnaryOperator<HttpRequest.Builder> change)
            throws IOException, InterruptedException {
        return send("https://localhost:" + httpsPort() + path, body, change);
    }

    HttpResponse<String> postWithToken(String path, String body, String token)
            throws IOException, InterruptedException {
        return post(path, body, request -> request.header("Authorization", "Bearer " + token));
    }

    HttpResponse<String> send(String url, String body, UnaryOperator<HttpRequest.Builder> change)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url))
                .timeout(Duration.ofSeconds(30))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body));
        return client.send(change.apply(request).build(), HttpResponse.BodyHandlers.ofString());
    }

    @Override
    public void close() {
        context.close();
    }

    private static SSLContext trustingAnything() {
        try {
            return AnyCertificate.context();
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }
}
