/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.past;

import java.math.BigInteger;
import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sorts paths as a reader would: runs of digits by their value. */
final class NaturalOrder {

    static final Comparator<String> COMPARATOR = NaturalOrder::compare;

    private static final Pattern PART = Pattern.compile("\\d+|\\D+");

    private NaturalOrder() {}

    private static int compare(String a, String b) {
        Matcher left = PART.matcher(a);
        Matcher right = PART.matcher(b);
        while (true) {
            boolean hasLeft = left.find();
            boolean hasRight = right.find();
            if (!hasLeft || !hasRight) {
                return hasLeft ? 1 : hasRight ? -1 : a.compareTo(b);
            }
            String x = left.group();
            String y = right.group();
            int order = Character.isDigit(x.charAt(0))
                            && Character.isDigit(y.charAt(0))
                            && x.length() < 400
                            && y.length() < 400
                    ? new BigInteger(x).compareTo(new BigInteger(y))
                    : x.compareTo(y);
            if (order != 0) {
                return order;
            }
        }
    }
}
