/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.echo;

import java.nio.charset.StandardCharsets;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;

/**
 * Response bodies of any size out of one shared stretch of memory.
 *
 * <p>From {@value #SMALLEST_JSON} bytes on a body is the JSON object {@code {"size":"<n>B","payload":"0123.."}} of
 * exactly n bytes, so that checks for the size in the text hold; below that it is the filler alone. Thread-safe.
 */
final class GeneratedBody implements AutoCloseable {

    static final int SMALLEST_JSON = 32;

    private static final byte[] FILLER =
            "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".getBytes(StandardCharsets.US_ASCII);
    private static final int LONGEST_SLICE = 1 << 16;
    private static final byte[] SUFFIX = {'"', '}'};

    private final ByteBuf pattern;

    GeneratedBody(ByteBufAllocator allocator) {
        pattern = allocator.directBuffer(LONGEST_SLICE + FILLER.length);
        while (pattern.readableBytes() < LONGEST_SLICE) {
            pattern.writeBytes(FILLER);
        }
    }

    static String contentType(int size) {
        return size < SMALLEST_JSON ? "text/plain" : "application/json";
    }

    /** Returns up to {@code limit} bytes of the body of {@code size} bytes from {@code offset} on. */
    ByteBuf slice(int size, int offset, long limit) {
        if (size < SMALLEST_JSON) {
            return filler(offset, Math.min(limit, size - offset));
        }
        byte[] prefix = ("{\"size\":\"" + size + "B\",\"payload\":\"").getBytes(StandardCharsets.US_ASCII);
        if (offset < prefix.length) {
            return Unpooled.wrappedBuffer(prefix, offset, (int) Math.min(limit, prefix.length - offset));
        }
        int end = size - SUFFIX.length;
        if (offset < end) {
            return filler(offset - prefix.length, Math.min(limit, end - offset));
        }
        return Unpooled.wrappedBuffer(SUFFIX, offset - end, (int) Math.min(limit, size - offset));
    }

    /** Returns the whole body in one buffer. */
    ByteBuf whole(int size, ByteBufAllocator allocator) {
        ByteBuf body = allocator.directBuffer(Math.max(1, size), Math.max(1, size));
        while (body.readableBytes() < size) {
            ByteBuf part = slice(size, body.readableBytes(), Integer.MAX_VALUE);
            body.writeBytes(part);
            part.release();
        }
        return body;
    }

    private ByteBuf filler(int offset, long length) {
        int start = offset % FILLER.length;
        return pattern.retainedSlice(start, (int) Math.min(length, LONGEST_SLICE - FILLER.length));
    }

    @Override
    public void close() {
        pattern.release();
    }
}
