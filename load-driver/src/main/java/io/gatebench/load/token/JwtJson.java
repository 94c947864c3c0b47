/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.token;

import java.util.Iterator;
import java.util.Locale;
import java.util.Map;

/** Writes the JSON of a token without white space, in the given order. */
final class JwtJson {

    private JwtJson() {}

    static String escaped(String text) {
        StringBuilder out = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ') {
                out.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        return out.toString();
    }

    static void append(StringBuilder out, Object value, Map<String, Object> replacements) {
        if (value instanceof String text) {
            Object replacement = replacements.get(text);
            if (replacement instanceof Number) {
                out.append(replacement);
            } else {
                out.append('"')
                        .append(escaped(replacement == null ? text : replacement.toString()))
                        .append('"');
            }
        } else if (value instanceof Integer || value instanceof Long || value instanceof Boolean) {
            out.append(value);
        } else if (value instanceof Map<?, ?> map) {
            out.append('{');
            Iterator<? extends Map.Entry<?, ?>> entries = map.entrySet().iterator();
            while (entries.hasNext()) {
                Map.Entry<?, ?> entry = entries.next();
                out.append('"').append(escaped(String.valueOf(entry.getKey()))).append("\":");
                append(out, entry.getValue(), replacements);
                out.append(entries.hasNext() ? "," : "");
            }
            out.append('}');
        } else if (value instanceof Iterable<?> list) {
            out.append('[');
            Iterator<?> items = list.iterator();
            while (items.hasNext()) {
                append(out, items.next(), replacements);
                out.append(items.hasNext() ? "," : "");
            }
            out.append(']');
        } else {
            throw new IllegalArgumentException("a claim must be a text, a whole number, a boolean, a list or a map but"
                    + " was " + value.getClass().getName());
        }
    }
}
