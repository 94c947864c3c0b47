/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.jtl;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Positions of the columns of a JTL. Immutable. */
final class JtlColumns {

    static final JtlColumns NONE = new JtlColumns(List.of(), ',');

    /** The columns that JMeter wrote by default, newest first: told apart by their number when there is no header. */
    private static final List<List<String>> DEFAULTS = List.of(
            names(
                    "timeStamp elapsed label responseCode responseMessage threadName dataType success failureMessage bytes"
                            + " sentBytes grpThreads allThreads URL Latency IdleTime Connect"),
            names(
                    "timeStamp elapsed label responseCode responseMessage threadName dataType success failureMessage bytes"
                            + " sentBytes grpThreads allThreads Latency IdleTime Connect"),
            names(
                    "timeStamp elapsed label responseCode responseMessage threadName dataType success failureMessage bytes"
                            + " grpThreads allThreads Latency IdleTime"),
            names("timeStamp elapsed label responseCode responseMessage threadName dataType success bytes"
                    + " grpThreads allThreads Latency"));

    /** Every column that JMeter can write, by its name in lower case. */
    private static final Map<String, String> SPELLING = Stream.concat(
                    DEFAULTS.get(0).stream(),
                    names("SampleCount ErrorCount Hostname Encoding Filename ResultFileName").stream())
            .collect(Collectors.toMap(name -> name.toLowerCase(Locale.ROOT), Function.identity()));

    /** Columns that say the same in many rows, where they stand between the thread's name and the times. */
    private static final List<String> ALIKE =
            names("grpThreads allThreads URL Filename SampleCount ErrorCount Hostname Encoding ResultFileName");

    final byte separator;
    final int count;
    /** Number of the first columns that hold all that figures are made of. */
    final int needed;
    /** Number of the first columns that say the same in many rows, times, label and thread apart. */
    final int alike;

    final int timestamp;
    final int elapsed;
    final int label;
    final int success;
    final int responseCode;
    final int responseMessage;
    final int threadName;
    final int received;
    final int sent;

    private final Map<String, Integer> indexes = new HashMap<>();

    private JtlColumns(List<String> names, char separator) {
        this.separator = (byte) separator;
        this.count = names.size();
        for (int i = 0; i < names.size(); i++) {
            indexes.putIfAbsent(canonical(names.get(i)), i);
        }
        this.timestamp = indexOf("timeStamp");
        this.elapsed = indexOf("elapsed");
        this.label = indexOf("label");
        this.success = indexOf("success");
        this.responseCode = indexOf("responseCode");
        this.responseMessage = indexOf("responseMessage");
        this.threadName = indexOf("threadName");
        this.received = indexOf("bytes");
        this.sent = indexOf("sentBytes");
        this.needed = 1
                + Math.max(
                        Math.max(Math.max(timestamp, elapsed), Math.max(label, success)),
                        Math.max(Math.max(responseCode, responseMessage), Math.max(received, sent)));
        int last = Math.max(needed, threadName + 1);
        while (last < count && ALIKE.contains(canonical(names.get(last)))) {
            last++;
        }
        this.alike = last;
    }

    private static List<String> names(String words) {
        return List.of(words.split(" "));
    }

    private static String canonical(String name) {
        return SPELLING.getOrDefault(name.strip().toLowerCase(Locale.ROOT), name.strip());
    }

    int indexOf(String name) {
        return indexes.getOrDefault(name, -1);
    }

    /** Returns the columns of a header, or null if the line is none. */
    static @org.jspecify.annotations.Nullable JtlColumns ofHeader(String line) {
        for (char separator : new char[] {',', '\t', ';', '|', ' '}) {
            List<String> names = split(line, separator);
            long known = names.stream()
                    .filter(name -> SPELLING.containsKey(name.strip().toLowerCase(Locale.ROOT)))
                    .count();
            if (known >= 2 && names.stream().noneMatch(JtlColumns::isNumber)) {
                return new JtlColumns(names, separator);
            }
        }
        return null;
    }

    /** Returns the default columns that fit a first line without a header, or null if none do. */
    static @org.jspecify.annotations.Nullable JtlColumns ofFirstRow(String line) {
        for (char separator : new char[] {',', '\t', ';', '|'}) {
            List<String> fields = split(line, separator);
            for (List<String> columns : DEFAULTS) {
                if (columns.size() == fields.size() && isNumber(fields.get(1)) && isBoolean(fields.get(7))) {
                    return new JtlColumns(columns, separator);
                }
            }
        }
        return null;
    }

    private static boolean isNumber(String text) {
        return !text.isEmpty() && text.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    private static boolean isBoolean(String text) {
        return text.equalsIgnoreCase("true") || text.equalsIgnoreCase("false");
    }

    private static List<String> split(String line, char separator) {
        List<String> fields = new ArrayList<>();
        StringBuilder field = new StringBuilder();
        boolean inQuotes = false;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (inQuotes) {
                if (c == '"' && i + 1 < line.length() && line.charAt(i + 1) == '"') {
                    field.append('"');
                    i++;
                } else if (c == '"') {
                    inQuotes = false;
                } else {
                    field.append(c);
                }
            } else if (c == '"' && field.length() == 0) {
                inQuotes = true;
            } else if (c == separator) {
                fields.add(field.toString());
                field.setLength(0);
            } else {
                field.append(c);
            }
        }
        fields.add(field.toString());
        return fields;
    }
}
