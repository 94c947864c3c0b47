/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.IntSupplier;

import io.gatebench.model.BackendTraffic;
import io.gatebench.model.ResponseCheck;
import io.gatebench.spi.host.Host;
import io.gatebench.spi.host.HostException;

/**
 * Counts of the back end of a run since it started.
 *
 * @param requests requests that it got
 * @param bodyBytes bytes of their bodies
 */
public record BackendCount(long requests, long bodyBytes) {

    private static final int TIMEOUT_MILLIS = 5000;
    private static final String REQUESTS = "echo_requests_total ";
    private static final String BODY_BYTES = "echo_request_body_bytes_total ";

    /**
     * Asks the back end.
     *
     * @param metrics its metrics, as its host reaches them
     * @return what it counted, or empty if it could not be asked: figures then lack this check, but are none the worse
     */
    public static Optional<BackendCount> read(Host host, URI metrics) {
        try {
            HttpURLConnection connection =
                    (HttpURLConnection) host.reach(metrics).toURL().openConnection();
            connection.setConnectTimeout(TIMEOUT_MILLIS);
            connection.setReadTimeout(TIMEOUT_MILLIS);
            try (InputStream in = connection.getInputStream()) {
                return parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
            } finally {
                connection.disconnect();
            }
        } catch (IOException | HostException e) {
            return Optional.empty();
        }
    }

    static Optional<BackendCount> parse(String metrics) {
        long requests = -1;
        long bytes = -1;
        for (String line : metrics.lines().toList()) {
            if (line.startsWith(REQUESTS)) {
                requests = Long.parseLong(line.substring(REQUESTS.length()).strip());
            } else if (line.startsWith(BODY_BYTES)) {
                bytes = Long.parseLong(line.substring(BODY_BYTES.length()).strip());
            }
        }
        return requests < 0 || bytes < 0 ? Optional.empty() : Optional.of(new BackendCount(requests, bytes));
    }

    BackendCount since(BackendCount before) {
        return new BackendCount(requests - before.requests, bodyBytes - before.bodyBytes);
    }

    /**
     * Returns what the verdicts hold to the samples of a load.
     *
     * @param check what the answers had to be
     * @param payloadBytes the length of the payload
     */
    BackendTraffic traffic(ResponseCheck.Body check, IntSupplier payloadBytes) {
        boolean rebuilt = check.form() == ResponseCheck.Body.Form.ORDERS_REBUILT;
        return new BackendTraffic(
                requests,
                check.form() == ResponseCheck.Body.Form.ORDERS ? Math.max(1, check.count()) : 1,
                rebuilt || check.form() == ResponseCheck.Body.Form.ECHO
                        ? Optional.of(new BackendTraffic.Bodies(bodyBytes, payloadBytes.getAsInt(), rebuilt))
                        : Optional.empty());
    }
}
