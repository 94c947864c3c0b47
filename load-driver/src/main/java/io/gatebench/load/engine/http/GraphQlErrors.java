/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.engine.http;

import org.jspecify.annotations.Nullable;

/**
 * Looks for a top-level member {@code errors} in a JSON object that comes in pieces; {@code null} and an empty list are
 * no errors.
 */
final class GraphQlErrors {

    private static final String NAME = "errors";

    private int depth;
    private boolean inString;
    private boolean escaped;
    private boolean expectName;
    private int nameLength;
    private boolean nameMatches;
    private boolean inErrors;
    private boolean begun;
    private boolean object;
    private boolean ended;
    private boolean errors;

    void reset() {
        depth = 0;
        inString = false;
        escaped = false;
        expectName = false;
        nameLength = 0;
        nameMatches = false;
        inErrors = false;
        begun = false;
        object = false;
        ended = false;
        errors = false;
    }

    void accept(byte[] bytes, int offset, int count) {
        for (int i = offset; i < offset + count; i++) {
            accept(bytes[i]);
        }
    }

    private void accept(byte b) {
        if (inString) {
            inString(b);
            return;
        }
        switch (b) {
            case ' ', '\t', '\r', '\n' -> {
                // White space says nothing.
            }
            case '"' -> {
                inString = true;
                nameLength = 0;
                nameMatches = true;
                if (inErrors && !expectName) {
                    errors = true;
                }
            }
            case '{', '[' -> {
                if (!begun) {
                    begun = true;
                    object = b == '{';
                }
                // The list itself is no error yet, what stands in it is.
                if (inErrors && (depth > 1 || b == '{')) {
                    errors = true;
                }
                depth++;
                expectName = b == '{' && depth == 1;
            }
            case '}', ']' -> {
                depth--;
                if (depth == 0) {
                    ended = true;
                }
                if (depth == 1 && b == ']') {
                    inErrors = false;
                }
            }
            case ':' -> {
                if (depth == 1 && expectName) {
                    inErrors = nameMatches && nameLength == NAME.length();
                    expectName = false;
                }
            }
            case ',' -> {
                if (depth == 1) {
                    inErrors = false;
                    expectName = object;
                }
            }
            default -> {
                begun = true;
                // true, a number: anything but null stands for an error.
                if (inErrors && b != 'n' && b != 'u' && b != 'l') {
                    errors = true;
                }
            }
        }
    }

    private void inString(byte b) {
        if (escaped) {
            escaped = false;
            nameMatches = false;
        } else if (b == '\\') {
            escaped = true;
        } else if (b == '"') {
            inString = false;
        } else {
            nameMatches = nameMatches && nameLength < NAME.length() && b == NAME.charAt(nameLength);
            nameLength++;
        }
    }

    @Nullable
    String failure() {
        if (errors) {
            return "GraphQL errors in the response";
        }
        return object && ended ? null : "the response is no JSON object";
    }
}
