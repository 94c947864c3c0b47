/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

import io.gatebench.report.ReportException;
import io.gatebench.report.compare.Comparison;
import io.gatebench.report.compare.ComparisonOptions;
import io.gatebench.report.compare.RunComparator;
import io.gatebench.report.past.CellKey;
import io.gatebench.report.past.Metric;
import io.gatebench.report.past.OwnRows;
import io.gatebench.report.past.PastResults;
import io.gatebench.report.past.PastRow;

/**
 * Throughputs of a run as parts of those of its control runs, kept in a small text file that lives beside a test.
 *
 * <p>Such a baseline holds no absolute figure, and so can be compared on another machine, best one with as many
 * processors: how much a gateway takes of a shared machine depends on their number, which the file states.
 *
 * @param origin where and by what it was measured, in words
 * @param ratios the ratios of the repeats of each cell, by the cell's identifier; each greater than 0
 * @since 0.1
 */
public record RelativeBaseline(String origin, Map<String, List<Double>> ratios) {

    private static final String HEADER = "cell,throughput of the gateway / throughput of the control run";
    private static final int LARGEST = 1 << 20;

    /** Copies the map and keeps its order. */
    public RelativeBaseline {
        Map<String, List<Double>> copy = new LinkedHashMap<>();
        ratios.forEach((cell, values) -> copy.put(cell, List.copyOf(values)));
        ratios = java.util.Collections.unmodifiableMap(copy);
    }

    /**
     * One cell compared.
     *
     * @param cell the cell's identifier
     * @param slower whether the ratio fell by more than noise and the accepted part
     * @param text the figures in a sentence
     */
    public record Difference(String cell, boolean slower, String text) {}

