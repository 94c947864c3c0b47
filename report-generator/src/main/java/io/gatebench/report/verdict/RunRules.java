/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.verdict;

import static io.gatebench.report.verdict.Text.number;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import java.util.function.ToDoubleFunction;

import io.gatebench.model.GcFinding;
import io.gatebench.model.GcSummary;
import io.gatebench.model.HostMetric;
import io.gatebench.model.LoadResult;
import io.gatebench.model.NodeRole;
import io.gatebench.model.ProbeOutcome;
import io.gatebench.model.ProcessReport;
import io.gatebench.model.SampleStatistics;
import io.gatebench.model.SecondOfLoad;
import io.gatebench.model.TestCaseResult;
import io.gatebench.model.WarmUpEnd;
import io.gatebench.report.column.Spread;
import io.gatebench.report.column.WholeGateway;

/** The rules that need what only our own results hold: the series, the load generator's health, the probes. */
public final class RunRules {

    /** Before the name of a host in the fact that names the program which took most of it and is no part of the run. */
    public static final String BUSIEST_OTHER_PROGRAM = "other.programs.";

    /** So far the published formula may be off before it is said, in percentage points. */
    private static final double GC_FORMULA_POINTS = 0.1;

    /** Fewer seconds than these cannot be told apart from noise. */
    private static final int MIN_WINDOW_SECONDS = 9;
    /** At the end of a test users stop one after the other. */
    private static final int LAST_SECONDS = 1;

    private static final double STANDARD_ERRORS = 3;

    private final TestCaseResult.Completed result;
    private final List<Finding> findings = new ArrayList<>();

    private RunRules(TestCaseResult.Completed result) {
        this.result = result;
    }

    /** Returns what the rules say of a completed case, whatever was said of other cases; empty if nothing speaks against it. */
    public static List<Finding> judge(TestCaseResult.Completed result) {
        RunRules rules = new RunRules(result);
        if (result.load().measurement().isEmpty()) {
            rules.add(Rule.NOT_MEASURED, Level.INVALID, "no sample fell into the measurement window");
        }
        rules.load();
        rules.warmUp();
        rules.probes();
        rules.findings.addAll(TrafficRules.judge(result));
        rules.loadGenerator();
        List<SecondOfLoad> window = window(result.load());
        rules.steady(window);
        rules.users(window);
        rules.gaps(window);
        rules.standstill(window);
        rules.lateAnswers();
        rules.processes();
        rules.otherPrograms();
        rules.jvmLimits();
        rules.gcFormula();
        rules.clocks();
        rules.starts();
        rules.ceiling();
        return rules.findings;
    }

    /** Returns what changes of the measured data say of a case: the head of its run, and its own files. */
    public static List<Finding> changed(List<String> ofHead, List<String> ofCase) {
        List<String> changes = new ArrayList<>(ofHead);
        changes.addAll(ofCase);
        return changes.isEmpty()
                ? List.of()
                : List.of(new Finding(
                        Rule.CHANGED, Level.INVALID, "changed after the measurement: " + String.join(", ", changes)));
    }

    private void load() {
        result.load()
                .aborted()
                .ifPresent(why -> add(Rule.ABORTED, Level.INVALID, "the load ended before its time: " + why));
        result.load().open().filter(open -> open.intended() > 0).ifPresent(open -> {
            double missed = 100.0 * (open.intended() - open.started()) / open.intended();
            add(
                    Rule.RATE_MISSED,
                    Rule.RATE_MISSED.levelOf(missed),
                    number(missed) + " % of the intended requests were not sent");
        });
    }

    private void probes() {
        List<String> wrong = result.probes().stream()
                .filter(probe -> !probe.passed())
                .map(ProbeOutcome::name)
                .toList();
        if (!wrong.isEmpty()) {
            add(
                    Rule.PROBE,
                    Level.INVALID,
                    "wrong response to the probe" + (wrong.size() > 1 ? "s " : " ") + String.join(", ", wrong));
        }
    }

