/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.importer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.gatebench.model.DataSize;
import io.gatebench.model.MessageLevel;
import io.gatebench.report.column.Metric;
import io.gatebench.report.column.Numbers;
import io.gatebench.report.importer.ImportedRun.Problem;

/** Finds the key of a row by the names of its columns, and makes keys unique within one input. */
final class KeyColumns {

    private static final Set<String> SCENARIO = Set.of("scenario name", "scenario", "test scenario", "name");
    private static final Set<String> HEAP = Set.of("heap size", "heap", "memory");
    private static final Set<String> USERS =
            Set.of("concurrent users", "users", "# users", "number of users", "concurrency");
    private static final Set<String> SIZE =
            Set.of("message size (bytes)", "message size", "payload", "payload size", "payload size (bytes)", "size");
    private static final Set<String> QUERY = Set.of("graphql query number", "graphql query", "query number", "query");
    private static final Set<String> ELEMENTS =
            Set.of("number of elements", "message elements", "elements", "iterations", "message iterations");
    private static final Set<String> DELAY = Set.of(
            "back-end service delay (ms)",
            "backend service delay (ms)",
            "sleep time (ms)",
            "back-end delay (ms)",
            "delay");
    private static final Set<String> LABEL = Set.of("label");
    private static final Set<String> RESPONSE_SIZE = Set.of("response size (bytes)", "response size");
    private static final Pattern NAMED_LEVEL = Pattern.compile("query ([1-9]\\d{0,8})|([1-9]\\d{0,8}) elements");
    private static final Pattern LEADING_NUMBER =
            Pattern.compile("(\\d{1,9})\\s*(?:B|bytes|ms)?", Pattern.CASE_INSENSITIVE);

    // Asked for every cell of every row.
    private static final Set<String> FIGURES = figures(false).collect(Collectors.toUnmodifiableSet());
    private static final List<String> FIGURES_OF_PROCESSES =
            figures(true).map(String::strip).toList();

    private KeyColumns() {}

    /** Returns whether a column name is one of those that make up the key. */
    static boolean isKey(String column) {
        String plain = plain(column);
        return SCENARIO.contains(plain)
                || HEAP.contains(plain)
                || USERS.contains(plain)
                || SIZE.contains(plain)
                || QUERY.contains(plain)
                || ELEMENTS.contains(plain)
                || DELAY.contains(plain)
                || LABEL.contains(plain)
                || RESPONSE_SIZE.contains(plain);
    }

    /** Returns whether a column name is that of a figure we know. */
    static boolean isMetric(String column) {
        String plain = plain(column);
        return FIGURES.contains(plain) || FIGURES_OF_PROCESSES.stream().anyMatch(plain::endsWith);
    }

    /** Returns the cells of a row that should hold a figure and hold something else, each as a problem. */
    static List<Problem> unreadable(ResultRow row) {
        List<Problem> problems = new ArrayList<>();
        row.cells().forEach((column, cell) -> {
            if (!cell.isBlank()
                    && !cell.strip().equalsIgnoreCase("N/A")
                    && isMetric(column)
                    && row.number(column).isEmpty()) {
                problems.add(new Problem(
                        row.file(),
                        row.line(),
                        "the column '" + column + "' holds '" + CsvResults.shorten(cell)
                                + "', which is no number; the figure is missing"));
            }
        });
        return problems;
    }

    private static Stream<String> figures(boolean ofProcess) {
        return Arrays.stream(Metric.values())
                .filter(metric -> metric.ofProcess() == ofProcess)
                .flatMap(metric -> metric.columns().stream())
                .map(name -> name.toLowerCase(Locale.ROOT));
    }

    /** Returns whether cells look like a header: at least two of them are names that we know. */
    static boolean isHeader(Collection<String> cells) {
        return cells.stream()
                        .filter(cell -> isKey(cell) || isMetric(cell))
                        .limit(2)
                        .count()
                == 2;
    }

    /**
     * Returns the columns of a published table that tell its test cases apart and that we have no name for: those
     * before its first figure.
     */
    static List<String> furtherParameters(List<String> header) {
        return header.stream()
                .takeWhile(column -> !isMetric(column))
                .filter(column -> !column.isEmpty() && !isKey(column))
                .toList();
    }

    /** Returns the key that the cells of a row spell. */
    static CellKey keyOf(Map<String, String> cells) {
        return keyOf(cells, List.of());
    }

