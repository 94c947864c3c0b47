/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.engine.steps;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import io.gatebench.load.engine.http.BodyListener;

/** Keeps the body of an answer from which values are taken, beside its check. Belongs to one user. */
final class CapturedBody implements BodyListener {

    static final int MAX_BYTES = 1 << 20;

    private static final int FIRST_BYTES = 4096;

    private byte[] bytes = new byte[FIRST_BYTES];
    private int length;
    private boolean cut;
    private @Nullable BodyListener check;

    /** Returns this, ready for the next body, which that check sees too. */
    CapturedBody before(BodyListener ofNext) {
        check = ofNext;
        length = 0;
        cut = false;
        return this;
    }

    @Override
    public void begin(int status) {
        length = 0;
        cut = false;
        Objects.requireNonNull(check).begin(status);
    }

    @Override
    public void accept(byte[] piece, int offset, int count) {
        Objects.requireNonNull(check).accept(piece, offset, count);
        if (cut || length + count > MAX_BYTES) {
            cut = true;
            return;
        }
        if (length + count > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + count));
        }
        System.arraycopy(piece, offset, bytes, length, count);
        length += count;
    }

    byte[] bytes() {
        return bytes;
    }

    int length() {
        return length;
    }

    boolean isCut() {
        return cut;
    }

    String text() {
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }
}
