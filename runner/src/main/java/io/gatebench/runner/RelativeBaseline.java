/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.gatebench.model.GcStatistics;
import io.gatebench.model.MeasuredValue;
import io.gatebench.model.ResponseTimes;
import io.gatebench.report.column.Metric;
import io.gatebench.report.compare.Comparison;
import io.gatebench.report.compare.ComparisonOptions;
import io.gatebench.report.compare.RunComparator;
import io.gatebench.report.importer.CellKey;
import io.gatebench.report.importer.ImportedRun;
import io.gatebench.report.importer.ResultRow;
import io.gatebench.report.importer.RunResultRows;
import io.gatebench.report.results.ReportException;

/**
 * Figures of a run that hold on another machine too, kept in a small text file that lives beside a test.
 *
 * <p>What a machine makes faster or slower is kept in parts of what it does to something else that was measured minutes apart:
 * the control run, or the back end. Such a baseline is best compared on a machine with as many processors: how much a
 * gateway takes of a shared machine depends on their number, which the file states.
 *
 * <p>What is noise is computed from the repeats of both sides. Where these differ so much that not even the loss of
 * {@value #MAX_FINDABLE_PERCENT} % of the throughput would be found, nothing is compared: such a gate would pass anything.
 *
 * @param origin where and by what it was measured, in words
 * @param figures the figures of the repeats of each test case, by the test case's identifier; each greater than 0
 * @since 0.1
 */
public record RelativeBaseline(String origin, Map<String, Map<Measure, List<Double>>> figures) {

    /** The greatest loss of throughput that a baseline may leave unfound. */
    public static final double MAX_FINDABLE_PERCENT = 50;

    private static final String HEADER = "cell,figure,value";
    /** Files of before there was more than one figure. */
    private static final String HEADER_OF_THROUGHPUTS =
            "cell,throughput of the gateway / throughput of the control run";

    private static final int MAX_BYTES = 1 << 20;
    /** The part of the false alarms that the throughput may cause; the others share the rest. */
    private static final double THROUGHPUT_SHARE = 0.5;
    /** A factor that makes another run of a run, as fast and as noisy. */
    private static final double ANOTHER_RUN = 1 + 1e-9;

    /**
     * Figures of each repeat that a baseline holds.
     *
     * @since 0.1
     */
    public enum Measure {
        /** Throughput in parts of the control run's. */
        THROUGHPUT("throughput", "of the control run's", true, CaseResult::throughputRatioToControl),
        /** Mean response time as a multiple of the control run's. */
        MEAN("mean", "times the control run's", false, cell -> cell.ratioToControl(ResponseTimes::meanMillis)),
        /** 99th percentile of the response times as a multiple of the control run's. */
        P99("p99", "times the control run's", false, cell -> cell.ratioToControl(ResponseTimes::p99Millis)),
        /** Part of the gateway's run time outside of GC pauses. */
        GC_THROUGHPUT("gc-throughput", "%", true, cell -> ofGc(cell, GcStatistics::gcThroughputPercent, 1)),
        /** Heap of the gateway after full GCs. */
        FOOTPRINT("footprint", "MiB", false, cell -> ofGc(cell, GcStatistics::footprintAfterFullGcMeanBytes, 1 << 20)),
        /** CPU time of the gateway for a request as a multiple of the back end's for it. */
        CPU_PER_REQUEST("cpu-per-request", "times the back end's", false, CaseResult::cpuRatioToBackend);

        private final String key;
        private final String unit;
        private final boolean moreIsBetter;
        private final Function<CaseResult, OptionalDouble> of;

        Measure(String key, String unit, boolean moreIsBetter, Function<CaseResult, OptionalDouble> of) {
            this.key = key;
            this.unit = unit;
            this.moreIsBetter = moreIsBetter;
            this.of = of;
        }

        /** Returns the name in files and messages. */
        public String key() {
            return key;
        }

        private static OptionalDouble ofGc(CaseResult cell, Function<GcStatistics, MeasuredValue> figure, double unit) {
            OptionalDouble value =
                    cell.gatewayGc().map(gc -> figure.apply(gc.exact()).value()).orElse(OptionalDouble.empty());
            return value.isPresent() ? OptionalDouble.of(value.getAsDouble() / unit) : value;
        }

