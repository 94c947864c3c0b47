/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.engine.steps;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A text with variables: {@code ${name}} stands for a value, {@code $${} for the characters themselves. Immutable.
 */
public final class Template {

    /** Form of a variable's name. */
    public static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_.-]*");

    private static final Pattern PART = Pattern.compile("\\$\\$\\{|\\$\\{([^}]*)}");
    private static final String LEGAL_IN_PATH = "-._~!$&'()*+,;=:@/?%[]";

    /** Each variable, after the plain text before it. */
    private final List<String> plain = new ArrayList<>();

    private final List<String> names = new ArrayList<>();

    private Template() {}

    /**
     * Reads a text.
     *
     * @throws IllegalArgumentException if what stands in {@code ${..}} is no name
     */
    public static Template of(String text) {
        Template template = new Template();
        StringBuilder before = new StringBuilder();
        Matcher part = PART.matcher(text);
        int from = 0;
        while (part.find()) {
            before.append(text, from, part.start());
            from = part.end();
            String name = part.group(1);
            if (name == null) {
                before.append("${");
                continue;
            }
            if (!NAME.matcher(name).matches()) {
                throw new IllegalArgumentException("'${" + name + "}' is no variable: a name is of letters, digits,"
                        + " '_', '.' and '-'; write $${ for the characters themselves");
            }
            template.plain.add(before.toString());
            template.names.add(name);
            before.setLength(0);
        }
        template.plain.add(before.append(text, from, text.length()).toString());
        return template;
    }

    /** Returns a text that {@link #of} reads as just these characters. */
    public static String escaped(String text) {
        return text.replace("${", "$${");
    }

    /** Returns whether there is no variable in it. */
    public boolean isPlain() {
        return names.isEmpty();
    }

    /** Returns the names of its variables. */
    public Set<String> names() {
        return new LinkedHashSet<>(names);
    }

    /** Returns the text with the values put in as they are. */
    public String fill(Map<String, String> values) {
        return fill(values, value -> value);
    }

    /** Returns the text with the values put in as a path and a query can hold them. */
    public String fillPath(Map<String, String> values) {
        return fill(values, Template::inPath);
    }

    private String fill(Map<String, String> values, UnaryOperator<String> form) {
        if (names.isEmpty()) {
            return plain.get(0);
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < names.size(); i++) {
            String value = values.get(names.get(i));
            if (value == null) {
                throw new IllegalArgumentException("there is no value for ${" + names.get(i) + "}");
            }
            text.append(plain.get(i)).append(form.apply(value));
        }
        return text.append(plain.get(names.size())).toString();
    }

    /** Percent-encodes what a URL cannot hold; what separates its parts stays, so that a value can be several of them. */
    private static String inPath(String value) {
        StringBuilder path = null;
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            boolean legal = c >= 'a' && c <= 'z'
                    || c >= 'A' && c <= 'Z'
                    || c >= '0' && c <= '9'
                    || LEGAL_IN_PATH.indexOf(c) >= 0;
            if (!legal && path == null) {
                path = new StringBuilder(value.substring(0, i));
            }
            if (path == null) {
                continue;
            }
            if (legal) {
                path.append(c);
                continue;
            }
            int code = value.codePointAt(i);
            i += Character.charCount(code) - 1;
            for (byte b : Character.toString(code).getBytes(StandardCharsets.UTF_8)) {
                path.append('%')
                        .append(Character.toUpperCase(Character.forDigit(b >> 4 & 15, 16)))
                        .append(Character.toUpperCase(Character.forDigit(b & 15, 16)));
            }
        }
        return path == null ? value : path.toString();
    }
}
