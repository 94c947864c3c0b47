/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gc;

import java.io.IOException;
import java.io.InputStream;

/** Makes bytes of UTF-16: a GC log has ASCII only, and what else is in the file becomes question marks. */
final class Utf16Stream extends InputStream {

    private final InputStream in;
    private final boolean littleEndian;
    private final byte[] pairs = new byte[1 << 16];

    Utf16Stream(InputStream in, boolean littleEndian) {
        this.in = in;
        this.littleEndian = littleEndian;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        int count = in.readNBytes(pairs, 0, Math.min(pairs.length, 2 * length)) / 2;
        if (count == 0) {
            return -1;
        }
        for (int i = 0; i < count; i++) {
            byte high = pairs[littleEndian ? 2 * i + 1 : 2 * i];
            byte low = pairs[littleEndian ? 2 * i : 2 * i + 1];
            target[offset + i] = high == 0 ? low : (byte) '?';
        }
        return count;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