    private void loadGenerator() {
        if (result.load().health().saturated()) {
            List<String> reasons = result.load().health().reasons();
            add(
                    Rule.LOAD_GENERATOR,
                    Level.DOUBTFUL,
                    "the load generator was saturated" + (reasons.isEmpty() ? "" : ": " + String.join(", ", reasons)));
        }
    }

    private void warmUp() {
        result.load()
                .warmUpEnd()
                .filter(end -> end.reason() == WarmUpEnd.Reason.LIMIT)
                .ifPresent(end -> add(
                        Rule.WARM_UP_LIMIT,
                        Level.DOUBTFUL,
                        "the load was not steady, or a compiler still worked, after "
                                + number(end.took().toMillis() / 1000.0) + " s of warm-up, which was the limit"));
    }

    /** Returns the whole seconds of a load's measurement window. */
    public static List<SecondOfLoad> window(LoadResult load) {
        long from = -Math.floorDiv(
                -Duration.between(load.started(), load.window().start()).toMillis(), 1000L);
        long to = Math.floorDiv(
                Duration.between(load.started(), load.window().end()).toMillis(), 1000L);
        return load.series().stream()
                .filter(second -> second.second() >= from && second.second() < to)
                .toList();
    }

    private void steady(List<SecondOfLoad> window) {
        if (window.size() < MIN_WINDOW_SECONDS || result.load().changesByPlan()) {
            return;
        }
        steady(window, "throughput", SecondOfLoad::samples);
        steady(
                window.stream().filter(second -> second.samples() > 0).toList(),
                "mean response time",
                SecondOfLoad::meanMillis);
    }

    private void steady(List<SecondOfLoad> window, String what, ToDoubleFunction<SecondOfLoad> figure) {
        int third = window.size() / 3;
        if (third < 2) {
            return;
        }
        double[] first = window.subList(0, third).stream().mapToDouble(figure).toArray();
        double[] last = window.subList(window.size() - third, window.size()).stream()
                .mapToDouble(figure)
                .toArray();
        double before = Spread.mean(first);
        double after = Spread.mean(last);
        if (before <= 0) {
            return;
        }
        double error = Math.sqrt((variance(first) + variance(last)) / third);
        double change = 100 * (after / before - 1);
        if (Math.abs(after - before) > STANDARD_ERRORS * error) {
            add(
                    Rule.NOT_STEADY,
                    Rule.NOT_STEADY.levelOf(Math.abs(change)),
                    "the " + what + " changed by " + (change > 0 ? "+" : "") + number(change)
                            + " % from the first to the last third of the window");
        }
    }

    private void users(List<SecondOfLoad> window) {
        if (result.load().open().isPresent() || result.load().changesByPlan()) {
            return;
        }
        int users = result.testCase().users();
        List<SecondOfLoad> whole = window.subList(0, Math.max(0, window.size() - LAST_SECONDS));
        long missing = whole.stream().filter(second -> second.users() < users).count();
        if (missing > 0) {
            double percent = 100.0 * missing / whole.size();
            int fewest = whole.stream().mapToInt(SecondOfLoad::users).min().orElse(0);
            add(
                    Rule.USERS_MISSING,
                    Rule.USERS_MISSING.levelOf(percent),
                    "in " + number(percent) + " % of the window fewer than " + users + " users were at work, at least "
                            + fewest);
        }
    }

    private void gaps(List<SecondOfLoad> window) {
        boolean usersPause = result.load().open().isEmpty() && !result.load().closedWithoutThinkTime();
        if (usersPause || result.load().changesByPlan()) {
            return;
        }
        double longestAnswer = result.load().measurement().stream()
                .mapToDouble(statistics -> statistics.all().maxMillis())
                .max()
                .orElse(0);
        int longest = 0;
        int current = 0;
        for (SecondOfLoad second : window) {
            current = second.samples() == 0 ? current + 1 : 0;
            longest = Math.max(longest, current);
        }
        double planned = result.load()
                .open()
                .map(open -> (double) window.size() / Math.max(1, open.intended()))
                .orElse(0.0);
        double unexplained = longest - longestAnswer / 1000 - planned;
        add(Rule.GAP, Rule.GAP.levelOf(unexplained), "no sample was started for " + longest + " s inside the window");
    }

