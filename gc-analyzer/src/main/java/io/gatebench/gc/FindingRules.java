/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gc;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.DoubleFunction;
import java.util.function.DoublePredicate;

import io.gatebench.model.GcFinding;
import io.gatebench.model.GcFinding.Severity;
import io.gatebench.model.GcSummary;
import io.gatebench.model.MeasuredValue;
import io.gatebench.model.ResponseTimes;

/** The rules that turn figures into sentences: each is data, with its threshold and the source of it. */
final class FindingRules {

    private static final double MEBIBYTE = 1 << 20;
    private static final String TUNING = "Oracle, HotSpot Virtual Machine Garbage Collection Tuning Guide (JDK 17)";

    /**
     * A rule.
     *
     * @param id identifier in results
     * @param severity how much it matters
     * @param threshold the value beyond which it speaks
     * @param source where the threshold comes from
     * @param check says what it found, or nothing
     */
    record Rule(String id, Severity severity, double threshold, String source, Check check) {}

    /** Looks at the figures. */
    interface Check {
        Optional<String> text(GcSummary summary, JvmGcAccumulator run, double threshold);
    }

    static final List<Rule> RULES = List.of(
            new Rule(
                    "gc-throughput-low",
                    Severity.WARNING,
                    90,
                    "practice of the published WSO2 performance documents: below 90 % the heap is too small",
                    (s, run, limit) -> when(
                            s.exact().gcThroughputPercent(),
                            v -> v < limit,
                            v -> format(
                                    "GC throughput is %.2f %%, below %.0f %%: the heap is too small or the allocation rate (%s) too"
                                            + " high.",
                                    v, limit, rate(s.heap().allocationRateBytesPerSecond())))),
            new Rule(
                    "footprint-after-full-gc-high",
                    Severity.WARNING,
                    70,
                    TUNING + ": leave room for the young generation, a quarter to a half of the heap",
                    (s, run, limit) -> {
                        OptionalDouble heap = heapLimit(s);
                        return heap.isEmpty()
                                ? Optional.empty()
                                : when(
                                        s.exact().footprintAfterFullGcMeanBytes(),
                                        v -> 100 * v / heap.getAsDouble() > limit,
                                        v -> format(
                                                "The footprint after full GC is %.1f MiB on average, %.0f %% of the heap of"
                                                        + " %.0f MiB (limit %.0f %%).",
                                                v / MEBIBYTE,
                                                100 * v / heap.getAsDouble(),
                                                heap.getAsDouble() / MEBIBYTE,
                                                limit));
                    }),
            new Rule(
                    "heap-rising",
                    Severity.WARNING,
                    10,
                    "own rule: the line through the heap after deep collections rises by more than 10 % of the heap and"
                            + " explains most of the variation",
                    FindingRules::rising),
            new Rule(
                    "full-gc-unasked",
                    Severity.WARNING,
                    0,
                    TUNING + ", G1: full collections mean that the heap is too full or fragmented",
                    (s, run, limit) -> {
                        long unasked = s.counts().fullGcCauses().entrySet().stream()
                                .filter(cause -> !asked(cause.getKey()))
                                .mapToLong(Map.Entry::getValue)
                                .sum();
                        return unasked > limit
                                ? Optional.of(format(
                                        "%d full collections that nobody asked for: %s.",
                                        unasked, s.counts().fullGcCauses()))
                                : Optional.empty();
                    }),
            new Rule(
                    "evacuation-failures",
                    Severity.WARNING,
                    0,
                    TUNING + ", G1: evacuation failure and to-space exhausted mean too little room to copy to",
                    (s, run, limit) -> when(
                            s.counts().evacuationFailures(),
                            v -> v > limit,
                            v -> format(
                                    "%.0f collections found no room to copy or promote to (evacuation or promotion failure).",
                                    v))),
            new Rule(
                    "concurrent-cycle-too-late",
                    Severity.WARNING,
                    0,
                    TUNING + ": concurrent work must end before the heap is full",
                    (s, run, limit) -> when(
                            s.counts().concurrentModeFailures(),
                            v -> v > limit,
                            v -> format(
                                    "%.0f concurrent cycles were aborted or degenerated: the collector does not keep up.",
                                    v))),
            new Rule(
                    "allocation-stalls",
                    Severity.WARNING,
                    0,
                    TUNING + ", ZGC: threads wait when memory runs out before a cycle ends",
                    (s, run, limit) -> when(
                            s.counts().allocationStalls(),
                            v -> v > limit,
                            v -> format("Threads had to wait for memory %.0f times (allocation stalls).", v))),
            new Rule(
                    "humongous-allocations",
                    Severity.INFO,
                    0,
                    TUNING + ", G1: objects of half a region or more are allocated apart",
                    (s, run, limit) -> when(
                            s.counts().humongousCollections(),
                            v -> v > limit,
                            v -> format(
                                    "%.0f collections were caused by humongous allocations; larger regions"
                                            + " (-XX:G1HeapRegionSize) avoid them.",
                                    v))),
            new Rule(
                    "time-to-safepoint-long",
                    Severity.WARNING,
                    10,
                    "own rule: at the 99th percentile 10 ms, as long as a young collection of a small heap",
                    (s, run, limit) -> s.safepoints()
                            .timeToSafepoint()
                            .filter(waits -> waits.p99Millis() > limit)
                            .map(waits -> format(
                                    "It takes %.1f ms at the 99th percentile until all threads stop (limit %.0f ms, longest %.1f"
                                            + " ms): counted loops or a busy host.",
                                    waits.p99Millis(), limit, waits.maxMillis()))),
            new Rule(
                    "safepoints-outweigh-pauses",
                    Severity.INFO,
                    2,
                    "own measurement: with ZGC and Shenandoah all stops take 6 to 20 times the pauses",
                    FindingRules::safepointsOutweigh),
            new Rule(
                    "pause-long",
                    Severity.WARNING,
                    200,
                    "the JVM's default of -XX:MaxGCPauseMillis for G1",
                    (s, run, limit) -> s.pauses()
                            .filter(pauses -> pauses.maxMillis() > limit)
                            .map((ResponseTimes pauses) -> format(
                                    "The longest pause took %.1f ms (99th percentile %.1f ms, limit %.0f ms).",
                                    pauses.maxMillis(), pauses.p99Millis(), limit))));