    /**
     * Takes the ratios of a result.
     *
     * @throws IllegalArgumentException if a cell is invalid, failed, or has no control run
     */
    static RelativeBaseline of(BenchmarkResult result) {
        List<String> problems = new ArrayList<>(result.problems());
        Map<String, List<Double>> ratios = new LinkedHashMap<>();
        for (CellResult cell : result.cells()) {
            if (cell.throughputRatioToControl().isPresent()) {
                ratios.computeIfAbsent(cell.result().testCase().id(), any -> new ArrayList<>())
                        .add(cell.throughputRatioToControl().getAsDouble());
            } else if (cell.isUsable()) {
                problems.add(cell.name() + ": there is no control run; ask for it with controlRun(true)");
            }
        }
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(
                    "no baseline can be made of " + result.directory() + ": " + String.join("; ", problems));
        }
        String processors = result.info().systems().stream()
                .flatMap(system -> system.rows().stream())
                .filter(row -> row.description().equals("CPU(s)"))
                .map(row -> ", " + row.value() + " processors")
                .findFirst()
                .orElse("");
        return new RelativeBaseline(
                "Gatebench " + result.info().toolVersion() + ", JDK "
                        + result.info().versions().getOrDefault("jdk", "unknown") + processors,
                ratios);
    }

    /**
     * Reads a baseline.
     *
     * @throws ReportException with the line if it is none
     */
    public static RelativeBaseline read(Path file) {
        List<String> lines;
        try {
            if (Files.size(file) > LARGEST) {
                throw new ReportException(file + ": a baseline has at most 1 MiB");
            }
            lines = Files.readAllLines(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new ReportException("cannot read the baseline " + file + ": " + e, e);
        }
        String origin = "";
        Map<String, List<Double>> ratios = new LinkedHashMap<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (line.startsWith("#")) {
                origin = origin.isEmpty() ? line.substring(1).strip() : origin;
            } else if (!line.isEmpty() && !line.equals(HEADER)) {
                int comma = line.lastIndexOf(',');
                double ratio = comma < 1 ? Double.NaN : number(line.substring(comma + 1));
                if (!(ratio > 0) || Double.isInfinite(ratio)) {
                    throw new ReportException(file + ":" + (i + 1)
                            + ": a line of a baseline is a cell, a comma and a number greater than 0, but was '" + line
                            + "'");
                }
                ratios.computeIfAbsent(line.substring(0, comma), any -> new ArrayList<>())
                        .add(ratio);
            }
        }
        if (ratios.isEmpty()) {
            throw new ReportException("the baseline " + file + " holds no cell");
        }
        return new RelativeBaseline(origin, ratios);
    }

    private static double number(String text) {
        try {
            return Double.parseDouble(text.strip());
        } catch (NumberFormatException e) {
            return Double.NaN;
        }
    }

    /**
     * Writes the baseline.
     *
     * @throws ReportException if it cannot be written
     */
    public void write(Path file) {
        StringBuilder text = new StringBuilder("# ")
                .append(origin)
                .append('\n')
                .append(HEADER)
                .append('\n');
        ratios.forEach((cell, values) -> values.forEach(value -> text.append(cell)
                .append(',')
                .append(String.format(Locale.ROOT, "%.4f", value))
                .append('\n')));
        try {
            Path parent = file.toAbsolutePath().getParent();
            Files.createDirectories(parent);
            Path part = Files.createTempFile(parent, "baseline", ".part");
            Files.writeString(part, text);
            Files.move(part, file, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new ReportException("cannot write the baseline " + file + ": " + e, e);
        }
    }

    /**
     * Compares a result with this baseline, by the noise model of {@link RunComparator}: that of the repeats of both
     * sides, else a stated default.
     *
     * @param acceptedPercent a fall up to this part is accepted even if it is beyond noise, at least 0
     * @return one entry per cell of the result
     * @throws IllegalArgumentException if the result cannot be used, or the two do not hold the same cells
     */
    public List<Difference> compare(BenchmarkResult result, double acceptedPercent) {
        RelativeBaseline now = of(result);
        List<String> missing = new ArrayList<>();
        ratios.keySet().stream()
                .filter(cell -> !now.ratios.containsKey(cell))
                .forEach(cell -> missing.add("the run did not measure " + cell));
        now.ratios.keySet().stream()
                .filter(cell -> !ratios.containsKey(cell))
                .forEach(cell -> missing.add("the baseline does not hold " + cell));
        if (!missing.isEmpty()) {
            throw new IllegalArgumentException(
                    "baseline and run do not hold the same cells: " + String.join("; ", missing));
        }
        Map<String, CellKey> keys = new LinkedHashMap<>();
        for (CellResult cell : result.cells()) {
            keys.put(
                    cell.result().testCase().id(),
                    CellKey.of(
                            cell.result().testCase(),
                            OwnRows.displayName(
                                    result.info(), cell.result().testCase().scenario())));
        }
        Comparison comparison = new RunComparator(ComparisonOptions.defaults()
                        .withMetrics(List.of(Metric.THROUGHPUT))
                        .withSmallestChangePercent(acceptedPercent))
                .compare(List.of(rows("baseline", ratios, keys), rows("this run", now.ratios, keys)));
        List<Difference> differences = new ArrayList<>();
        for (Comparison.Cell cell : comparison.candidates().get(0).cells()) {
            String id = keys.entrySet().stream()
                    .filter(entry -> entry.getValue().equals(cell.key()))
                    .map(Map.Entry::getKey)
                    .findFirst()
                    .orElseThrow();
            boolean slower = switch (cell.outcome()) {
                case SLOWER, BROKE, REPAIRED, NOT_COMPARABLE -> true;
                case FASTER, NO_DIFFERENCE, UNDECIDED -> cell.doubtful();
            };
            differences.add(new Difference(id, slower, "in parts of the control run's throughput: " + cell.reason()));
        }
        return differences;
    }

    private static PastResults rows(String name, Map<String, List<Double>> ratios, Map<String, CellKey> keys) {
        List<PastRow> rows = new ArrayList<>();
        ratios.forEach((cell, values) -> {
            for (int i = 0; i < values.size(); i++) {
                rows.add(new PastRow(
                        Optional.ofNullable(keys.get(cell)).orElseThrow(),
                        i + 1,
                        Map.of(
                                Metric.THROUGHPUT.column(),
                                Double.toString(values.get(i)),
                                // A ratio is no load: rules of the closed model do not apply to it.
                                OwnRows.LOAD_MODEL,
                                "in parts of the control run",
                                // Only sound cells become part of a baseline.
                                Metric.ERROR_PERCENT.column(),
                                "0"),
                        name,
                        0));
            }
        });
        return new PastResults(name, PastResults.Format.RESULTS_DIRECTORY, rows, List.of(), List.of());
    }
}