    private void standstill(List<SecondOfLoad> window) {
        if (!result.load().changesByPlan()) {
            Standstill.longest(result.load(), window).ifPresent(text -> add(Rule.STANDSTILL, Level.DOUBTFUL, text));
        }
    }

    private void lateAnswers() {
        result.load().requests().filter(requests -> requests.sent() > 0).ifPresent(requests -> {
            double missing = 100.0 * (requests.sent() - requests.completed()) / requests.sent();
            String sent = " of the " + number(requests.sent()) + " requests of the window were ";
            if (Rule.LATE_ANSWERS.levelOf(missing) != Level.VALID && requests.answeredLate() > 0) {
                add(
                        Rule.LATE_ANSWERS,
                        Rule.LATE_ANSWERS.levelOf(missing),
                        number(requests.answeredLate()) + sent + "answered after it: the throughput counts "
                                + number(requests.completed()) + " responses");
            }
            if (requests.unanswered() > 0) {
                add(Rule.LATE_ANSWERS, Level.DOUBTFUL, number(requests.unanswered()) + sent + "never answered");
            }
        });
    }

    private void jvmLimits() {
        JvmLimits.misfits(result).forEach(misfit -> add(Rule.JVM_LIMITS, Level.DOUBTFUL, misfit));
    }

    private void processes() {
        WholeGateway.remark(result.processes())
                .ifPresent(remark -> findings.add(new Finding(Rule.REPLICAS, Level.VALID, remark)));
        for (ProcessReport process : result.processes()) {
            throttled(process);
            if (process.role() == NodeRole.GATEWAY
                    && process.gc().map(RunRules::restarted).orElse(false)) {
                add(Rule.RESTART, Level.INVALID, "the GC log of " + process.name() + " holds more than one JVM");
            }
        }
    }

    /** One finding for each host: on the gateway's processors if they suffered, for they matter most; else on those that suffered most. */
    private void otherPrograms() {
        Map<String, ProcessReport> worst = new TreeMap<>();
        for (ProcessReport process : result.processes()) {
            if (others(process).isPresent()) {
                worst.merge(
                        process.host(),
                        process,
                        BinaryOperator.maxBy(Comparator.comparing(RunRules::sufferingGateway)
                                .thenComparing(report -> others(report).getAsDouble())));
            }
        }
        worst.forEach((host, process) -> {
            double percent = others(process).getAsDouble();
            String name = result.facts().get(BUSIEST_OTHER_PROGRAM + host);
            add(
                    Rule.OTHER_PROGRAMS,
                    Rule.OTHER_PROGRAMS.levelOf(percent),
                    "programs that are no part of the run took " + number(percent) + " % of the processors of "
                            + process.name() + " on " + host + (name == null ? "" : ", most of it " + name));
        });
    }

    private static boolean sufferingGateway(ProcessReport process) {
        return process.role() == NodeRole.GATEWAY
                && Rule.OTHER_PROGRAMS.levelOf(others(process).getAsDouble()) != Level.VALID;
    }

    private static OptionalDouble others(ProcessReport process) {
        return process.metric(HostMetric.OTHER_PROGRAMS);
    }

