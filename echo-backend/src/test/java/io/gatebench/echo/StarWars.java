/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.echo;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * The public Star Wars example data, and just enough of a GraphQL executor to answer the three queries from it: fields,
 * arguments with string values, inline fragments. The canned answers are made with it and checked against it.
 */
final class StarWars {

    private static final List<String> TRILOGY = List.of("NEWHOPE", "EMPIRE", "JEDI");
    private static final List<String> SAGA = List.of("NEWHOPE", "EMPIRE", "JEDI", "SITH");
    private static final List<Map<String, Object>> HUMANS = List.of(
            human(
                    "1000",
                    "Luke Skywalker",
                    "Tatooine",
                    1.72,
                    77,
                    TRILOGY,
                    "1002 1003 1006 1007 2000 2001",
                    "3001 3003"),
            human("1001", "Darth Vader", "Tatooine", 2.02, 136, SAGA, "1004 1005", "3002"),
            human("1002", "Han Solo", null, 1.8, 80, TRILOGY, "1000 1003 1007 2001", "3000 3003"),
            human("1003", "Leia Organa", "Alderaan", 1.5, 49, TRILOGY, "1000 1002 1007 2000 2001", ""),
            human("1004", "Wilhuff Tarkin", null, 1.8, null, List.of("NEWHOPE"), "1001", ""),
            human("1005", "Palpatine", null, 1.5, null, SAGA, "1001", ""),
            human("1006", "Yoda", null, 0.8, null, List.of("EMPIRE", "SITH"), "1000", ""),
            human("1007", "Chewbacca", null, 2.3, null, TRILOGY, "1000 1002 1003", "3000 3003"));
    private static final List<Map<String, Object>> DROIDS = List.of(
            droid("2000", "C-3PO", "Protocol", "1000 1002 1003 2001"),
            droid("2001", "R2-D2", "Astromech", "1000 1002 1003"));
    private static final List<Map<String, Object>> STARSHIPS = List.of(
            starship("3000", "Millenium Falcon", 34.37),
            starship("3001", "X-Wing", 12.5),
            starship("3002", "TIE Advanced x1", 9.2),
            starship("3003", "Imperial shuttle", 20));

    private StarWars() {}

    private static Map<String, Object> human(
            String id,
            String name,
            @Nullable String homePlanet,
            double height,
            @Nullable Integer mass,
            List<String> appearsIn,
            String friends,
            String starships) {
        Map<String, Object> human = character("Human", id, name, appearsIn, friends);
        human.put("homePlanet", homePlanet);
        human.put("height", height);
        human.put("mass", mass);
        human.put("starships", starships);
        return human;
    }

    private static Map<String, Object> droid(String id, String name, String primaryFunction, String friends) {
        Map<String, Object> droid = character("Droid", id, name, TRILOGY, friends);
        droid.put("primaryFunction", primaryFunction);
        return droid;
    }

    private static Map<String, Object> character(
            String type, String id, String name, List<String> appearsIn, String friends) {
        Map<String, Object> character = new LinkedHashMap<>();
        character.put("__typename", type);
        character.put("id", id);
        character.put("name", name);
        character.put("appearsIn", appearsIn);
        character.put("friends", friends);
        return character;
    }

    private static Map<String, Object> starship(String id, String name, Number length) {
        Map<String, Object> starship = new LinkedHashMap<>();
        starship.put("__typename", "Starship");
        starship.put("id", id);
        starship.put("name", name);
        starship.put("length", length);
        starship.put("coordinates", List.of(List.of(1, 2), List.of(3, 4)));
        return starship;
    }

    /** Returns the response to a query, indented by two spaces as servers in their development mode write it. */
    static String answer(String query) {
        Parser parser = new Parser(GraphQlText.normalised(query).split(" (?=(?:[^\"]*\"[^\"]*\")*[^\"]*$)"));
        Map<String, Object> data = new LinkedHashMap<>();
        for (Field field : parser.selection()) {
            data.put(field.name, select(root(field), field));
        }
        return json(Map.of("data", data), 0) + "\n";
    }

