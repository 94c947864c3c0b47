/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.threshold;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

import io.gatebench.report.column.Metric;
import io.gatebench.report.column.Unit;
import io.gatebench.report.importer.CellKey;

/**
 * One condition.
 *
 * @param text the condition as it was written
 * @param selector which test cases it holds for; empty for all
 * @param figure the figure
 * @param operator how it is compared
 * @param limit the limit in the unit of the figure: milliseconds, requests per second, percent, MiB or a count
 */
public record Threshold(String text, Optional<String> selector, Figure figure, Operator operator, double limit) {

    /**
     * A figure that can be limited.
     *
     * @param name the name it is written by
     * @param metric the metric it is read from
     * @param unit the unit of the limit
     */
    public record Figure(String name, Metric metric, Unit unit) {}

    /** Comparison of a figure with its limit. */
    public enum Operator {
        /** Less or equal. */
        AT_MOST("<="),
        /** Less. */
        BELOW("<"),
        /** Greater or equal. */
        AT_LEAST(">="),
        /** Greater. */
        ABOVE(">"),
        /** Equal. */
        EQUAL("=="),
        /** Not equal. */
        NOT_EQUAL("!=");

        private final String symbol;

        Operator(String symbol) {
            this.symbol = symbol;
        }

        /** Returns the symbol. */
        public String symbol() {
            return symbol;
        }

        /** Returns whether a figure meets the limit. */
        public boolean test(double figure, double limit) {
            return switch (this) {
                case AT_MOST -> figure <= limit;
                case BELOW -> figure < limit;
                case AT_LEAST -> figure >= limit;
                case ABOVE -> figure > limit;
                case EQUAL -> figure == limit;
                case NOT_EQUAL -> figure != limit;
            };
        }

        static String symbols() {
            return Arrays.stream(values()).map(Operator::symbol).collect(Collectors.joining(" "));
        }
    }

    /**
     * Returns whether the condition holds for a test case.
     *
     * <p>Each part of the selector between slashes must be the scenario or another part of the test case's key;
     * {@code *} stands for any characters. Letters count without their case, and the scenario without spaces and
     * hyphens.
     *
     * @param scenarioName the scenario's name in the results tree, if it differs from the key's display name
     */
    public boolean appliesTo(CellKey key, String scenarioName) {
        if (selector.isEmpty()) {
            return true;
        }
        String[] cell = key.text().toLowerCase(Locale.ROOT).split("/");
        String scenario = plain(key.scenario());
        String name = plain(scenarioName);
        for (String part : selector.get().toLowerCase(Locale.ROOT).split("/")) {
            String wanted = part.strip();
            boolean found = wanted.equals("*")
                    || glob(plain(wanted), scenario)
                    || glob(plain(wanted), name)
                    || Arrays.stream(cell).anyMatch(own -> glob(wanted, own));
            if (!found) {
                return false;
            }
        }
        return true;
    }

    private static String plain(String text) {
        StringBuilder plain = new StringBuilder();
        text.toLowerCase(Locale.ROOT)
                .codePoints()
                .filter(c -> Character.isLetterOrDigit(c) || c == '*')
                .forEach(plain::appendCodePoint);
        return plain.toString();
    }

    /** Matches without backtracking over more than one star at a time. */
    private static boolean glob(String pattern, String text) {
        int p = 0;
        int t = 0;
        int star = -1;
        int mark = 0;
        while (t < text.length()) {
            if (p < pattern.length() && pattern.charAt(p) == '*') {
                star = p++;
                mark = t;
            } else if (p < pattern.length() && pattern.charAt(p) == text.charAt(t)) {
                p++;
                t++;
            } else if (star >= 0) {
                p = star + 1;
                t = ++mark;
            } else {
                return false;
            }
        }
        while (p < pattern.length() && pattern.charAt(p) == '*') {
            p++;
        }
        return p == pattern.length() && !pattern.isEmpty();
    }
}
