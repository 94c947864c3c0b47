/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.threshold;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

import io.gatebench.report.column.Metric;
import io.gatebench.report.column.Unit;
import io.gatebench.report.threshold.Threshold.Figure;
import io.gatebench.report.threshold.Threshold.Operator;

/** Reads {@code [<cases>:] <figure> <operator> <number>[<unit>] [for <cases>]}. */
final class ThresholdParser {

    private static final Map<String, Figure> FIGURES = figures();
    private static final int LONGEST = 500;

    private final String text;
    private int position;

    private ThresholdParser(String text) {
        this.text = text;
    }

    static Threshold parse(String text) {
        if (text.length() > LONGEST) {
            throw new ThresholdSyntaxException(
                    text.substring(0, 40) + "...", LONGEST, "is longer than " + LONGEST + " characters");
        }
        return new ThresholdParser(text).threshold();
    }

    private Threshold threshold() {
        Optional<String> selector = selectorBefore();
        skipSpaces();
        int nameAt = position;
        String name = name();
        if (name.isEmpty()) {
            throw problem(nameAt, "a figure is expected, one of " + names());
        }
        Figure figure = FIGURES.get(name.toLowerCase(Locale.ROOT));
        if (figure == null) {
            throw problem(nameAt, "'" + name + "' is no figure; known are " + names());
        }
        skipSpaces();
        Operator operator = operator();
        skipSpaces();
        int numberAt = position;
        double number = number();
        skipSpaces();
        int unitAt = position;
        String unit = unit();
        double limit = limit(figure, number, unit, unitAt);
        boolean errorsInPercent = figure.metric() == Metric.ERRORS && unit.equals("%");
        if (errorsInPercent) {
            figure = new Figure(figure.name(), Metric.ERROR_PERCENT, Unit.PERCENT);
        }
        if (figure.unit() == Unit.PERCENT && limit > 100) {
            throw problem(numberAt, "a percentage is at most 100");
        }
        skipSpaces();
        if (selector.isEmpty() && text.startsWith("for ", position)) {
            position += 4;
            String rest = text.substring(position).strip();
            if (rest.isEmpty()) {
                throw problem(position, "a scenario or test case is expected");
            }
            selector = Optional.of(rest);
            position = text.length();
        }
        if (position < text.length()) {
            throw problem(
                    position,
                    "'" + text.substring(position)
                            + "' is left over; the end, or 'for <scenario or case>' is expected");
        }
        return new Threshold(text.strip(), selector, figure, operator, limit);
    }

    /** Takes what stands before the last colon that comes before any operator; it names the test cases. */
    private Optional<String> selectorBefore() {
        int end = 0;
        while (end < text.length() && "<>=!".indexOf(text.charAt(end)) < 0) {
            end++;
        }
        int colon = text.lastIndexOf(':', Math.max(0, end - 1));
        if (colon < 0) {
            return Optional.empty();
        }
        String selector = text.substring(0, colon).strip();
        if (selector.isEmpty()) {
            throw problem(0, "a scenario or test case is expected before the colon");
        }
        position = colon + 1;
        return Optional.of(selector);
    }

    private String name() {
        int start = position;
        while (position < text.length()
                && (Character.isLetterOrDigit(text.charAt(position)) || "-_.%".indexOf(text.charAt(position)) >= 0)) {
            position++;
        }
        return text.substring(start, position);
    }

    private Operator operator() {
        for (Operator operator : Operator.values()) {
            if (text.startsWith(operator.symbol(), position)) {
                position += operator.symbol().length();
                return operator;
            }
        }
        if (text.startsWith("=", position)) {
            position++;
            return Operator.EQUAL;
        }
        throw problem(position, "a comparison is expected, one of " + Operator.symbols());
    }

    private double number() {
        int start = position;
        while (position < text.length()
                && (Character.isDigit(text.charAt(position))
                        || text.charAt(position) == '.' && text.charAt(position) < 128)) {
            position++;
        }
        String digits = text.substring(start, position);
        if (!digits.matches("[0-9]{1,15}(\\.[0-9]{1,15})?")) {
            throw problem(start, "a number is expected, e.g. 50 or 0.5");
        }
        return Double.parseDouble(digits);
    }

    private String unit() {
        skipSpaces();
        if (text.startsWith("for ", position)) {
            return "";
        }
        int start = position;
        while (position < text.length()
                && (Character.isLetter(text.charAt(position)) || "%/".indexOf(text.charAt(position)) >= 0)) {
            position++;
        }
        return text.substring(start, position);
    }

    private double limit(Figure figure, double number, String unit, int at) {
        if (unit.isEmpty()) {
            return number;
        }
        String plain = unit.toLowerCase(Locale.ROOT);
        switch (figure.unit()) {
            case MILLISECONDS -> {
                switch (plain) {
                    case "ms":
                        return number;
                    case "s":
                        return number * 1000;
                    case "us":
                        return number / 1000;
                    default:
                        throw problem(at, "'" + unit + "' is no unit of a time; write us, ms or s");
                }
            }
            case PER_SECOND -> {
                if (plain.equals("/s") || plain.equals("rps") || plain.equals("req/s") || plain.equals("requests/s")) {
                    return number;
                }
            }
            case PERCENT -> {
                if (plain.equals("%")) {
                    return number;
                }
            }
            case MEBIBYTES -> {
                switch (plain) {
                    case "m", "mb", "mib":
                        return number;
                    case "k", "kb", "kib":
                        return number / 1024;
                    case "g", "gb", "gib":
                        return number * 1024;
                    default:
                        break;
                }
            }
            case KIBIBYTES_PER_SECOND -> {
                if (plain.equals("kib/s") || plain.equals("kb/s")) {
                    return number;
                }
            }
            case COUNT, NONE -> {
                if (figure.metric() == Metric.ERRORS && plain.equals("%")) {
                    return number;
                }
            }
        }
        throw problem(
                at,
                "'" + unit + "' is no unit of " + figure.name()
                        + (figure.unit().symbol().isEmpty()
                                ? "; write a number alone"
                                : "; write " + figure.unit().symbol()));
    }

    private void skipSpaces() {
        while (position < text.length() && Character.isWhitespace(text.charAt(position))) {
            position++;
        }
    }

    private ThresholdSyntaxException problem(int at, String problem) {
        return new ThresholdSyntaxException(text, at, problem);
    }

    private static String names() {
        return FIGURES.values().stream().map(Figure::name).distinct().collect(Collectors.joining(", "));
    }

    private static Map<String, Figure> figures() {
        Map<String, Figure> figures = new LinkedHashMap<>();
        for (Metric metric : Metric.values()) {
            for (String name : metric.allNames()) {
                figures.put(name, new Figure(metric.shortName(), metric, metric.unit()));
            }
        }
        return figures;
    }
}