    /** The exact figure is known and right, so the row is; whoever reads the published column is told of it. */
    private void gcFormula() {
        for (ProcessReport process : result.processes()) {
            process.gc().ifPresent(gc -> {
                OptionalDouble exact = gc.exact().gcThroughputPercent().value();
                OptionalDouble published = gc.compat().gcThroughputPercent().value();
                if (exact.isEmpty()) {
                    return;
                }
                String measured = String.format(Locale.ROOT, "%.4f %%", exact.getAsDouble());
                if (published.isEmpty()) {
                    findings.add(new Finding(
                            Rule.GC_FORMULA,
                            Level.VALID,
                            "the published formula gives no GC throughput of " + process.name() + "; it is "
                                    + measured));
                    return;
                }
                if (Math.abs(published.getAsDouble() - exact.getAsDouble()) > GC_FORMULA_POINTS) {
                    findings.add(new Finding(
                            Rule.GC_FORMULA,
                            Level.VALID,
                            "the GC throughput of " + process.name() + " is " + measured
                                    + "; the published formula gives "
                                    + String.format(Locale.ROOT, "%.2f %%", published.getAsDouble())));
                }
            });
        }
    }

    private void throttled(ProcessReport process) {
        OptionalDouble ofWindow = process.metric(HostMetric.THROTTLED_TIME);
        OptionalDouble percent = ofWindow.isPresent() ? ofWindow : process.metric(HostMetric.THROTTLED_PERIODS);
        if (percent.isEmpty()) {
            return;
        }
        Level level = Rule.THROTTLED.levelOf(percent.getAsDouble());
        OptionalDouble limit = process.metric(HostMetric.CPU_LIMIT);
        OptionalDouble millis = process.metric(HostMetric.THROTTLED_MILLIS);
        add(
                Rule.THROTTLED,
                // Its limit may be part of what is measured; what is measured in its stead never is.
                process.role() == NodeRole.GATEWAY && level == Level.INVALID ? Level.DOUBTFUL : level,
                "a CPU limit" + (limit.isPresent() ? " of " + number(limit.getAsDouble()) + " processors" : "")
                        + " held " + process.name() + " back in " + number(percent.getAsDouble()) + " % of the "
                        + (ofWindow.isPresent() ? "window" : "periods in which it had work")
                        + (millis.isPresent()
                                ? ", " + number(millis.getAsDouble() / 1000) + " s added up over processors"
                                : ""));
    }

    private static boolean restarted(GcSummary gc) {
        return gc.findings().stream().anyMatch(finding -> finding.rule().equals(GcFinding.JVM_RESTARTED));
    }

    private void clocks() {
        new TreeMap<>(result.clockOffsets()).forEach((host, offset) -> {
            double millis = offset.abs().toNanos() / 1e6;
            add(
                    Rule.CLOCK_OFFSET,
                    Rule.CLOCK_OFFSET.levelOf(millis),
                    "the clock of host " + host + " is off by " + number(millis) + " ms");
        });
    }

    private void starts() {
        double window = Duration.between(
                        result.load().window().start(), result.load().window().end())
                .toMillis();
        if (window <= 0) {
            return;
        }
        result.load().startSkew().ifPresent(skew -> {
            double percent = 100 * skew.toMillis() / window;
            add(
                    Rule.START_SKEW,
                    Rule.START_SKEW.levelOf(percent),
                    "the load generators began " + number(skew.toMillis()) + " ms apart, " + number(percent)
                            + " % of the window");
        });
    }

    private void ceiling() {
        // At a given rate, or with think time, both have the throughput that was asked for.
        if (result.control().isEmpty()
                || !result.testCase().backendDelay().isZero()
                || !result.load().closedWithoutThinkTime()) {
            return;
        }
        double gateway = throughput(result.load());
        double direct = throughput(result.control().get());
        if (gateway > 0 && direct > 0) {
            double percent = 100 * gateway / direct;
            add(
                    Rule.CONTROL_CEILING,
                    Rule.CONTROL_CEILING.levelOf(percent),
                    "the throughput is " + number(percent) + " % of what the rig does without the gateway");
        }
    }

    private static double throughput(LoadResult load) {
        return load.measurement().stream()
                .mapToDouble(SampleStatistics::throughputPerSecond)
                .sum();
    }

    private static double variance(double[] values) {
        return Spread.squares(values) / Math.max(1, values.length - 1);
    }

    private void add(Rule rule, Level level, String text) {
        if (level != Level.VALID) {
            findings.add(new Finding(rule, level, text));
        }
    }
}
