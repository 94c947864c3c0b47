/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gc;

import java.nio.charset.StandardCharsets;

/** Reads numbers and words out of a line without making strings of it. */
final class Bytes {

    private static final long HASH = 0x100000001b3L;
    private static final long HASH_2 = HASH * HASH;
    private static final long HASH_3 = HASH_2 * HASH;
    private static final long HASH_4 = HASH_3 * HASH;

    private static final int[] DAYS_BEFORE_MONTH = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};

    private Bytes() {}

    static boolean startsWith(byte[] b, int from, int to, String word) {
        int length = word.length();
        if (to - from < length) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (b[from + i] != word.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    static boolean equals(byte[] b, int from, int to, String word) {
        return to - from == word.length() && startsWith(b, from, to, word);
    }

    static boolean endsWith(byte[] b, int from, int to, String word) {
        return to - from >= word.length() && startsWith(b, to - word.length(), to, word);
    }

    /** Returns the index of a word, or -1. */
    static int indexOf(byte[] b, int from, int to, String word) {
        char first = word.charAt(0);
        int last = to - word.length();
        for (int i = from; i <= last; i++) {
            if (b[i] == first && startsWith(b, i, to, word)) {
                return i;
            }
        }
        return -1;
    }

    static int indexOf(byte[] b, int from, int to, char wanted) {
        for (int i = from; i < to; i++) {
            if (b[i] == wanted) {
                return i;
            }
        }
        return -1;
    }

    static int skipSpaces(byte[] b, int from, int to) {
        int i = from;
        while (i < to && b[i] == ' ') {
            i++;
        }
        return i;
    }

    static boolean digit(byte b) {
        return b >= '0' && b <= '9';
    }

    /** Returns the index after the digits that begin at {@code from}. */
    static int afterDigits(byte[] b, int from, int to) {
        int i = from;
        while (i < to && digit(b[i])) {
            i++;
        }
        return i;
    }

    /** Returns the whole number, or -1 if it is none or has more than 18 digits. */
    static long whole(byte[] b, int from, int to) {
        if (to <= from || to - from > 18) {
            return -1;
        }
        long value = 0;
        for (int i = from; i < to; i++) {
            if (!digit(b[i])) {
                return -1;
            }
            value = value * 10 + (b[i] - '0');
        }
        return value;
    }

    /**
     * Returns a decimal number times a power of ten, or -1 if it is none.
     *
     * @param places number of decimal places that are kept; a point or a comma separates them
     */
    static long decimal(byte[] b, int from, int to, int places) {
        int point = afterDigits(b, from, to);
        if (point == from || point - from > 18 - places) {
            return -1;
        }
        long value = 0;
        for (int i = from; i < point; i++) {
            value = value * 10 + (b[i] - '0');
        }
        int kept = 0;
        if (point < to) {
            if (b[point] != '.' && b[point] != ',' || point + 1 == to) {
                return -1;
            }
            for (int i = point + 1; i < to; i++) {
                if (!digit(b[i])) {
                    return -1;
                }
                if (kept < places) {
                    value = value * 10 + (b[i] - '0');
                    kept++;
                }
            }
        }
        for (; kept < places; kept++) {
            value *= 10;
        }
        return value;
    }

    /** Returns the factor of a unit letter, or 0 if it is none. */
    static long unit(byte letter) {
        return switch (letter) {
            case 'B' -> 1L;
            case 'K' -> 1L << 10;
            case 'M' -> 1L << 20;
            case 'G' -> 1L << 30;
            case 'T' -> 1L << 40;
            default -> 0L;
        };
    }

    /**
     * Reads {@code 49152K} and its like; writes the index after it to {@code after[0]}.
     *
     * @return the size in bytes, or -1 if there is none
     */
    static long size(byte[] b, int from, int to, int[] after) {
        int end = afterDigits(b, from, to);
        if (end == from || end == to || end - from > 12) {
            return -1;
        }
        long factor = unit(b[end]);
        if (factor == 0) {
            return -1;
        }
        after[0] = end + 1;
        return whole(b, from, end) * factor;
    }

    /** Reads {@code 2026-11-21T02:32:45.393+0000}; returns {@link Decorations#NONE} if it is not such a time. */
    static long isoMillis(byte[] b, int from, int to) {
        long year = whole(b, from, from + 4);
        long month = whole(b, from + 5, from + 7);
        long day = whole(b, from + 8, from + 10);
        long hour = whole(b, from + 11, from + 13);
        long minute = whole(b, from + 14, from + 16);
        long second = whole(b, from + 17, from + 19);
        if (year < 1970 || month < 1 || month > 12 || day < 1 || day > 31 || hour < 0 || minute < 0 || second < 0) {
            return Decorations.NONE;
        }
        long years = year - 1970;
        long leapDays = (year - 1) / 4 - (year - 1) / 100 + (year - 1) / 400 - 477;
        long days = years * 365 + leapDays + DAYS_BEFORE_MONTH[(int) month - 1] + day - 1;
        boolean leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        if (leap && month > 2) {
            days++;
        }
        long millis = (((days * 24 + hour) * 60 + minute) * 60 + second) * 1000;
        int p = from + 19;
        if (p < to && (b[p] == '.' || b[p] == ',')) {
            int end = afterDigits(b, p + 1, to);
            long fraction = decimalFraction(b, p + 1, end);
            millis += fraction;
            p = end;
        }
        if (p < to && (b[p] == '+' || b[p] == '-')) {
            int minutesAt = p + 3 < to && b[p + 3] == ':' ? p + 4 : p + 3;
            long offsetHours = p + 3 <= to ? whole(b, p + 1, p + 3) : -1;
            long offsetMinutes = minutesAt + 2 <= to ? whole(b, minutesAt, minutesAt + 2) : -1;
            if (offsetHours < 0 || offsetMinutes < 0) {
                return Decorations.NONE;
            }
            long offset = (offsetHours * 60 + offsetMinutes) * 60_000L;
            millis -= b[p] == '+' ? offset : -offset;
        }
        return millis;
    }

    private static long decimalFraction(byte[] b, int from, int to) {
        long millis = 0;
        for (int i = 0; i < 3; i++) {
            millis = millis * 10 + (from + i < to ? b[from + i] - '0' : 0);
        }
        return millis;
    }

    static String text(byte[] b, int from, int to) {
        return new String(b, from, to - from, StandardCharsets.UTF_8);
    }

    /** Returns whether the byte can stand in a decimal number. */
    static boolean decimalByte(byte b) {
        return digit(b) || b == '.' || b == ',';
    }

    /** Returns the largest of the sizes in a line, or -1 if it has none; {@code after} is overwritten. */
    static long largestSize(byte[] b, int from, int to, int[] after) {
        long largest = -1;
        int p = from;
        while (p < to) {
            if (digit(b[p])) {
                long size = size(b, p, to, after);
                largest = Math.max(largest, size);
                p = size >= 0 ? after[0] : afterDigits(b, p, to);
            } else {
                p++;
            }
        }
        return largest;
    }

    /** Returns the last of the sizes in a line, or -1 if it has none; {@code after} is overwritten. */
    static long lastSize(byte[] b, int from, int to, int[] after) {
        long last = -1;
        int p = from;
        while (p < to) {
            if (digit(b[p])) {
                long size = size(b, p, to, after);
                last = size >= 0 ? size : last;
                p = size >= 0 ? after[0] : afterDigits(b, p, to);
            } else {
                p++;
            }
        }
        return last;
    }

    /** Returns a 64-bit hash: a polynomial of the bytes, four at a time. */
    static long hash(byte[] b, int from, int to) {
        long hash = to - from;
        int i = from;
        for (; i <= to - 4; i += 4) {
            hash = hash * HASH_4 + b[i] * HASH_3 + b[i + 1] * HASH_2 + b[i + 2] * HASH + b[i + 3];
        }
        for (; i < to; i++) {
            hash = hash * HASH + b[i];
        }
        return hash ^ hash >>> 29;
    }
}
