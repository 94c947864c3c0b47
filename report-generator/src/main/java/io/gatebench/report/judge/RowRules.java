/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.judge;

import static io.gatebench.report.verdict.Text.number;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

import io.gatebench.model.DataSize;
import io.gatebench.report.column.Metric;
import io.gatebench.report.importer.ResultRow;
import io.gatebench.report.importer.RunResultRows;
import io.gatebench.report.verdict.Finding;
import io.gatebench.report.verdict.Level;
import io.gatebench.report.verdict.Rule;

/** The rules that need no more than the cells of one row, so that published rows can be judged as well. */
final class RowRules {

    private static final double ROUNDING = 1.01;
    private static final double ROUNDING_PERCENT = 1;
    private static final List<Metric> ASCENDING = Arrays.stream(Metric.values())
            .filter(metric -> metric.percentile().isPresent())
            .sorted(Comparator.comparingDouble(metric -> metric.percentile().getAsDouble()))
            .toList();
    private static final String FOOTPRINT_AFTER = " Memory Footprint After Full GC (M)";
    private static final String STEAL = " - CPU - Steal (%)";
    private static final String IDLE = " - CPU - Idle (%)";
    private static final String IO_WAIT = " - CPU - I/O Wait (%)";

    private final ResultRow row;
    private final boolean closedModel;
    private final double usersInSystem;
    private final List<Finding> findings = new ArrayList<>();

    /**
     * Makes the rules for a row.
     *
     * @param usersInSystem throughput times mean response time in users, summed over the labels of the test case; NaN
     *     if not known
     */
    private RowRules(ResultRow row, boolean closedModel, double usersInSystem) {
        this.row = row;
        this.closedModel = closedModel;
        this.usersInSystem = usersInSystem;
    }

    static List<Finding> judge(ResultRow row, boolean closedModel, double usersInSystem) {
        RowRules rules = new RowRules(row, closedModel, usersInSystem);
        rules.measured();
        rules.errors();
        rules.littlesLaw();
        rules.delay();
        rules.percentiles();
        rules.gcThroughput();
        rules.footprints();
        rules.hosts();
        rules.samples();
        return rules.findings;
    }

    private void measured() {
        if (row.number(Metric.THROUGHPUT).isEmpty() && row.number(Metric.MEAN).isEmpty()) {
            String why = row.cells().get(RunResultRows.FAILURE);
            add(
                    Rule.NOT_MEASURED,
                    Level.INVALID,
                    why == null ? "the row holds neither throughput nor mean response time" : why);
        }
    }

    private void errors() {
        OptionalDouble percent = row.errorPercent();
        if (percent.isPresent()) {
            double value = percent.getAsDouble();
            String most = row.cells().get(RunResultRows.MAX_FAILURES);
            String how = most == null ? "" : ", most often: " + most;
            if (value >= Rule.ALL_FAILED.invalid().orElseThrow()) {
                add(Rule.ALL_FAILED, Level.INVALID, "all samples failed" + how);
            } else {
                add(Rule.ERRORS, Rule.ERRORS.levelOf(value), number(value) + " % of the samples failed" + how);
            }
        }
        OptionalDouble samples = row.number(Metric.SAMPLES);
        OptionalDouble errors = row.number(Metric.ERRORS);
        OptionalDouble stated = row.number(Metric.ERROR_PERCENT);
        if (samples.isPresent() && samples.getAsDouble() > 0 && errors.isPresent() && stated.isPresent()) {
            double counted = 100 * errors.getAsDouble() / samples.getAsDouble();
            double difference = Math.abs(counted - stated.getAsDouble());
            add(
                    Rule.ERROR_COUNT,
                    Rule.ERROR_COUNT.levelOf(difference),
                    "the row says " + number(stated.getAsDouble()) + " % errors and counts " + number(counted) + " %");
        }
    }

    private void littlesLaw() {
        if (!closedModel || row.key().users().isEmpty() || Double.isNaN(usersInSystem)) {
            return;
        }
        int users = row.key().users().getAsInt();
        double rounding = roundingOfMean() * row.number(Metric.THROUGHPUT).orElse(0) / 1000;
        double difference = Math.max(0, Math.abs(usersInSystem - users) - rounding);
        double deviation = Math.copySign(100 * difference / users, usersInSystem - users);
        add(
                Rule.LITTLES_LAW,
                Rule.LITTLES_LAW.levelOf(Math.abs(deviation)),
                "throughput x mean response time is " + number(usersInSystem) + " users in the system for " + users
                        + " users (" + (deviation > 0 ? "+" : "") + number(deviation) + " %)");
    }

    /** Some files give the mean in whole milliseconds, cut off: it may be almost 1 ms too small. */
    private double roundingOfMean() {
        return row.column(Metric.MEAN)
                .map(name -> row.cells().get(name))
                .filter(cell -> cell.indexOf('.') < 0)
                .map(cell -> 1.0)
                .orElse(0.005);
    }

    private void delay() {
        if (row.key().delayMillis().isEmpty() || row.key().delayMillis().getAsLong() <= 0) {
            return;
        }
        long delay = row.key().delayMillis().getAsLong();
        OptionalDouble mean = row.number(Metric.MEAN);
        OptionalDouble min = row.number(Metric.MIN);
        if (mean.isPresent() && mean.getAsDouble() < delay) {
            add(
                    Rule.BELOW_DELAY,
                    Level.INVALID,
                    "the mean response time of " + number(mean.getAsDouble()) + " ms is below the back-end delay of "
                            + delay + " ms");
        } else if (min.isPresent()
                && min.getAsDouble() < delay - Rule.BELOW_DELAY.doubtful().orElseThrow()) {
            add(
                    Rule.BELOW_DELAY,
                    Level.DOUBTFUL,
                    "the smallest response time of " + number(min.getAsDouble()) + " ms is below the back-end delay of "
                            + delay + " ms");
        }
    }