    private FindingRules() {}

    static List<GcFinding> apply(GcSummary summary, JvmGcAccumulator run) {
        return RULES.stream()
                .flatMap(rule -> rule.check().text(summary, run, rule.threshold()).stream()
                        .map(text -> new GcFinding(rule.id(), rule.severity(), text, rule.source())))
                .toList();
    }

    private static boolean asked(String cause) {
        return cause.startsWith("System") || PauseReader.asked(cause);
    }

    private static Optional<String> rising(GcSummary s, JvmGcAccumulator run, double limit) {
        OptionalDouble heap = heapLimit(s);
        if (heap.isEmpty() || run.health.backwardJumps > 0) {
            return Optional.empty();
        }
        JvmGcAccumulator.Trend full = run.afterFullTrend;
        JvmGcAccumulator.Trend deep = run.afterDeep;
        JvmGcAccumulator.Trend trend = full.count() >= 3 ? full : deep;
        String of = full.count() >= 3 ? "full" : "deep";
        if (trend.count() < 3 || !trend.known() || trend.determination() < 0.7) {
            return Optional.empty();
        }
        double percent = 100 * trend.rise() / heap.getAsDouble();
        return percent > limit
                ? Optional.of(format(
                        "The heap after %s collections rose by %.1f MiB in %.0f s (%d collections), %.0f %% of the heap: a leak"
                                + " is to be suspected.",
                        of, trend.rise() / MEBIBYTE, trend.spanSeconds(), trend.count(), percent))
                : Optional.empty();
    }

    private static Optional<String> safepointsOutweigh(GcSummary s, JvmGcAccumulator run, double limit) {
        OptionalDouble stops = s.safepoints().totalSeconds().value();
        OptionalDouble pauses = s.exact().pauseTotalSeconds().value();
        if (stops.isEmpty() || pauses.isEmpty() || pauses.getAsDouble() <= 0) {
            return Optional.empty();
        }
        double factor = stops.getAsDouble() / pauses.getAsDouble();
        return factor > limit
                ? Optional.of(format(
                        "The application stood still for %.3f s, %.1f times the GC pauses of %.3f s: GC throughput does not tell"
                                + " all of it.",
                        stops.getAsDouble(), factor, pauses.getAsDouble()))
                : Optional.empty();
    }

    private static OptionalDouble heapLimit(GcSummary s) {
        OptionalDouble limit = s.heap().maximumBytes().value();
        return limit.isPresent() ? limit : s.exact().footprintBytes().value();
    }

    private static Optional<String> when(MeasuredValue figure, DoublePredicate beyond, DoubleFunction<String> text) {
        OptionalDouble value = figure.value();
        return value.isPresent() && beyond.test(value.getAsDouble())
                ? Optional.of(text.apply(value.getAsDouble()))
                : Optional.empty();
    }

    private static String rate(MeasuredValue bytesPerSecond) {
        return bytesPerSecond.fold(v -> format("%.1f MiB/s", v / MEBIBYTE), reason -> "unknown");
    }

    private static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
