/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gc;

/** The pauses of one JVM that have begun and not ended, a few at a time. */
final class OpenPauses {

    private final long[] ids = new long[8];
    private int count;
    private long overflowed;

    void open(long id) {
        for (int i = 0; i < count; i++) {
            if (ids[i] == id) {
                return;
            }
        }
        if (count == ids.length) {
            System.arraycopy(ids, 1, ids, 0, count - 1);
            count--;
            overflowed++;
        }
        ids[count++] = id;
    }

    void close(long id) {
        for (int i = count - 1; i >= 0; i--) {
            if (ids[i] == id) {
                System.arraycopy(ids, i + 1, ids, i, count - i - 1);
                count--;
                return;
            }
        }
    }

    /** Ends the run: the log may end within one pause; every other one lost its end. */
    void finish(ParserHealth health) {
        if (health.backwardJumps > 0) {
            return;
        }
        if (count > 0) {
            health.endsInsidePause = true;
            count--;
        }
        health.pausesWithoutEnd += count + overflowed;
    }
}
