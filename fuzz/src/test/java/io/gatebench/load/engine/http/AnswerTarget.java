/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.engine.http;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * Answers of HTTP/1 servers, as the load generator reads them; the first byte of an input is the number of bytes that
 * come at once, and must change nothing.
 */
public final class AnswerTarget {

    private static final int MAX_ANSWERS = 50;

    private AnswerTarget() {}

    public static void fuzzerTestOneInput(byte[] bytes) {
        if (bytes.length == 0) {
            return;
        }
        int atOnce = 1 + (bytes[0] & 0xff);
        String whole = read(bytes, Integer.MAX_VALUE);
        String pieces = read(bytes, atOnce);
        if (!whole.equals(pieces)) {
            throw new AssertionError("in pieces of " + atOnce + " bytes:\n" + pieces + "\nat once:\n" + whole);
        }
    }

    private static String read(byte[] bytes, int atOnce) {
        Body body = new Body();
        AnswerReader reader = new AnswerReader();
        reader.readFrom(new Pieces(bytes, atOnce));
        StringBuilder read = new StringBuilder();
        try {
            for (int i = 0; i < MAX_ANSWERS; i++) {
                reader.begin("abc".getBytes());
                body.length = 0;
                reader.read(false, body);
                if (body.length != reader.bodyBytes()) {
                    throw new AssertionError("a body of " + reader.bodyBytes() + " bytes came as " + body.length);
                }
                read.append(reader.status() + " " + reader.bodyBytes() + " " + reader.carriesTheMark() + " "
                        + reader.carriesAnotherMark() + "\n");
            }
        } catch (IOException e) {
            read.append(e.getMessage());
        }
        return read.toString();
    }

    private static final class Body implements BodyListener {
        private long length;

        @Override
        public void begin(int status) {
            length = 0;
        }

        @Override
        public void accept(byte[] bytes, int offset, int count) {
            length += count;
        }
    }

    /** Hands out at most so many bytes at once, behind the first one. */
    private static final class Pieces extends InputStream {
        private final ByteArrayInputStream all;
        private final int atOnce;

        Pieces(byte[] bytes, int atOnce) {
            this.all = new ByteArrayInputStream(bytes, 1, bytes.length - 1);
            this.atOnce = atOnce;
        }

        @Override
        public int read() {
            return all.read();
        }

        @Override
        public int read(byte[] buffer, int offset, int length) {
            return all.read(buffer, offset, Math.min(length, atOnce));
        }
    }
}