    private static @Nullable Object root(Field field) {
        return switch (field.name) {
            case "hero" -> byId("2001");
            case "character", "human", "droid", "starship" -> byId(Objects.requireNonNull(field.argument));
            case "allHumans" -> HUMANS;
            case "allDroids" -> DROIDS;
            case "allCharacters" -> concat(HUMANS, DROIDS);
            case "search" ->
                concat(concat(HUMANS, DROIDS), STARSHIPS).stream()
                        .filter(found -> found.get("name").toString().contains(field.argument))
                        .toList();
            default -> throw new IllegalArgumentException("no root field " + field.name);
        };
    }

    private static List<Map<String, Object>> concat(List<Map<String, Object>> first, List<Map<String, Object>> second) {
        List<Map<String, Object>> all = new ArrayList<>(first);
        all.addAll(second);
        return all;
    }

    private static Map<String, Object> byId(String id) {
        return concat(concat(HUMANS, DROIDS), STARSHIPS).stream()
                .filter(found -> found.get("id").equals(id))
                .findFirst()
                .orElseThrow();
    }

    private static List<Map<String, Object>> byIds(Object ids) {
        return Arrays.stream(ids.toString().split(" "))
                .filter(id -> !id.isEmpty())
                .map(StarWars::byId)
                .toList();
    }

    private static @Nullable Object select(@Nullable Object value, Field field) {
        if (value instanceof List<?> list) {
            return field.selection.isEmpty()
                    ? list
                    : list.stream().map(item -> select(item, field)).toList();
        }
        if (!(value instanceof Map<?, ?> object)) {
            return value;
        }
        Map<String, Object> out = new LinkedHashMap<>();
        for (Field wanted : field.selection) {
            if (wanted.fragmentOn == null) {
                out.put(wanted.name, select(resolve(object, wanted.name), wanted));
            } else if (wanted.fragmentOn.equals(object.get("__typename"))) {
                out.putAll(cast(select(object, wanted)));
            }
        }
        return out;
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> cast(@Nullable Object value) {
        return (Map<String, Object>) Objects.requireNonNull(value);
    }

    private static @Nullable Object resolve(Map<?, ?> object, String field) {
        return switch (field) {
            case "friends", "starships" -> byIds(object.get(field));
            case "friendsConnection" ->
                Map.of("totalCount", byIds(object.get("friends")).size());
            default -> {
                if (!object.containsKey(field)) {
                    throw new IllegalArgumentException(object.get("__typename") + " has no field " + field);
                }
                yield object.get(field);
            }
        };
    }

    private static String json(@Nullable Object value, int depth) {
        String inner = "\n" + "  ".repeat(depth + 1);
        String outer = "\n" + "  ".repeat(depth);
        if (value instanceof Map<?, ?> map) {
            List<String> members = new ArrayList<>();
            map.forEach((key, member) -> members.add(inner + '"' + key + "\": " + json(member, depth + 1)));
            return "{" + String.join(",", members) + outer + "}";
        }
        if (value instanceof List<?> list) {
            if (list.isEmpty()) {
                return "[]";
            }
            List<String> items = new ArrayList<>();
            list.forEach(item -> items.add(inner + json(item, depth + 1)));
            return "[" + String.join(",", items) + outer + "]";
        }
        return value instanceof String text ? '"' + text + '"' : String.valueOf(value);
    }

    private static final class Field {
        final String name;

        @Nullable
        final String fragmentOn;

        @Nullable
        String argument;

        List<Field> selection = List.of();

        Field(String name, @Nullable String fragmentOn) {
            this.name = name;
            this.fragmentOn = fragmentOn;
        }
    }

    private static final class Parser {
        private final String[] tokens;
        private int at;

        Parser(String[] tokens) {
            this.tokens = tokens;
        }

        List<Field> selection() {
            expect("{");
            List<Field> fields = new ArrayList<>();
            while (!tokens[at].equals("}")) {
                fields.add(field());
            }
            expect("}");
            return fields;
        }

        private Field field() {
            Field field;
            if (tokens[at].equals("...")) {
                at++;
                expect("on");
                field = new Field("...", tokens[at++]);
            } else {
                field = new Field(tokens[at++], null);
            }
            if (tokens[at].equals("(")) {
                at += 3;
                field.argument = tokens[at].substring(1, tokens[at].length() - 1);
                at++;
                expect(")");
            }
            if (tokens[at].equals("{")) {
                field.selection = selection();
            }
            return field;
        }

        private void expect(String token) {
            if (!tokens[at].equals(token)) {
                throw new IllegalArgumentException("expected " + token + " but found " + tokens[at]);
            }
            at++;
        }
    }
}
