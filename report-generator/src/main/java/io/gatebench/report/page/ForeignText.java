/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.page;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Keeps names and notes of others from being read as more than text: as HTML in Markdown, as a formula in a CSV. */
public final class ForeignText {

    private static final Pattern LINE_BREAK = Pattern.compile("\\r\\n|\\r|\\n");
    private static final Pattern MARK = Pattern.compile("[\\\\|`\\[]");
    private static final Pattern SEPARATOR = Pattern.compile("[,\"\\r\\n]");
    /** CommonMark begins raw HTML and a link in angle brackets with these; {@code p99 < 200} stays as it is. */
    private static final Pattern TAG = Pattern.compile("<(?=[A-Za-z/!?])");

    private static final Pattern CONTROL = Pattern.compile("[\\x00-\\x08\\x0B\\x0C\\x0E-\\x1F\\x7F-\\x9F]");
    private static final Pattern NUMBER = Pattern.compile("[+-]?(?:\\d[\\d,]*)?\\.?\\d+(?:[eE][+-]?\\d+)?\\s*%?");
    private static final String FORMULA = "=+-@\t\r";

    private ForeignText() {}

    /** Returns a text in which Markdown shows a tag and does not make one; control characters become visible. */
    public static String markdown(String text) {
        String safe = text.indexOf('<') < 0 ? text : TAG.matcher(text).replaceAll("&lt;");
        return CONTROL.matcher(safe)
                .replaceAll(
                        match -> "\\\\\\\\u%04x".formatted((int) match.group().charAt(0)));
    }

    /** Returns the same on one line and without an end of a cell: a bar or a line break would tear a row apart. */
    public static String markdownCell(String text) {
        return markdown(LINE_BREAK.matcher(text).replaceAll(" ").replace("|", "\\|"));
    }

    /** Returns a text on one line of which Markdown takes nothing for a mark. */
    public static String markdownLiteral(String text) {
        return LINE_BREAK
                .matcher(MARK.matcher(text).replaceAll("\\\\$0").replace("<", "&lt;"))
                .replaceAll(" ");
    }

    /** Returns a cell of CSV, in quotation marks where it needs them. */
    public static String csv(String text) {
        return SEPARATOR.matcher(text).find() ? '"' + text.replace("\"", "\"\"") + '"' : text;
    }

    /** Returns a value of a template's model with every text in it made safe for Markdown. */
    static Object markdownModel(Object value) {
        if (value instanceof String text) {
            return markdown(text);
        }
        if (value instanceof List<?> list) {
            return list.stream().map(ForeignText::markdownModel).toList();
        }
        if (value instanceof Map<?, ?> map) {
            Map<Object, Object> safe = new LinkedHashMap<>();
            map.forEach((key, member) -> safe.put(markdownModel(key), markdownModel(member)));
            return safe;
        }
        return value;
    }

    /** Returns a cell that no spreadsheet takes for a formula: an apostrophe before what begins like one. */
    public static String cell(String text) {
        return text.isEmpty()
                        || FORMULA.indexOf(text.charAt(0)) < 0
                        || NUMBER.matcher(text).matches()
                ? text
                : "'" + text;
    }
}
