/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.synapse;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/** Sends what the load generator of an integration scenario sends; any certificate is taken. */
final class GatewayClient {
    private final HttpClient client;

    GatewayClient() throws GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {new AcceptAny()}, new SecureRandom());
        client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .sslContext(context)
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

    // The extended form, because with the plain one the client checks the host name by itself.
    private static final class AcceptAny extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
