/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.jmeter;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

import org.apache.jmeter.samplers.SampleResult;
import org.jspecify.annotations.Nullable;

import io.gatebench.load.engine.http.BodyListener;

/** Keeps the body of an answer while it is checked. Belongs to one user; not thread-safe. */
final class KeptAnswer implements BodyListener {

    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private @Nullable BodyListener check;

    /** Returns this, ready for the next answer, which that check sees too. */
    KeptAnswer before(BodyListener ofNext) {
        check = ofNext;
        body.reset();
        return this;
    }

    /** Puts what was kept into a result, whose code and message are there. */
    void putInto(SampleResult result, Map<String, String> headers) {
        result.setResponseData(body.toByteArray());
        result.setDataEncoding(StandardCharsets.UTF_8.name());
        String type = headers.entrySet().stream()
                .filter(header -> header.getKey().equalsIgnoreCase("content-type"))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse("");
        result.setContentType(type);
        if (type.contains("charset=")) {
            result.setEncodingAndType(type);
        }
        result.setResponseHeaders(headers.entrySet().stream()
                .map(header -> header.getKey() + ": " + header.getValue() + "\n")
                .collect(Collectors.joining(
                        "", "HTTP/1.1 " + result.getResponseCode() + " " + result.getResponseMessage() + "\n", "")));
    }

    @Override
    public void begin(int status) {
        body.reset();
        Objects.requireNonNull(check).begin(status);
    }

    @Override
    public void accept(byte[] bytes, int offset, int length) {
        body.write(bytes, offset, length);
        Objects.requireNonNull(check).accept(bytes, offset, length);
    }
}
