/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.jtl;

import java.util.ArrayList;
import java.util.List;

/** Lines that are not counted: all are numbered, a bounded number is kept. */
final class SkippedLines {

    static final int KEPT = 100_000;

    private final List<SkippedLine> lines = new ArrayList<>();
    private long count;

    void add(String file, long line, String reason) {
        count++;
        if (lines.size() < KEPT) {
            lines.add(new SkippedLine(file, line, reason));
        }
    }

    long count() {
        return count;
    }

    List<SkippedLine> kept() {
        return List.copyOf(lines);
    }
}
