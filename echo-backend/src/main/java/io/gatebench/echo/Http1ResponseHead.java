/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.echo;

import java.nio.charset.StandardCharsets;

import io.netty.handler.codec.http.HttpResponseStatus;

/** Writes heads of HTTP/1.1 responses into one array, one after the other; for one event loop. */
final class Http1ResponseHead {

    /** Room for everything but the content type. */
    private static final int ROOM = 512;

    private static final byte[] OK = ascii("HTTP/1.1 200 OK\r\ncontent-length: ");
    private static final byte[] TYPE = ascii("\r\ncontent-type: ");
    private static final byte[] MARK = ascii("\r\n" + ControlHeaders.MARK + ": ");
    private static final byte[] CLOSE = ascii("\r\nconnection: close");
    private static final byte[] KEEP = ascii("\r\nconnection: keep-alive");
    private static final byte[] END = ascii("\r\n\r\n");

    private byte[] out = new byte[2048];

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** Returns the array that {@link #encode} has written to. */
    byte[] bytes() {
        return out;
    }

    /**
     * Writes the head of the response that was decided on.
     *
     * @param length of the body, also where it is not sent
     * @return the length of the head
     */
    int encode(Exchange exchange, long length) {
        if (exchange.contentTypeLength > out.length - ROOM) {
            out = new byte[exchange.contentTypeLength + ROOM];
        }
        int at;
        if (exchange.status == 200) {
            at = put(0, OK);
            at = putNumber(at, length);
        } else {
            HttpResponseStatus status = HttpResponseStatus.valueOf(exchange.status);
            boolean noLength = exchange.status == 204 || exchange.status == 304;
            at = put(
                    0,
                    ascii("HTTP/1.1 " + exchange.status + " " + status.reasonPhrase()
                            + (noLength ? "" : "\r\ncontent-length: " + length)));
        }
        if (exchange.contentTypeLength > 0) {
            at = put(at, TYPE);
            System.arraycopy(exchange.contentType, 0, out, at, exchange.contentTypeLength);
            at += exchange.contentTypeLength;
        }
        if (exchange.markLength > 0) {
            at = put(at, MARK);
            System.arraycopy(exchange.mark, 0, out, at, exchange.markLength);
            at += exchange.markLength;
        }
        if (exchange.closeAfter) {
            at = put(at, CLOSE);
        } else if (exchange.keepAliveAsked) {
            at = put(at, KEEP);
        }
        return put(at, END);
    }

    private int put(int at, byte[] text) {
        System.arraycopy(text, 0, out, at, text.length);
        return at + text.length;
    }

    private int putNumber(int at, long number) {
        int digits = 1;
        for (long n = number; n >= 10; n /= 10) {
            digits++;
        }
        long left = number;
        for (int i = at + digits - 1; i >= at; i--) {
            out[i] = (byte) ('0' + left % 10);
            left /= 10;
        }
        return at + digits;
    }
}
