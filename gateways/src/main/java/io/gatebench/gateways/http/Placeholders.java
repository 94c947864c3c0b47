/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.gatebench.settings.Suggestion;

/** The names in braces that a gateway configuration may use, and what they stand for in a case. */
final class Placeholders {

    static final String DIRECTORY = "directory";
    static final String CONFIG_DIRECTORY = "config-directory";
    static final String PRIVATE_DIRECTORY = "private-directory";
    static final String GATEWAY_ADDRESS = "gateway-address";
    static final String GATEWAY_PORT = "gateway-port";
    static final String BACKEND = "backend";
    static final String BACKEND_HOST = "backend-host";
    static final String BACKEND_PORT = "backend-port";
    static final String HEAP = "heap";
    static final String JAVA = "java";
    static final String GC_OPTIONS = "gc-options";
    static final String JWT_PUBLIC_KEY = "jwt-public-key";

    static final List<String> NAMES = List.of(
            DIRECTORY,
            CONFIG_DIRECTORY,
            PRIVATE_DIRECTORY,
            GATEWAY_ADDRESS,
            GATEWAY_PORT,
            BACKEND,
            BACKEND_HOST,
            BACKEND_PORT,
            HEAP,
            JAVA,
            GC_OPTIONS,
            JWT_PUBLIC_KEY);

    /** Two opening braces stand for one that opens no placeholder. */
    private static final Pattern IN_VALUE = Pattern.compile("\\{\\{|\\{([A-Za-z][A-Za-z0-9_-]*)}");

    private static final Pattern IN_FILE = Pattern.compile("\\{([a-z][a-z-]*)}");

    private final Map<String, String> values;
    private final List<String> gcOptions;

    /**
     * Creates the values of a case.
     *
     * @param values a value for each name that can be used, but for {@link #GC_OPTIONS}
     * @param gcOptions the JVM options for a GC log
     */
    Placeholders(Map<String, String> values, List<String> gcOptions) {
        this.values = Map.copyOf(values);
        this.gcOptions = List.copyOf(gcOptions);
    }

    /**
     * Checks that a text uses only known names.
     *
     * @throws IllegalArgumentException with a suggestion if it does not
     */
    static String check(String text) {
        Matcher matcher = IN_VALUE.matcher(text);
        while (matcher.find()) {
            String name = matcher.group(1);
            if (name != null && !NAMES.contains(name)) {
                throw new IllegalArgumentException("uses the unknown placeholder {" + name + "}"
                        + Suggestion.among(name, NAMES) + "; write {{ for a brace that is meant as such");
            }
            if (GC_OPTIONS.equals(name) && !text.equals("{" + GC_OPTIONS + "}")) {
                throw new IllegalArgumentException(
                        "must have {gc-options} as an argument of its own: it stands for several");
            }
        }
        return text;
    }

    static boolean uses(String text, String name) {
        return text.contains("{" + name + "}");
    }

    /** Returns a value of the configuration with the names replaced. */
    String value(String text) {
        return IN_VALUE.matcher(text).replaceAll(match -> Matcher.quoteReplacement(replacement(match)));
    }

    private String replacement(MatchResult match) {
        return match.group(1) == null ? "{" : values.getOrDefault(match.group(1), match.group());
    }

    /** Returns a command with the names replaced and the GC options spread out. */
    List<String> command(List<String> command) {
        List<String> words = new ArrayList<>();
        for (String word : command) {
            if (word.equals("{" + GC_OPTIONS + "}")) {
                words.addAll(gcOptions);
            } else {
                words.add(value(word));
            }
        }
        return words;
    }

    /** Returns the text of a file with the names replaced; all other braces belong to the file's own language. */
    String file(String text) {
        return IN_FILE.matcher(text)
                .replaceAll(match -> Matcher.quoteReplacement(values.getOrDefault(match.group(1), match.group())));
    }
}
