/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gc;

/** Reads the lines about stops of all threads, collections included. */
final class SafepointReader {

    private static final String STOPPED = "Total time for which application threads were stopped: ";

    private final LogLine line;
    private final LogListener listener;

    SafepointReader(LogLine line, LogListener listener) {
        this.line = line;
        this.listener = listener;
    }

    /** Reads {@code Safepoint "G1Collect", ... Reaching safepoint: 7041 ns, ... Total: 9959945 ns} of JDK 13 and later. */
    void safepoint(byte[] b, int from, int to) {
        long wait = nanosAfter(b, from, to, "Reaching safepoint: ");
        long total = nanosAfter(b, from, to, " Total: ");
        if (wait >= 0 && total >= 0 && !line.repeated()) {
            listener.safepoint(line.stamp(), wait, total);
        }
    }

    private static long nanosAfter(byte[] b, int from, int to, String key) {
        int at = Bytes.indexOf(b, from, to, key);
        if (at < 0) {
            return -1;
        }
        int number = at + key.length();
        int end = Bytes.afterDigits(b, number, to);
        return Bytes.startsWith(b, end, to, " ns") ? Bytes.whole(b, number, end) : -1;
    }

    static boolean stopped(byte[] b, int from, int to) {
        return Bytes.startsWith(b, from, to, STOPPED);
    }

    /** Reads JDK 9 to 12's {@code ...: 0.0000946 seconds, Stopping threads took: 0.0000070 seconds}. */
    void totalTime(byte[] b, int start, int to) {
        int from = start + STOPPED.length();
        int end = Bytes.indexOf(b, from, to, " seconds");
        int wait = Bytes.indexOf(b, from, to, "took: ");
        if (end < 0 || wait < 0 || !Bytes.endsWith(b, wait, to, " seconds")) {
            return;
        }
        long total = Bytes.decimal(b, from, end, 9);
        long waited = Bytes.decimal(b, wait + 6, to - 8, 9);
        if (total >= 0 && waited >= 0 && !line.repeated()) {
            listener.safepoint(line.stamp(), waited, total);
        }
    }
}
