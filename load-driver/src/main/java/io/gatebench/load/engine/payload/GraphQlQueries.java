/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.engine.payload;

/**
 * The three Star Wars queries of the published GraphQL results, of 158, 1,127 and 2,051 bytes; each asks for all that the
 * one before does.
 */
final class GraphQlQueries {

    private static final String FRIENDS = "friends { id name appearsIn } friendsConnection { totalCount } appearsIn";
    private static final String CHARACTER = "id name " + FRIENDS;
    private static final String HUMAN =
            "id name homePlanet height mass " + FRIENDS + " starships { id name length coordinates }";
    private static final String DROID = "id name " + FRIENDS + " primaryFunction";
    private static final String STARSHIP = "id name length coordinates";

    private static final String FIRST = "hero { " + CHARACTER + " }";
    private static final String SECOND = " search(text: \"Luke Skywalker\") { ... on Human { " + HUMAN
            + " } ... on Droid { " + DROID + " } ... on Starship { " + STARSHIP + " } }"
            + " character(id: \"1000\") { " + CHARACTER + " }"
            + " droid(id: \"2000\") { " + DROID + " }";
    private static final String THIRD = " human(id: \"1000\") { " + HUMAN + " }"
            + " allHumans { " + HUMAN + " }"
            + " allDroids { " + DROID + " }"
            + " allCharacters { " + CHARACTER + " }"
            + " starship(id: \"3000\") { " + STARSHIP + " }";

    private GraphQlQueries() {}

    static String query(int number) {
        return switch (number) {
            // The names give them the sizes of the published ones.
            case 1 -> pretty("query Q { " + FIRST + " }");
            case 2 -> pretty("query Q2 { " + FIRST + SECOND + " }");
            case 3 -> pretty("query Q3 { " + FIRST + SECOND + THIRD + " }");
            default -> throw new IllegalArgumentException("there are GraphQL queries 1, 2 and 3 but not " + number);
        };
    }

    static String body(int number, int variant) {
        // A comment makes a variant: the same query of the same length that a cache of texts does not know.
        String query = query(number) + (variant == 0 ? "" : String.format(java.util.Locale.ROOT, "#%06d", variant));
        String escaped = query.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
        return "{\"operationName\":null,\"query\":\"" + escaped + "\"}";
    }

    /** One field per line, two spaces per level. */
    private static String pretty(String flat) {
        StringBuilder out = new StringBuilder();
        int level = 0;
        boolean lineStart = true;
        String[] words = flat.split(" (?=(?:[^\"]*\"[^\"]*\")*[^\"]*$)");
        for (int i = 0; i < words.length; i++) {
            String word = words[i];
            if (word.equals("}")) {
                level--;
            }
            if (lineStart) {
                out.append("  ".repeat(level));
            } else {
                out.append(' ');
            }
            out.append(word);
            if (word.equals("{")) {
                level++;
            }
            String next = i + 1 < words.length ? words[i + 1] : "}";
            boolean continues = !word.equals("{")
                    && !word.equals("}")
                    && (next.equals("{")
                            || word.equals("...")
                            || word.equals("on")
                            || word.equals("query")
                            || word.endsWith(":"));
            lineStart = !continues;
            if (lineStart) {
                out.append('\n');
            }
        }
        return out.toString();
    }
}
