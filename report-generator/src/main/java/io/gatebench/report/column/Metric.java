/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.column;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.gatebench.model.GcSummary;
import io.gatebench.model.MeasuredValue;
import io.gatebench.model.ResponseTimes;

/**
 * The figures of a row: all that tables, thresholds, comparisons, trends and charts know of each.
 *
 * <p>A further constant is a further figure in all of them. The published tables have the columns that past releases had;
 * what is not among them follows in the wide CSV when all columns are wanted.
 *
 * @since 0.1
 */
public enum Metric {
    /** Samples per second, failures included. */
    THROUGHPUT(figure("throughput", "Throughput (Requests/sec)", Unit.PER_SECOND, Better.HIGHER)
            .of(row -> row.statistics().throughputPerSecond())
            .meaning("responses that ended in the measurement window, failed ones included, through its length:"
                    + " [throughput](../concepts/throughput.md)")
            .onPage()
            .alsoCalled("Throughput", "Throughput (req/s)")),
    /** Mean response time in milliseconds. */
    MEAN(time("mean", "Average Response Time (ms)", ResponseTimes::meanMillis)
            .meaning("mean, failed samples included")
            .onPage()
            .named("average", "avg")
            .alsoCalled("Average (ms)", "Average", "Mean Response Time (ms)")),
    /** Standard deviation of the response time in milliseconds. */
    DEVIATION(time("deviation", "Standard Deviation of Response Time (ms)", ResponseTimes::standardDeviationMillis)
            .meaning("of the same samples")
            .ofTheTail()
            .alsoCalled("Standard Deviation (ms)", "Std. Dev.")),
    /** Smallest response time in milliseconds. */
    MIN(time("min", "Minimum Response Time (ms)", ResponseTimes::minMillis)
            .meaning("smallest")
            .alsoCalled("Min (ms)", "Min")),
    /** Largest response time in milliseconds. */
    MAX(time("max", "Maximum Response Time (ms)", ResponseTimes::maxMillis)
            .meaning("largest")
            .percentile(100)
            .onPage()
            .ofTheTail()
            .alsoCalled("Max (ms)", "Max")),
    /** Median response time in milliseconds. */
    P50(percentile("50", ResponseTimes::p50Millis)
            .header("Median Response Time (ms)")
            .meaning("50th percentile")
            .named("median")
            .alsoCalled("50th Percentile of Response Time (ms)", "50th Percentile (ms)", "Median")),
    /** 75th percentile in milliseconds. */
    P75(percentile("75", ResponseTimes::p75Millis).meaning("percentile of the recorded times")),
    /** 90th percentile in milliseconds. */
    P90(percentile("90", ResponseTimes::p90Millis)),
    /** 95th percentile in milliseconds. */
    P95(percentile("95", ResponseTimes::p95Millis)),
    /** 98th percentile in milliseconds. */
    P98(percentile("98", ResponseTimes::p98Millis)),
    /** 99th percentile in milliseconds. */
    P99(percentile("99", ResponseTimes::p99Millis)),
    /** 99.9th percentile in milliseconds. */
    P999(percentile("99.9", ResponseTimes::p999Millis)),
    /** 99.99th percentile in milliseconds. */
    P9999(recordedPercentile("99.99", times -> figure(times.p9999Millis()))
            .meaning("percentile of the recorded times; finer than its neighbour only with 10,000 samples or more")),
    /** 99th percentile of the time to the first byte of the answer, in milliseconds. */
    FIRST_BYTE_P99(
            figure("first-byte-p99", "99th Percentile of Time to First Byte (ms)", Unit.MILLISECONDS, Better.LOWER)
                    .recorded(row -> row.statistics().latency().map(times -> times.p99Millis()))
                    .meaning("from the begin of the request to the first byte of the response")
                    .ofTheTail()
                    .onPage()),
    /** Number of samples. */
    SAMPLES(figure("samples", "# Samples", Unit.COUNT, Better.HIGHER)
            .of(row -> row.statistics().samples())
            .meaning("samples that started in the window")
            .alsoCalled("Samples")),
    /** Number of failed samples. */
    ERRORS(figure("errors", "Error Count", Unit.COUNT, Better.LOWER)
            .of(row -> row.statistics().errors())
            .meaning("failed ones among them: wrong status, or a wrong response")
            .alsoCalled("Errors")),
    /** Failed samples in percent. */
    ERROR_PERCENT(figure("error-percent", "Error %", Unit.PERCENT, Better.LOWER)
            .of(row -> row.statistics().errorPercent())
            .meaning("failed / all")
            .onPage()
            .named("error-rate")
            .alsoCalled("Error (%)", "Errors %")),
    /** Received data in KiB per second. */
    RECEIVED(figure("received", "Received (KB/sec)", Unit.KIBIBYTES_PER_SECOND, Better.HIGHER)
            .of(row -> row.statistics().receivedBytesPerSecond() / 1024)
            .meaning("bytes of responses, head and body")
            .alsoCalled("Received KB/sec")),
    /** Sent data in KiB per second. */
    SENT(figure("sent", "Sent (KB/sec)", Unit.KIBIBYTES_PER_SECOND, Better.HIGHER)
            .of(row -> row.statistics().sentBytesPerSecond() / 1024)
            .meaning("bytes of requests, head and body")
            .alsoCalled("Sent KB/sec")),
    /** Part of the gateway's run time outside of GC pauses in percent. */
    GC_THROUGHPUT(ofGateway("gc-throughput", GcColumn.THROUGHPUT, Unit.PERCENT, Better.HIGHER)),
    /** Mean heap of the gateway after full GC in MiB. */
    FOOTPRINT(ofGateway("footprint", GcColumn.FOOTPRINT_AFTER_FULL_GC, Unit.MEBIBYTES, Better.LOWER)
            .alsoCalled(" Average of Footprint After Full GC (M)", " Average Footprint After Full GC (M)"));