    /** Returns the key that the cells of a row spell, with those columns as further parameters. */
    static CellKey keyOf(Map<String, String> cells, List<String> further) {
        String scenario = cell(cells, SCENARIO).orElse("");
        Optional<MessageLevel> message = level(cells, QUERY, MessageLevel.Kind.GRAPHQL_QUERY)
                .or(() -> cell(cells, SIZE).flatMap(KeyColumns::ofAMixedTable))
                .or(() -> level(cells, SIZE, MessageLevel.Kind.SIZE_BYTES))
                .or(() -> level(cells, ELEMENTS, MessageLevel.Kind.ELEMENTS));
        OptionalLong users = number(cells, USERS);
        OptionalLong delay = number(cells, DELAY);
        List<String> variant = new ArrayList<>();
        cells.forEach((column, value) -> {
            if ((RESPONSE_SIZE.contains(plain(column)) || further.contains(column)) && !value.isBlank()) {
                variant.add(column + " " + value.strip());
            }
        });
        if (scenario.isEmpty()) {
            cell(cells, LABEL).ifPresent(variant::add);
        }
        return new CellKey(
                scenario,
                cell(cells, HEAP).flatMap(KeyColumns::heap),
                users.isPresent() && users.getAsLong() > 0 && users.getAsLong() <= Integer.MAX_VALUE
                        ? OptionalInt.of((int) users.getAsLong())
                        : OptionalInt.empty(),
                message,
                delay,
                String.join(", ", variant));
    }

    /**
     * Tells rows of one input with equal keys apart: by their label where the labels differ, otherwise as repeats of the
     * test case in the order of the input.
     */
    static List<ResultRow> unique(List<ResultRow> rows) {
        Map<CellKey, Set<String>> labels = new HashMap<>();
        for (ResultRow row : rows) {
            labels.computeIfAbsent(row.key().matching(), key -> new HashSet<>())
                    .add(cell(row.cells(), LABEL).orElse(""));
        }
        Map<CellKey, Integer> seen = new LinkedHashMap<>();
        List<ResultRow> result = new ArrayList<>(rows.size());
        for (ResultRow row : rows) {
            ResultRow labelled = row;
            if (labels.getOrDefault(row.key().matching(), Set.of()).size() > 1) {
                String label = cell(row.cells(), LABEL).orElse("");
                String variant = row.key().variant();
                labelled = row.withKey(row.key().withVariant(variant.isEmpty() ? label : variant + ", " + label));
            }
            int repeat = seen.merge(labelled.key().matching(), 1, Integer::sum);
            result.add(labelled.withRepeat(repeat));
        }
        return List.copyOf(result);
    }

    private static Optional<DataSize> heap(String text) {
        try {
            return Optional.of(DataSize.parse(text));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static Optional<MessageLevel> level(Map<String, String> cells, Set<String> names, MessageLevel.Kind kind) {
        OptionalLong value = number(cells, names);
        if (value.isEmpty() || value.getAsLong() < 1 || value.getAsLong() > Integer.MAX_VALUE) {
            return Optional.empty();
        }
        return Optional.of(new MessageLevel(kind, (int) value.getAsLong()));
    }

    /** One table of several kinds of messages names the kind in each cell. */
    private static Optional<MessageLevel> ofAMixedTable(String cell) {
        Matcher named = NAMED_LEVEL.matcher(cell.strip());
        if (!named.matches()) {
            return Optional.empty();
        }
        return Optional.of(
                named.group(1) != null
                        ? MessageLevel.query(Integer.parseInt(named.group(1)))
                        : MessageLevel.elements(Integer.parseInt(named.group(2))));
    }

    private static OptionalLong number(Map<String, String> cells, Set<String> names) {
        Optional<String> text = cell(cells, names);
        if (text.isEmpty()) {
            return OptionalLong.empty();
        }
        OptionalLong whole = Numbers.whole(text.get());
        if (whole.isPresent()) {
            return whole.getAsLong() < 0 ? OptionalLong.empty() : whole;
        }
        Matcher matcher = LEADING_NUMBER.matcher(text.get());
        return matcher.matches() ? OptionalLong.of(Long.parseLong(matcher.group(1))) : OptionalLong.empty();
    }

    private static Optional<String> cell(Map<String, String> cells, Set<String> names) {
        for (Map.Entry<String, String> entry : cells.entrySet()) {
            if (names.contains(plain(entry.getKey()))) {
                String value = entry.getValue().strip();
                return value.isEmpty() || value.equalsIgnoreCase("N/A") ? Optional.empty() : Optional.of(value);
            }
        }
        return Optional.empty();
    }

    private static String plain(String column) {
        return column.strip().toLowerCase(Locale.ROOT);
    }
}
