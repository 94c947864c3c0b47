/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.results;

import java.util.Comparator;

/** Sorts texts as published tables are sorted: runs of digits by their value, the rest character by character. */
public final class NaturalOrder implements Comparator<String> {

    /** The order; it has no state. */
    public static final NaturalOrder INSTANCE = new NaturalOrder();

    private NaturalOrder() {}

    @Override
    public int compare(String a, String b) {
        int i = 0;
        int j = 0;
        while (i < a.length() && j < b.length()) {
            char x = a.charAt(i);
            char y = b.charAt(j);
            if (isDigit(x) && isDigit(y)) {
                int iEnd = endOfDigits(a, i);
                int jEnd = endOfDigits(b, j);
                int order = compareDigits(a, i, iEnd, b, j, jEnd);
                if (order != 0) {
                    return order;
                }
                i = iEnd;
                j = jEnd;
            } else if (x != y) {
                return Character.compare(x, y);
            } else {
                i++;
                j++;
            }
        }
        int order = Integer.compare(a.length() - i, b.length() - j);
        return order != 0 ? order : a.compareTo(b);
    }

    private static int compareDigits(String a, int i, int iEnd, String b, int j, int jEnd) {
        int x = skipZeros(a, i, iEnd);
        int y = skipZeros(b, j, jEnd);
        int order = Integer.compare(iEnd - x, jEnd - y);
        for (int k = 0; order == 0 && x + k < iEnd; k++) {
            order = Character.compare(a.charAt(x + k), b.charAt(y + k));
        }
        return order;
    }

    private static int skipZeros(String text, int from, int to) {
        int at = from;
        while (at < to && text.charAt(at) == '0') {
            at++;
        }
        return at;
    }

    private static int endOfDigits(String text, int from) {
        int at = from;
        while (at < text.length() && isDigit(text.charAt(at))) {
            at++;
        }
        return at;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }
}