    /** Direction that is an improvement. */
    public enum Better {
        /** More is better. */
        HIGHER,
        /** Less is better. */
        LOWER,
        /** Neither: the column is no figure, or none of the gateway. */
        NEITHER
    }

    private final Column<MeasuredValue> column;
    private final List<String> names;
    private final List<String> columns;
    private final boolean ofProcess;
    private final boolean ofTheTail;
    private final boolean onPage;
    private final OptionalDouble percentile;
    private final Optional<Function<ResponseTimes, MeasuredValue>> ofTimes;

    Metric(Definition definition) {
        column = definition.column();
        names = List.copyOf(definition.names);
        columns = Stream.concat(Stream.of(definition.header), definition.aliases.stream())
                .toList();
        ofProcess = definition.ofProcess;
        ofTheTail = definition.ofTheTail;
        onPage = definition.onPage;
        percentile = definition.percentile;
        ofTimes = definition.ofTimes;
    }

    /** Returns the column: its header, its unit, its value in a row and the text of it. */
    public Column<MeasuredValue> asColumn() {
        return column;
    }

    /** Returns the name in options, thresholds and JSON, e.g. {@code p99}. */
    public String shortName() {
        return names.get(0);
    }

    /** Returns the names in thresholds, the short one first. */
    public List<String> allNames() {
        return names;
    }

    /** Returns which direction is an improvement. */
    public Better better() {
        return column.better();
    }

    /** Returns the unit. */
    public Unit unit() {
        return column.unit();
    }

    /** Returns whether it is one of the slowest requests, which varies more between runs than what most requests take. */
    public boolean ofTheTail() {
        return ofTheTail;
    }

    /** Returns how many percent of the response times it is not exceeded by, if it is such a figure; 100 for the largest. */
    public OptionalDouble percentile() {
        return percentile;
    }

    /** Returns whether the page of a run offers it for its charts. */
    public boolean onPage() {
        return onPage;
    }

    /** Returns how it is read from a distribution of response times, if it is a figure of one. */
    public Optional<Function<ResponseTimes, MeasuredValue>> ofTimes() {
        return ofTimes;
    }

    /** Returns the names of the column; those of the gateway's GC figures begin with a space and are endings. */
    public List<String> columns() {
        return columns;
    }

    /** Returns whether the column's name begins with the name of a process. */
    public boolean ofProcess() {
        return ofProcess;
    }

    /** Returns the published column name; for figures of the gateway's process without the process name. */
    public String column() {
        return column.header();
    }

    /** Returns the metric with that short name or published column name, in any case of letters. */
    public static Optional<Metric> named(String name) {
        String wanted = name.strip().toLowerCase(Locale.ROOT);
        return Arrays.stream(values())
                .filter(metric -> metric.names.contains(wanted)
                        || metric.columns.stream()
                                .anyMatch(column ->
                                        column.strip().toLowerCase(Locale.ROOT).equals(wanted)))
                .findFirst();
    }