    private void percentiles() {
        Metric lowerName = Metric.P50;
        double lower = Double.NEGATIVE_INFINITY;
        for (Metric metric : ASCENDING) {
            OptionalDouble value = row.number(metric);
            if (value.isEmpty()) {
                continue;
            }
            if (lower > value.getAsDouble()) {
                String above = metric == Metric.MAX ? "the maximum" : "the " + metric.shortName();
                double excess = 100 * (lower / value.getAsDouble() - 1);
                add(
                        Rule.PERCENTILES,
                        Level.DOUBTFUL,
                        "the " + lowerName.shortName() + " of " + number(lower) + " ms is above " + above + " of "
                                + number(value.getAsDouble()) + " ms"
                                + (excess <= ROUNDING_PERCENT
                                        ? " by the rounding of a histogram with two significant digits"
                                        : ""));
                return;
            }
            lower = value.getAsDouble();
            lowerName = metric;
        }
        OptionalDouble mean = row.number(Metric.MEAN);
        OptionalDouble max = row.number(Metric.MAX);
        if (mean.isPresent() && max.isPresent() && mean.getAsDouble() > max.getAsDouble() * ROUNDING) {
            add(
                    Rule.PERCENTILES,
                    Level.DOUBTFUL,
                    "the mean of " + number(mean.getAsDouble()) + " ms is above the maximum of "
                            + number(max.getAsDouble()) + " ms");
        }
    }

    private void gcThroughput() {
        OptionalDouble value = row.number(Metric.GC_THROUGHPUT);
        if (value.isPresent() && (value.getAsDouble() <= 0 || value.getAsDouble() > 100)) {
            add(
                    Rule.GC_THROUGHPUT,
                    Level.DOUBTFUL,
                    "a GC throughput of " + number(value.getAsDouble()) + " % is no measurement");
        }
    }

    /** The gateway's footprint is held against its heap, that of any process against its own largest heap. */
    private void footprints() {
        Optional<String> gateway = row.column(Metric.FOOTPRINT);
        for (Map.Entry<String, String> cell : row.cells().entrySet()) {
            String name = cell.getKey();
            if (!name.endsWith(FOOTPRINT_AFTER) || !name.startsWith("Average ")) {
                continue;
            }
            OptionalDouble after = row.number(name);
            if (after.isEmpty()) {
                continue;
            }
            String process = name.substring("Average ".length(), name.length() - FOOTPRINT_AFTER.length());
            OptionalDouble footprint = row.number(process + " Memory Footprint (M)");
            Optional<Double> heap = gateway.filter(name::equals)
                    .flatMap(own -> row.key().heap())
                    .map(DataSize::mebibytes);
            if (heap.isPresent() && after.getAsDouble() > heap.get()) {
                add(
                        Rule.FOOTPRINT_UNIT,
                        Level.DOUBTFUL,
                        "the footprint of " + process + " after full GC, " + number(after.getAsDouble())
                                + " M, exceeds its heap of " + number(heap.get()) + " M: it is KiB");
            } else if (footprint.isPresent() && after.getAsDouble() > footprint.getAsDouble() * ROUNDING) {
                add(
                        Rule.FOOTPRINT_UNIT,
                        Level.DOUBTFUL,
                        "the footprint of " + process + " after full GC, " + number(after.getAsDouble())
                                + " M, exceeds its largest heap of " + number(footprint.getAsDouble())
                                + " M: it is KiB");
            }
        }
    }

    private void hosts() {
        for (Map.Entry<String, String> cell : row.cells().entrySet()) {
            String name = cell.getKey();
            OptionalDouble value;
            if (name.endsWith(STEAL) && (value = row.number(name)).isPresent()) {
                String host = name.substring(0, name.length() - STEAL.length());
                add(
                        Rule.HOST_NOISE,
                        Rule.HOST_NOISE.levelOf(value.getAsDouble()),
                        number(value.getAsDouble()) + " % of the CPU time of " + host + "'s host was stolen");
            }
            if (name.endsWith(IDLE)
                    && name.startsWith("JMeter")
                    && !isOwn()
                    && (value = row.number(name)).isPresent()) {
                String host = name.substring(0, name.length() - IDLE.length());
                // A processor that waits for input and output is free for whoever wants to run.
                double free = value.getAsDouble() + row.number(host + IO_WAIT).orElse(0);
                if (free < Rule.LOAD_GENERATOR.doubtful().orElseThrow()) {
                    add(
                            Rule.LOAD_GENERATOR,
                            Level.DOUBTFUL,
                            "the host of the load generator " + host + " had only " + number(free)
                                    + " % of its CPU idle");
                }
            }
        }
    }

    /** Of our own runs the load generator's own verdict is known, and the head says whether roles share a host. */
    private boolean isOwn() {
        return row.file().endsWith("/result.json");
    }

    private void samples() {
        OptionalDouble samples = row.number(Metric.SAMPLES);
        if (samples.isPresent()
                && samples.getAsDouble() < Rule.FEW_SAMPLES.doubtful().orElseThrow()) {
            add(Rule.FEW_SAMPLES, Level.DOUBTFUL, "only " + number(samples.getAsDouble()) + " samples");
        }
    }

    private void add(Rule rule, Level level, String text) {
        if (level != Level.VALID) {
            findings.add(new Finding(rule, level, text));
        }
    }
}
