/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.synapse;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.GeneralSecurityException;
import java.time.Duration;

import io.gatebench.certificate.AnyCertificate;

/** Sends what the load generator of an integration scenario sends; any certificate is taken. */
final class GatewayClient {
    private final HttpClient client;

    GatewayClient() throws GeneralSecurityException {
        client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .sslContext(AnyCertificate.context())
                .build();
    }

    HttpResponse<String> soap(URI uri, String routing, String body) throws IOException, InterruptedException {
        return client.send(soapRequest(uri, routing, body), HttpResponse.BodyHandlers.ofString());
    }

    HttpResponse<String> soap(URI uri) throws IOException, InterruptedException {
        return soap(uri, Messages.ROUTING, Messages.SOAP);
    }

    HttpResponse<String> bare(URI uri, String contentType, String body) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(uri)
                .timeout(Duration.ofSeconds(15))
                .header("Content-Type", contentType)
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        return client.send(request, HttpResponse.BodyHandlers.ofString());
    }

    HttpResponse<String> get(URI uri) throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(15)).build();
        return client.send(request, HttpResponse.BodyHandlers.ofString());
    }

    static HttpRequest soapRequest(URI uri, String routing, String body) {
        return HttpRequest.newBuilder(uri)
                .timeout(Duration.ofSeconds(15))
                .header("Content-Type", "text/xml")
                .header("SOAPAction", "urn:buyStocks")
                .header("routing", routing)
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
    }

    // The extended form, because with the plain one the client checks the host name by itself.}
}
