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

    /** Adds those of a part of a file that begins behind so many lines. */
    void addAll(SkippedLines part, long linesBefore) {
        part.lines.stream()
                .limit(KEPT - lines.size())
                .map(skipped -> new SkippedLine(skipped.file(), linesBefore + skipped.line(), skipped.reason()))
                .forEach(lines::add);
        count += part.count;
    }

    long count() {
        return count;
    }

    List<SkippedLine> kept() {
        return List.copyOf(lines);
    }
}