    /** Returns all short names, separated by commas. */
    public static String names() {
        return Arrays.stream(values()).map(Metric::shortName).collect(Collectors.joining(", "));
    }

    private static Definition figure(String name, String header, Unit unit, Better better) {
        return new Definition(name, header, unit, better);
    }

    private static MeasuredValue figure(OptionalDouble value) {
        return value.isPresent()
                ? MeasuredValue.of(value.getAsDouble())
                : MeasuredValue.absent(Definition.NOT_RECORDED);
    }

    private static Definition time(String name, String header, ToDoubleFunction<ResponseTimes> ofTimes) {
        return recordedTime(name, header, times -> MeasuredValue.of(ofTimes.applyAsDouble(times)));
    }

    private static Definition recordedTime(String name, String header, Function<ResponseTimes, MeasuredValue> ofTimes) {
        Definition definition = figure(name, header, Unit.MILLISECONDS, Better.LOWER);
        definition.value = row -> ofTimes.apply(row.times());
        definition.ofTimes = Optional.of(ofTimes);
        return definition;
    }

    private static Definition percentile(String percent, ToDoubleFunction<ResponseTimes> ofTimes) {
        return recordedPercentile(percent, times -> MeasuredValue.of(ofTimes.applyAsDouble(times)));
    }

    /** Defines a percentile: what most requests take less than is steadier than the slowest, so that from the 90th on it is a figure of the tail. */
    private static Definition recordedPercentile(String percent, Function<ResponseTimes, MeasuredValue> ofTimes) {
        Definition definition = recordedTime(
                        "p" + percent.replace(".", ""), percent + "th Percentile of Response Time (ms)", ofTimes)
                .meaning("the same")
                .percentile(Double.parseDouble(percent))
                .alsoCalled(percent + "th Percentile (ms)", percent + "% Line");
        if (Double.parseDouble(percent) >= 90) {
            definition.ofTheTail().onPage();
        }
        return percent.contains(".") ? definition.named("p" + percent) : definition;
    }

    private static Definition ofGateway(String name, GcColumn column, Unit unit, Better better) {
        Definition definition = figure(name, column.ending(), unit, better).meaning(column.meaning());
        definition.ofProcess = true;
        definition.value = row -> row.gatewayGc()
                .map(GcSummary::compat)
                .map(column::of)
                .orElseGet(() -> MeasuredValue.absent("there is no GC log of the gateway"));
        return definition;
    }

    private static final class Definition {
        private static final int DECIMALS = 2;
        private static final String NOT_RECORDED = "it was not recorded";

        private final List<String> names;
        private final List<String> aliases = new ArrayList<>();
        private final Unit unit;
        private final Better better;
        private String header;
        private String meaning = "";
        private Function<MeasuredCase, MeasuredValue> value = row -> MeasuredValue.absent(NOT_RECORDED);
        private boolean ofProcess;
        private boolean ofTheTail;
        private boolean onPage;
        private OptionalDouble percentile = OptionalDouble.empty();
        private Optional<Function<ResponseTimes, MeasuredValue>> ofTimes = Optional.empty();

        Definition(String name, String header, Unit unit, Better better) {
            this.names = new ArrayList<>(List.of(name));
            this.header = header;
            this.unit = unit;
            this.better = better;
        }

        Definition of(ToDoubleFunction<MeasuredCase> number) {
            value = row -> MeasuredValue.of(number.applyAsDouble(row));
            return this;
        }

        Definition recorded(Function<MeasuredCase, Optional<Double>> number) {
            value = row -> number.apply(row).map(MeasuredValue::of).orElseGet(() -> MeasuredValue.absent(NOT_RECORDED));
            return this;
        }

        Definition header(String other) {
            header = other;
            return this;
        }

        Definition meaning(String text) {
            meaning = text;
            return this;
        }

        Definition percentile(double percent) {
            percentile = OptionalDouble.of(percent);
            return this;
        }

        Definition ofTheTail() {
            ofTheTail = true;
            return this;
        }

        Definition onPage() {
            onPage = true;
            return this;
        }

        Definition named(String... further) {
            names.addAll(List.of(further));
            return this;
        }

        Definition alsoCalled(String... further) {
            for (String alias : further) {
                if (!aliases.contains(alias)) {
                    aliases.add(alias);
                }
            }
            return this;
        }

        Column<MeasuredValue> column() {
            return new Column<>(header.strip(), meaning, unit, better, value, Column.rounded(DECIMALS), aliases);
        }
    }
}
