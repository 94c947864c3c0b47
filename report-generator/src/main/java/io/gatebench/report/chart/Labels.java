/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.chart;

import java.util.Locale;

import io.gatebench.report.column.Numbers;

/** Words for numbers in charts and their file names. */
final class Labels {

    private static final int KIBI = 1024;
    private static final int SECOND = 1000;

    private Labels() {}

    static String of(double value, Chart.Unit unit) {
        return switch (unit) {
            case NUMBER -> number(value);
            case BYTES -> bytes((long) value);
            case MILLIS -> time((long) value);
            case QUERY -> "Query " + (long) value;
        };
    }

    static String bytes(long bytes) {
        return bytes >= KIBI && bytes % KIBI == 0 ? bytes / KIBI + "KiB" : bytes + "B";
    }

    static String time(long millis) {
        return millis >= SECOND && millis % SECOND == 0 ? millis / SECOND + "s" : millis + "ms";
    }

    /** Returns a number with commas between thousands. */
    static String number(double value) {
        if (Math.abs(value) < SECOND) {
            return Numbers.text(value, Math.abs(value) < 1 ? 4 : 2);
        }
        return String.format(Locale.ROOT, "%,d", Math.round(value));
    }

    /** Returns a column's name as file names carry it, without its unit: {@code Throughput (Requests/sec)} as {@code throughput}. */
    static String fileName(String column) {
        return column.replaceFirst("\\([^()]*\\)\\s*$", "")
                .strip()
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^\\w\\s-]", "")
                .strip()
                .replaceAll("[-\\s]+", "-");
    }
}
