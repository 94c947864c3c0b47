/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.engine.http;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;

import io.gatebench.model.Probe;
import io.gatebench.model.ProbeOutcome;

/** Sends probes and judges their answers. Not thread-safe. */
public final class ProbeExchange implements BodyListener {

    private static final int TEXT_LIMIT = 64 * 1024;
    private static final int SHOWN = 200;

    private final StringBuilder text = new StringBuilder();

    /**
     * Sends a probe.
     *
     * @param connection the way to the gateway
     * @param head the head of the request, with the probe's headers
     * @param token the bearer token that it carries, or null
     * @param body the body of the scenario, which the probe may replace
     * @return what came of it; without a status if there was no answer
     */
    public ProbeOutcome send(
            HttpConnection connection, HttpRequestHead head, @Nullable String token, byte[] body, Probe probe) {
        byte[] bytes = token == null ? null : token.getBytes(StandardCharsets.US_ASCII);
        byte[] own = probe.body()
                .map(given -> given.getBytes(StandardCharsets.UTF_8))
                .orElse(body);
        try {
            connection.exchange(head, bytes, own, this);
        } catch (HttpExchangeException e) {
            return new ProbeOutcome(probe.name(), Optional.empty(), false, "no response: " + e.getMessage());
        }
        boolean statusRight =
                probe.expectedStatuses().isEmpty() || probe.expectedStatuses().contains(connection.status());
        boolean textRight =
                probe.expectedText().map(wanted -> text.indexOf(wanted) >= 0).orElse(true);
        String wanted = (probe.expectedStatuses().isEmpty()
                        ? "any status"
                        : "status " + new TreeSet<>(probe.expectedStatuses()))
                + probe.expectedText()
                        .map(expected -> " and the text '" + expected + "'")
                        .orElse("");
        String detail =
                "expected " + wanted + ", got status " + connection.status() + (textRight ? "" : " and: " + shown());
        return new ProbeOutcome(
                probe.name(),
                Optional.of(connection.status()),
                statusRight && textRight,
                token == null ? detail : detail.replace(token, "***"));
    }

    @Override
    public void begin(int status) {
        text.setLength(0);
    }

    @Override
    public void accept(byte[] bytes, int offset, int length) {
        int kept = Math.min(length, TEXT_LIMIT - text.length());
        if (kept > 0) {
            text.append(new String(bytes, offset, kept, StandardCharsets.UTF_8));
        }
    }

    private String shown() {
        return text.length() <= SHOWN ? text.toString() : text.substring(0, SHOWN) + "...";
    }
}
