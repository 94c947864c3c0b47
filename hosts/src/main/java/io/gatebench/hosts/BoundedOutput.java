/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.hosts;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;

/** Drops what a command writes beyond any use. */
public final class BoundedOutput extends OutputStream {

    private final ByteArrayOutputStream to;
    private final int most;

    /** Creates one that passes on the first bytes. */
    public BoundedOutput(ByteArrayOutputStream to, int most) {
        this.to = to;
        this.most = most;
    }

    @Override
    public void write(int b) {
        if (to.size() < most) {
            to.write(b);
        }
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
        to.write(bytes, offset, Math.max(0, Math.min(length, most - to.size())));
    }
}
