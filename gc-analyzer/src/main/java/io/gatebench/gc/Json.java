/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gc;

import java.math.BigDecimal;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/** Writes indented JSON; the module that reads logs needs no library for that. */
final class Json {

    private final StringBuilder out = new StringBuilder();
    private final Deque<Boolean> first = new ArrayDeque<>();
    private boolean afterKey;

    Json begin() {
        value("{");
        first.push(true);
        return this;
    }

    void end() {
        close("}");
    }

    Json key(String name) {
        separate();
        string(name);
        out.append(": ");
        afterKey = true;
        return this;
    }

    Json text(String value) {
        separateElement();
        string(value);
        return this;
    }

    Json number(double value) {
        return value(plain(value));
    }

    Json nothing() {
        return value("null");
    }

    <T> void array(List<T> elements, Consumer<T> write) {
        value("[");
        first.push(true);
        elements.forEach(write);
        close("]");
    }

    /** Returns the shortest form of a number that is neither exponential nor localised. */
    static String plain(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? Long.toString((long) value)
                : BigDecimal.valueOf(value).toPlainString();
    }

    private Json value(String text) {
        separateElement();
        out.append(text);
        return this;
    }

    private void separateElement() {
        if (!afterKey && !first.isEmpty()) {
            separate();
        }
        afterKey = false;
    }

    private void separate() {
        if (first.pop()) {
            first.push(false);
        } else {
            out.append(',');
            first.push(false);
        }
        out.append('\n').append("  ".repeat(first.size()));
    }

    private void close(String bracket) {
        boolean empty = first.pop();
        if (!empty) {
            out.append('\n').append("  ".repeat(first.size()));
        }
        out.append(bracket);
    }

    private void string(String value) {
        out.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default -> {
                    if (c < 0x20 || c == 0x7f || Character.isSurrogate(c)) {
                        out.append(String.format("\\u%04x", (int) c));
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        out.append('"');
    }

    @Override
    public String toString() {
        return out.toString();
    }
}
