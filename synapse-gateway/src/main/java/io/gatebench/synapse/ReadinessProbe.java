/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.synapse;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.Proxy;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.function.LongSupplier;
import javax.net.ssl.HttpsURLConnection;

import io.gatebench.certificate.AnyCertificate;

/**
 * Waits until both listeners hand a request to a proxy service of this very process.
 *
 * @param address where the listeners are reached
 * @param token what the readiness proxy of this process answers
 * @param nanoTime nanosecond clock
 */
record ReadinessProbe(InetAddress address, String token, LongSupplier nanoTime) {
    private static final Duration ATTEMPT_TIMEOUT = Duration.ofSeconds(2);
    private static final Duration PAUSE = Duration.ofMillis(20);

    /**
     * Returns when both ports answer.
     *
     * @throws GatewayException if they do not within {@code limit}
     */
    void await(int httpPort, int httpsPort, Duration limit) {
        long deadline = nanoTime.getAsLong() + limit.toNanos();
        awaitOne("http", httpPort, deadline, limit);
        awaitOne("https", httpsPort, deadline, limit);
    }

    private void awaitOne(String scheme, int port, long deadline, Duration limit) {
        String host = address.getHostAddress();
        URI uri = URI.create(scheme + "://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port
                + "/services/GatebenchReady");
        String last = "no attempt";
        while (nanoTime.getAsLong() < deadline) {
            try {
                String answer = ask(uri);
                if (answer.equals(token)) {
                    return;
                }
                last = answer;
            } catch (IOException e) {
                last = e.toString();
            }
            pause();
        }
        throw new GatewayException("not ready within " + limit.toSeconds() + " s: " + uri + " gave: " + last);
    }

    /** The client ends the connection: the engine keeps a thread busy for each TLS connection that it ends itself. */
    private String ask(URI uri) throws IOException {
        HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection(Proxy.NO_PROXY);
        connection.setConnectTimeout(Math.toIntExact(ATTEMPT_TIMEOUT.toMillis()));
        connection.setReadTimeout(Math.toIntExact(ATTEMPT_TIMEOUT.toMillis()));
        if (connection instanceof HttpsURLConnection secure) {
            // The token, not the certificate, shows that it is this process that answers.
            try {
                secure.setSSLSocketFactory(AnyCertificate.context().getSocketFactory());
            } catch (GeneralSecurityException e) {
                throw new IOException("no TLS in this Java runtime", e);
            }
            secure.setHostnameVerifier((name, session) -> true);
        }
        try {
            int status = connection.getResponseCode();
            String answer = connection.getHeaderField("Gatebench-Ready");
            return answer == null ? "HTTP " + status + " of something else" : answer;
        } finally {
            connection.disconnect();
        }
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new GatewayException("interrupted while waiting for the listeners", e);
        }
    }
}