        private static Optional<Measure> named(String text) {
            return Arrays.stream(values())
                    .filter(measure -> measure.key.equals(text))
                    .findFirst();
        }
    }

    /** Copies the maps and keeps their order. */
    public RelativeBaseline {
        Map<String, Map<Measure, List<Double>>> copy = new LinkedHashMap<>();
        figures.forEach((cell, ofCell) -> {
            Map<Measure, List<Double>> values = new EnumMap<>(Measure.class);
            ofCell.forEach((measure, list) -> values.put(measure, List.copyOf(list)));
            copy.put(cell, Collections.unmodifiableMap(values));
        });
        figures = Collections.unmodifiableMap(copy);
    }

    /**
     * One figure of one test case compared.
     *
     * @param cell the test case's identifier
     * @param measure the figure
     * @param worse whether it got worse by more than noise and the accepted part
     * @param findablePercent the loss that would have been found in nine of ten cases; empty for figures that are the same
     * @param text the figures in a sentence
     * @since 0.1
     */
    public record Difference(
            String cell, Measure measure, boolean worse, OptionalDouble findablePercent, String text) {}

    /**
     * Takes the figures of a result.
     *
     * @throws IllegalArgumentException if a test case is invalid, failed, or has no control run
     */
    static RelativeBaseline of(BenchmarkResult result) {
        List<String> problems = new ArrayList<>(result.problems());
        Map<String, Map<Measure, List<Double>>> figures = new LinkedHashMap<>();
        for (CaseResult cell : result.cells()) {
            if (cell.throughputRatioToControl().isPresent()) {
                Map<Measure, List<Double>> ofCell =
                        figures.computeIfAbsent(cell.result().testCase().id(), any -> new EnumMap<>(Measure.class));
                for (Measure measure : Measure.values()) {
                    measure.of.apply(cell).stream()
                            .filter(value -> value > 0 && Double.isFinite(value))
                            .forEach(value -> ofCell.computeIfAbsent(measure, any -> new ArrayList<>())
                                    .add(value));
                }
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
                figures);
    }

    /**
     * Reads a baseline.
     *
     * @throws ReportException with the line if it is none
     */
    public static RelativeBaseline read(Path file) {
        List<String> lines;
        try {
            if (Files.size(file) > MAX_BYTES) {
                throw new ReportException(file + ": a baseline has at most 1 MiB");
            }
            lines = Files.readAllLines(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new ReportException("cannot read the baseline " + file + ": " + e, e);
        }
        String origin = "";
        boolean throughputsAlone = lines.stream().map(String::strip).anyMatch(HEADER_OF_THROUGHPUTS::equals);
        Map<String, Map<Measure, List<Double>>> figures = new LinkedHashMap<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (line.startsWith("#")) {
                origin = origin.isEmpty() ? line.substring(1).strip() : origin;
            } else if (!line.isEmpty() && !line.equals(HEADER) && !line.equals(HEADER_OF_THROUGHPUTS)) {
                int last = line.lastIndexOf(',');
                int before = throughputsAlone ? last : line.lastIndexOf(',', last - 1);
                Optional<Measure> measure = throughputsAlone
                        ? Optional.of(Measure.THROUGHPUT)
                        : before < 0
                                ? Optional.empty()
                                : Measure.named(line.substring(before + 1, last).strip());
                double value = last < 0 ? Double.NaN : number(line.substring(last + 1));
                if (measure.isEmpty() || before < 1 || !(value > 0) || Double.isInfinite(value)) {
                    throw new ReportException(file + ":" + (i + 1)
                            + ": a line of a baseline is a test case, a figure ("
                            + Arrays.stream(Measure.values()).map(Measure::key).collect(Collectors.joining(", "))
                            + ") and a number greater than 0, with commas between them, but was '" + line + "'");
                }
                figures.computeIfAbsent(line.substring(0, before), any -> new EnumMap<>(Measure.class))
                        .computeIfAbsent(measure.get(), any -> new ArrayList<>())
                        .add(value);
            }
        }
        if (figures.isEmpty()) {
            throw new ReportException("the baseline " + file + " holds no test case");
        }
        return new RelativeBaseline(origin, figures);
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
     * @throws IllegalArgumentException if a test case has no repeats, or repeats that differ so much that of a run as
     *     noisy nothing could be told
     * @throws ReportException if it cannot be written
     */
    public void write(Path file) {
        requireThatItTellsSomething(file);
        StringBuilder text = new StringBuilder("# ")
                .append(origin)
                .append('\n')
                .append(HEADER)
                .append('\n');
        figures.forEach((cell, ofCell) -> ofCell.forEach((measure, values) -> values.forEach(value -> text.append(cell)
                .append(',')
                .append(measure.key)
                .append(',')
                .append(rounded(value))
                .append('\n'))));
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

    private void requireThatItTellsSomething(Path file) {
        Map<String, Map<Measure, List<Double>>> alike = new LinkedHashMap<>();
        Map<CellKey, String> cells = new LinkedHashMap<>();
        figures.forEach((cell, ofCell) -> {
            cells.put(
                    new CellKey(
                            "", Optional.empty(), OptionalInt.empty(), Optional.empty(), OptionalLong.empty(), cell),
                    cell);
            // The very same figures would be one measurement that is read twice.
            alike.put(
                    cell,
                    Map.of(
                            Measure.THROUGHPUT,
                            ofCell.getOrDefault(Measure.THROUGHPUT, List.of()).stream()
                                    .map(value -> value * ANOTHER_RUN)
                                    .toList()));
        });
        try {
            compare(
                    Measure.THROUGHPUT,
                    new RelativeBaseline(origin, alike),
                    cells,
                    ComparisonOptions.defaults()
                            .withMetrics(List.of(carrier(Measure.THROUGHPUT)))
                            .withFalseAlarmRate(ComparisonOptions.DEFAULT_FALSE_ALARM_RATE * THROUGHPUT_SHARE));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("the baseline " + file + " is not written: " + e.getMessage(), e);
        }
    }

    private static String rounded(double value) {
        return new BigDecimal(value)
                .round(new MathContext(5))
                .stripTrailingZeros()
                .toPlainString();
    }

    /**
     * Compares a result with this baseline, by the noise of the repeats of both sides. Figures that only one of them has are
     * left out.
     *
     * @param acceptedPercent a loss of throughput, mean, percentile and CPU time up to this part is accepted even if it is
     *     beyond noise, at least 0; of the others, one of a percent is
     * @return an entry for each figure of each test case of the result
     * @throws IllegalArgumentException if the result cannot be used, the two do not hold the same test cases, or their
     *     repeats tell too little
     */
    public List<Difference> compare(BenchmarkResult result, double acceptedPercent) {
        RelativeBaseline now = of(result);
        List<String> missing = new ArrayList<>();
        figures.keySet().stream()
                .filter(cell -> !now.figures.containsKey(cell))
                .forEach(cell -> missing.add("the run did not measure " + cell));
        now.figures.keySet().stream()
                .filter(cell -> !figures.containsKey(cell))
                .forEach(cell -> missing.add("the baseline does not hold " + cell));
        if (!missing.isEmpty()) {
            throw new IllegalArgumentException(
                    "baseline and run do not hold the same test cases: " + String.join("; ", missing));
        }
        Map<CellKey, String> cells = new LinkedHashMap<>();
        for (CaseResult cell : result.cells()) {
            cells.put(
                    RunResultRows.key(result.info(), cell.result().testCase()),
                    cell.result().testCase().id());
        }
        List<Measure> known = Arrays.stream(Measure.values())
                .filter(measure -> Stream.of(this, now)
                        .allMatch(side -> side.figures.values().stream().anyMatch(of -> of.containsKey(measure))))
                .toList();
        List<Difference> differences = new ArrayList<>();
        for (Measure measure : known) {
            double share = measure == Measure.THROUGHPUT
                    ? known.size() == 1 ? 1 : THROUGHPUT_SHARE
                    : (1 - THROUGHPUT_SHARE) / (known.size() - 1);
            boolean ofTheGc = measure == Measure.GC_THROUGHPUT;
            differences.addAll(compare(
                    measure,
                    now,
                    cells,
                    ComparisonOptions.defaults()
                            .withMetrics(List.of(carrier(measure)))
                            .withFalseAlarmRate(ComparisonOptions.DEFAULT_FALSE_ALARM_RATE * share)
                            .withSmallestChangePercent(
                                    ofTheGc
                                            ? ComparisonOptions.DEFAULT_SMALLEST_CHANGE_PERCENT
                                            : Math.max(
                                                    acceptedPercent,
                                                    ComparisonOptions.DEFAULT_SMALLEST_CHANGE_PERCENT))));
        }
        return differences;
    }

    /** The statistics are those of comparisons, which know a figure of which more is better and one of which less is. */
    private static Metric carrier(Measure measure) {
        return measure.moreIsBetter ? Metric.THROUGHPUT : Metric.MEAN;
    }

    private List<Difference> compare(
            Measure measure, RelativeBaseline now, Map<CellKey, String> cells, ComparisonOptions options) {
        Comparison comparison = new RunComparator(options)
                .compare(List.of(rows("baseline", measure, cells), now.rows("this run", measure, cells)));
        List<Difference> differences = new ArrayList<>();
        for (Comparison.Cell cell : comparison.candidates().get(0).cells()) {
            String id = cells.get(cell.key());
            if (cell.before().isEmpty()
                    || cell.after().isEmpty()
                    || cell.ratio().isEmpty()) {
                continue;
            }
            if (measure == Measure.THROUGHPUT) {
                requireKnownNoise(cell, id, options.smallestChangePercent());
            }
            OptionalDouble findable = cell.detectablePercent();
            differences.add(new Difference(
                    id, measure, cell.outcome() == Comparison.Outcome.SLOWER, findable, text(measure, cell, findable)));
        }
        return differences;
    }

    private static void requireKnownNoise(Comparison.Cell cell, String id, double acceptedPercent) {
        String way = "; measure both with more repeats (repeats(3)), longer, or on a quieter machine";
        if (cell.noise()
                .filter(noise -> noise.source() == Comparison.NoiseSource.REPEATS)
                .isEmpty()) {
            throw new IllegalArgumentException(
                    id + ": the noise is not known, as neither baseline nor run repeats the test case" + way);
        }
        double findable = cell.detectablePercent().orElse(0);
        // Who accepts so much has asked for no more.
        if (findable > MAX_FINDABLE_PERCENT && acceptedPercent < MAX_FINDABLE_PERCENT) {
            throw new IllegalArgumentException(String.format(
                    Locale.ROOT,
                    "%s: the repeats differ so much (%.1f %% each) that %s would be found%s",
                    id,
                    cell.noise().get().percent(),
                    findable >= 100
                            ? "no loss of throughput"
                            : String.format(Locale.ROOT, "only a loss of %.0f %% of the throughput", findable),
                    way));
        }
    }

    private static String text(Measure measure, Comparison.Cell cell, OptionalDouble findable) {
        return String.format(
                        Locale.ROOT,
                        "%s %s to %s %s: %+.1f %% (%d and %d repeats, noise %.1f %% each)",
                        measure.key,
                        rounded(cell.before().getAsDouble()),
                        rounded(cell.after().getAsDouble()),
                        measure.unit,
                        100 * (cell.ratio().getAsDouble() - 1),
                        cell.repeatsBefore(),
                        cell.repeatsAfter(),
                        cell.noise().map(Comparison.Noise::percent).orElse(Double.NaN))
                + (findable.isPresent()
                        ? String.format(
                                Locale.ROOT, "; a loss of %.0f %% would have been found", findable.getAsDouble())
                        : "; these are the same figures");
    }

    private ImportedRun rows(String name, Measure measure, Map<CellKey, String> cells) {
        List<ResultRow> rows = new ArrayList<>();
        cells.forEach((key, id) -> {
            List<Double> values = figures.get(id).getOrDefault(measure, List.of());
            for (int i = 0; i < values.size(); i++) {
                rows.add(new ResultRow(
                        key,
                        i + 1,
                        Map.of(
                                carrier(measure).column(),
                                Double.toString(values.get(i)),
                                // A ratio is no load: rules of the closed model do not apply to it.
                                RunResultRows.LOAD_MODEL,
                                "in parts of the control run",
                                // Only sound test cases become part of a baseline.
                                Metric.ERROR_PERCENT.column(),
                                "0"),
                        name,
                        0));
            }
        });
        return new ImportedRun(name, ImportedRun.Format.RESULTS_DIRECTORY, rows, List.of(), List.of());
    }
}
