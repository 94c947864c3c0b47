/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.engine.http;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * The head of a request as bytes that are ready to be sent; only bearer token and content length differ from request to
 * request. Immutable.
 */
public final class HttpRequestHead {

    private static final Set<String> IDEMPOTENT = Set.of("GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE");
    private static final Set<String> BODY_EXPECTED = Set.of("POST", "PUT", "PATCH");
    private static final Set<String> OWN_FIELDS = Set.of("host", "content-length");
    private static final Set<String> REFUSED_FIELDS =
            Set.of("transfer-encoding", "expect", "upgrade", "connection", "te", "trailer", "proxy-authorization");
    private static final byte[] AUTHORIZATION = ascii("Authorization: Bearer ");
    private static final byte[] MARK = ascii(RequestMark.HEADER + ": ");
    private static final byte[] CONTENT_LENGTH = ascii("Content-Length: ");
    private static final byte[] LINE_END = ascii("\r\n");
    private static final int MAX_LENGTH = 20;

    private final String method;
    private final String host;
    private final byte[] fixed;
    private final boolean idempotent;
    private final boolean head;
    private final boolean bodyExpected;

    /**
     * Creates the head.
     *
     * @param target gives the {@code Host} field
     * @param method the HTTP method
     * @param path path and query, beginning with a slash
     * @param headers further fields
     * @throws IllegalArgumentException if a part is no valid HTTP, or asks for what this client does not do
     */
    public HttpRequestHead(HttpTarget target, String method, String path, Map<String, String> headers) {
        if (!method.matches("[A-Za-z]+")) {
            throw new IllegalArgumentException("'" + method + "' is no HTTP method");
        }
        if (method.equalsIgnoreCase("CONNECT")) {
            throw new IllegalArgumentException("the fast HTTP client does not do CONNECT; use --http-client jmeter");
        }
        if (!path.startsWith("/") || path.chars().anyMatch(c -> c <= ' ' || c >= 0x7f)) {
            throw new IllegalArgumentException(
                    "a path must begin with / and hold printable ASCII only, the rest percent-encoded: " + path);
        }
        headers.forEach(HttpRequestHead::check);
        this.method = method.toUpperCase(Locale.ROOT);
        this.host = target.hostHeader();
        this.fixed = bytes(this.method, host, path, headers);
        this.idempotent = IDEMPOTENT.contains(method.toUpperCase(Locale.ROOT));
        this.bodyExpected = BODY_EXPECTED.contains(method.toUpperCase(Locale.ROOT));
        this.head = method.equalsIgnoreCase("HEAD");
    }

    private HttpRequestHead(HttpRequestHead like, byte[] fixed) {
        this.method = like.method;
        this.host = like.host;
        this.fixed = fixed;
        this.idempotent = like.idempotent;
        this.bodyExpected = like.bodyExpected;
        this.head = like.head;
    }

    /**
     * Returns a head of the same method for the same server.
     *
     * @param path path and query; must be valid, which is not looked at again
     * @param headers the further fields; their names are those of this head, and their values valid
     */
    public HttpRequestHead with(String path, Map<String, String> headers) {
        return new HttpRequestHead(this, bytes(method, host, path, headers));
    }

    private static byte[] bytes(String method, String host, String path, Map<String, String> headers) {
        StringBuilder text = new StringBuilder();
        text.append(method).append(' ').append(path).append(" HTTP/1.1\r\n");
        text.append("Host: ").append(host).append("\r\n");
        headers.forEach((name, value) -> {
            if (!OWN_FIELDS.contains(name.toLowerCase(Locale.ROOT))) {
                text.append(name).append(": ").append(value).append("\r\n");
            }
        });
        return text.toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    private static void check(String name, String value) {
        if (!name.matches("[!#$%&'*+.^_`|~0-9A-Za-z-]+")) {
            throw new IllegalArgumentException("'" + name + "' is no name of a header");
        }
        if (!canHold(value)) {
            throw new IllegalArgumentException(
                    "the value of header " + name + " holds a character that is not allowed");
        }
        if (REFUSED_FIELDS.contains(name.toLowerCase(Locale.ROOT))) {
            throw new IllegalArgumentException(
                    "the fast HTTP client does not send the header " + name + "; use --http-client jmeter");
        }
    }

    /** Returns whether a value can stand in a header: no control characters, and none beyond ISO 8859-1. */
    public static boolean canHold(String value) {
        return value.chars().noneMatch(c -> c < ' ' && c != '\t' || c == 0x7f || c > 0xff);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    int maxLength(int tokenLength) {
        return fixed.length
                + AUTHORIZATION.length
                + tokenLength
                + MARK.length
                + RequestMark.LENGTH
                + CONTENT_LENGTH.length
                + MAX_LENGTH
                + 8;
    }

    int write(byte[] out, byte @Nullable [] token, @Nullable RequestMark mark, int bodyLength) {
        int end = put(out, 0, fixed);
        if (token != null) {
            end = put(out, end, AUTHORIZATION);
            end = put(out, end, token);
            end = put(out, end, LINE_END);
        }
        if (mark != null && !mark.inBody()) {
            end = put(out, end, MARK);
            end = put(out, end, mark.text());
            end = put(out, end, LINE_END);
        }
        if (bodyLength > 0 || bodyExpected) {
            end = put(out, end, CONTENT_LENGTH);
            end = putNumber(out, end, bodyLength);
            end = put(out, end, LINE_END);
        }
        return put(out, end, LINE_END);
    }

    private static int put(byte[] out, int at, byte[] bytes) {
        System.arraycopy(bytes, 0, out, at, bytes.length);
        return at + bytes.length;
    }

    private static int putNumber(byte[] out, int at, int number) {
        int digits = 1;
        for (int rest = number; rest >= 10; rest /= 10) {
            digits++;
        }
        int rest = number;
        for (int i = at + digits - 1; i >= at; i--) {
            out[i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        return at + digits;
    }

    boolean idempotent() {
        return idempotent;
    }

    boolean head() {
        return head;
    }
}
