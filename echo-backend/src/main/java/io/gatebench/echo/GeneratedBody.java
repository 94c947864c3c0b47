/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.echo;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;

/**
 * Response bodies of any size out of shared memory, of exactly that size; thread-safe.
 *
 * <p>To XML comes SOAP, a {@code buyStocks} message with as many orders as fit and spaces behind them, to anything else the
 * JSON object {@code {"size":"<n>B","payload":"0123.."}}, so that the checks of load scenarios hold. What is too small for
 * either is filler alone.
 */
final class GeneratedBody implements AutoCloseable {

    enum Kind {
        TEXT("text/plain"),
        JSON("application/json"),
        SOAP("text/xml");

        /** The content type of the response. */
        final byte[] contentType;

        Kind(String contentType) {
            this.contentType = ascii(contentType);
        }
    }

    static final int MIN_JSON = 32;

    private static final byte[] FILLER = ascii("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");
    private static final byte[] JSON_END = ascii("\"}");
    private static final byte[] SOAP_START =
            ascii("<soapenv:Envelope xmlns:soapenv=\"http://schemas.xmlsoap.org/soap/envelope/\"><soapenv:Body>"
                    + "<m:buyStocks xmlns:m=\"http://services.samples/xsd\">");
    private static final byte[] ORDER = ascii(
            "<order><symbol>IBM</symbol><buyerID>john</buyerID><price>140.34</price><volume>2000</volume></order>");
    private static final byte[] SOAP_END = ascii("</m:buyStocks></soapenv:Body></soapenv:Envelope>");

    static final int MIN_SOAP = SOAP_START.length + ORDER.length + SOAP_END.length;

    private static final int MAX_SLICE = 1 << 16;

    private final ByteBuf filler;
    private final ByteBuf orders;

    GeneratedBody(ByteBufAllocator allocator) {
        filler = repeated(FILLER, allocator);
        orders = repeated(ORDER, allocator);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static ByteBuf repeated(byte[] pattern, ByteBufAllocator allocator) {
        ByteBuf all = allocator.directBuffer(MAX_SLICE + 2 * pattern.length);
        while (all.readableBytes() < MAX_SLICE + pattern.length) {
            all.writeBytes(pattern);
        }
        return all;
    }

    /** Returns what a body of the size is made of. */
    static Kind kind(int size, boolean xml) {
        if (xml) {
            return size < MIN_SOAP ? Kind.TEXT : Kind.SOAP;
        }
        return size < MIN_JSON ? Kind.TEXT : Kind.JSON;
    }

    /** Returns up to {@code limit} bytes of the body of {@code size} bytes from {@code offset} on, at least one. */
    ByteBuf slice(Kind kind, int size, int offset, long limit) {
        return switch (kind) {
            case TEXT -> part(new byte[0], filler, FILLER.length, new byte[0], size, offset, limit);
            case JSON ->
                part(
                        ascii("{\"size\":\"" + size + "B\",\"payload\":\""),
                        filler,
                        FILLER.length,
                        JSON_END,
                        size,
                        offset,
                        limit);
            case SOAP -> {
                byte[] end = new byte[(size - SOAP_START.length - SOAP_END.length) % ORDER.length + SOAP_END.length];
                Arrays.fill(end, (byte) ' ');
                System.arraycopy(SOAP_END, 0, end, end.length - SOAP_END.length, SOAP_END.length);
                yield part(SOAP_START, orders, ORDER.length, end, size, offset, limit);
            }
        };
    }

    private static ByteBuf part(
            byte[] start, ByteBuf middle, int period, byte[] end, int size, int offset, long limit) {
        if (offset < start.length) {
            return Unpooled.wrappedBuffer(start, offset, (int) Math.min(limit, start.length - offset));
        }
        int endAt = size - end.length;
        if (offset < endAt) {
            int length = (int) Math.min(Math.min(limit, endAt - offset), MAX_SLICE);
            return middle.retainedSlice((offset - start.length) % period, length);
        }
        return Unpooled.wrappedBuffer(end, offset - endAt, (int) Math.min(limit, size - offset));
    }

    /** Returns the whole body in one buffer. */
    ByteBuf whole(Kind kind, int size, ByteBufAllocator allocator) {
        ByteBuf body = allocator.directBuffer(Math.max(1, size), Math.max(1, size));
        while (body.readableBytes() < size) {
            ByteBuf part = slice(kind, size, body.readableBytes(), Integer.MAX_VALUE);
            body.writeBytes(part);
            part.release();
        }
        return body;
    }

    @Override
    public void close() {
        filler.release();
        orders.release();
    }
}
