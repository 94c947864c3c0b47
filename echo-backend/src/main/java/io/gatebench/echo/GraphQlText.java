/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.echo;

import java.util.Optional;

/** Finds the query in a GraphQL request, and makes texts of the same query equal. */
final class GraphQlText {

    private GraphQlText() {}

    /**
     * Returns the member {@code query} of a JSON object, or the whole text if it is a bare query.
     *
     * <p>Reads as much JSON as that takes; empty for a text that is neither.
     */
    static Optional<String> queryOf(String body) {
        Json json = new Json(body);
        json.skipSpace();
        if (!json.at('{')) {
            return bareQuery(body);
        }
        json.next();
        json.skipSpace();
        if (!json.at('"')) {
            return bareQuery(body);
        }
        while (json.at('"')) {
            String name = json.string();
            json.skipSpace();
            if (!json.at(':')) {
                return Optional.empty();
            }
            json.next();
            json.skipSpace();
            if (name.equals("query")) {
                return json.at('"') ? Optional.of(json.string()) : Optional.empty();
            }
            json.skipValue();
            json.skipSpace();
            if (!json.at(',')) {
                return Optional.empty();
            }
            json.next();
            json.skipSpace();
        }
        return Optional.empty();
    }

    private static Optional<String> bareQuery(String body) {
        String stripped = body.strip();
        return stripped.startsWith("{") && !stripped.equals("{}") || stripped.startsWith("query")
                ? Optional.of(stripped)
                : Optional.empty();
    }

    /**
     * Returns the query with one space between its tokens: white space, commas and comments mean nothing in GraphQL
     * (October 2021, section 2.1). A leading {@code query} with or without a name is left out.
     */
    static String normalised(String query) {
        StringBuilder out = new StringBuilder(query.length());
        int at = 0;
        while (at < query.length()) {
            char c = query.charAt(at);
            int end = at + 1;
            if (c == '#') {
                while (end < query.length() && query.charAt(end) != '\n' && query.charAt(end) != '\r') {
                    end++;
                }
            } else if (c == '"') {
                while (end < query.length() && query.charAt(end) != '"') {
                    end += query.charAt(end) == '\\' ? 2 : 1;
                }
                end = Math.min(query.length(), end + 1);
                token(out, query, at, end);
            } else if (isWord(c)) {
                while (end < query.length() && isWord(query.charAt(end))) {
                    end++;
                }
                token(out, query, at, end);
            } else if (c > ' ' && c != ',' && c != '\uFEFF') {
                if (c == '.') {
                    while (end < query.length() && query.charAt(end) == '.') {
                        end++;
                    }
                }
                token(out, query, at, end);
            }
            at = end;
        }
        return withoutOperation(out.toString());
    }

    private static String withoutOperation(String tokens) {
        return tokens.replaceFirst("^query( [A-Za-z_]\\w*)? (?=\\{)", "");
    }

    private static boolean isWord(char c) {
        return c == '_' || c == '-' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z';
    }

    private static void token(StringBuilder out, String query, int from, int to) {
        if (!out.isEmpty()) {
            out.append(' ');
        }
        out.append(query, from, to);
    }

    /** A cursor over JSON text that is lenient about everything it has no need to know. */
    private static final class Json {

        private final String text;
        private int at;

        Json(String text) {
            this.text = text;
        }

        boolean at(char c) {
            return at < text.length() && text.charAt(at) == c;
        }

        void next() {
            at++;
        }

        void skipSpace() {
            while (at < text.length() && text.charAt(at) <= ' ') {
                at++;
            }
        }

        /** Reads the string that starts here, and stands behind it. */
        String string() {
            StringBuilder out = new StringBuilder();
            at++;
            while (at < text.length() && text.charAt(at) != '"') {
                char c = text.charAt(at++);
                if (c == '\\' && at < text.length()) {
                    out.append(escaped(text.charAt(at++)));
                } else {
                    out.append(c);
                }
            }
            at++;
            return out.toString();
        }

        private char escaped(char c) {
            return switch (c) {
                case 'n' -> '\n';
                case 't' -> '\t';
                case 'r' -> '\r';
                case 'b' -> '\b';
                case 'f' -> '\f';
                case 'u' -> {
                    int end = Math.min(text.length(), at + 4);
                    String digits = text.substring(at, end);
                    at = end;
                    yield digits.matches("[0-9A-Fa-f]{4}") ? (char) Integer.parseInt(digits, 16) : '\uFFFD';
                }
                default -> c;
            };
        }

        /** Stands behind the value that starts here. */
        void skipValue() {
            int depth = 0;
            while (at < text.length()) {
                char c = text.charAt(at);
                if (c == '"') {
                    string();
                    if (depth == 0) {
                        return;
                    }
                    continue;
                }
                if (depth == 0 && (c == ',' || c == '}' || c == ']')) {
                    return;
                }
                if (c == '{' || c == '[') {
                    depth++;
                } else if (c == '}' || c == ']') {
                    depth--;
                    if (depth == 0) {
                        at++;
                        return;
                    }
                }
                at++;
            }
        }
    }
}
