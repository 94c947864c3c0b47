/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gc;

import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Stream;

import io.gatebench.model.GcSummary;
import io.gatebench.model.MeasuredValue;
import io.gatebench.model.ResponseTimes;

/**
 * Two GC logs side by side, figure by figure.
 *
 * @param before the file of the first log
 * @param after the file of the second log
 * @param rows the figures
 * @since 0.1
 */
public record GcComparison(String before, String after, List<Row> rows) {

    /** Largest distance of the run times of two logs for their sums to be compared. */
    private static final double SAME_LENGTH = 0.05;

    /** Copies the list. */
    public GcComparison {
        rows = List.copyOf(rows);
    }

    /** Meaning of a difference. */
    private enum Meaning {
        MORE_IS_BETTER,
        LESS_IS_BETTER,
        /** Grows with the run: less is better only between runs of the same length. */
        LESS_PER_RUN,
        NEITHER
    }

    /**
     * Compares two logs by their exact figures.
     *
     * <p>Sums and counts grow with the run time: they are judged only if the run times differ by 5 % at most.
     */
    public static GcComparison of(GcSummary before, GcSummary after) {
        MeasuredValue first = before.exact().runTimeSeconds();
        MeasuredValue second = after.exact().runTimeSeconds();
        boolean sameLength = first.value().isPresent()
                && second.value().isPresent()
                && Math.abs(second.value().getAsDouble() / first.value().getAsDouble() - 1) <= SAME_LENGTH;
        Meaning perRun = sameLength ? Meaning.LESS_IS_BETTER : Meaning.LESS_PER_RUN;
        List<Row> rows = Stream.of(
                        new Figure("runTimeSeconds", s -> s.exact().runTimeSeconds(), Meaning.NEITHER),
                        new Figure("gcThroughputPercent", s -> s.exact().gcThroughputPercent(), Meaning.MORE_IS_BETTER),
                        new Figure("pauseTotalSeconds", s -> s.exact().pauseTotalSeconds(), perRun),
                        new Figure("pauseCount", s -> s.exact().pauseCount(), perRun),
                        new Figure("pauseMeanMillis", pause(ResponseTimes::meanMillis), Meaning.LESS_IS_BETTER),
                        new Figure("pauseP99Millis", pause(ResponseTimes::p99Millis), Meaning.LESS_IS_BETTER),
                        new Figure("pauseMaxMillis", pause(ResponseTimes::maxMillis), Meaning.LESS_IS_BETTER),
                        new Figure("fullGcCount", s -> s.exact().fullGcCount(), perRun),
                        new Figure(
                                "footprintAfterFullGcMeanBytes",
                                s -> s.exact().footprintAfterFullGcMeanBytes(),
                                Meaning.LESS_IS_BETTER),
                        new Figure("footprintBytes", s -> s.exact().footprintBytes(), Meaning.LESS_IS_BETTER),
                        new Figure("concurrentSeconds", GcSummary::concurrentSeconds, perRun),
                        new Figure("safepointSeconds", s -> s.safepoints().totalSeconds(), perRun),
                        new Figure(
                                "allocationRateBytesPerSecond",
                                s -> s.heap().allocationRateBytesPerSecond(),
                                Meaning.NEITHER),
                        new Figure("evacuationFailures", s -> s.counts().evacuationFailures(), perRun))
                .map(figure -> row(figure.name(), figure.of(before), figure.of(after), figure.meaning()))
                .toList();
        return new GcComparison(last(before.files()), last(after.files()), rows);
    }

    private record Figure(String name, Function<GcSummary, MeasuredValue> in, Meaning meaning) {
        private MeasuredValue of(GcSummary summary) {
            return in.apply(summary);
        }
    }

    private static String last(List<String> files) {
        return files.get(files.size() - 1);
    }

    private static Function<GcSummary, MeasuredValue> pause(Function<ResponseTimes, Double> millis) {
        return summary -> summary.pauses()
                .map(millis)
                .map(MeasuredValue::of)
                .orElseGet(() -> MeasuredValue.absent("there were no pauses, or they cannot be added up"));
    }

    private static Row row(String name, MeasuredValue before, MeasuredValue after, Meaning meaning) {
        if (before.value().isEmpty() || after.value().isEmpty()) {
            String reason = before.value().isEmpty() ? "first log: " + reason(before) : "second log: " + reason(after);
            return new Row(name, before, after, MeasuredValue.absent(reason), "not comparable");
        }
        double a = before.value().getAsDouble();
        double b = after.value().getAsDouble();
        MeasuredValue change = a == 0
                ? MeasuredValue.absent(b == 0 ? "both are 0" : "the first is 0")
                : MeasuredValue.of(100 * (b - a) / Math.abs(a));
        return new Row(name, before, after, change, a == b ? "equal" : verdict(meaning, b > a));
    }

    private static String verdict(Meaning meaning, boolean more) {
        return switch (meaning) {
            case MORE_IS_BETTER -> more ? "better" : "worse";
            case LESS_IS_BETTER -> more ? "worse" : "better";
            case LESS_PER_RUN -> "run times differ";
            case NEITHER -> more ? "more" : "less";
        };
    }

    private static String reason(MeasuredValue figure) {
        return figure.fold(value -> "", reason -> reason);
    }

    /** Returns text for people. */
    public String table() {
        StringBuilder out = new StringBuilder();
        out.append("first  ").append(before).append('\n');
        out.append("second ").append(after).append('\n');
        out.append(String.format(Locale.ROOT, "  %-34s %18s %18s %10s  %s\n", "", "first", "second", "change %", ""));
        for (Row row : rows) {
            out.append(String.format(
                    Locale.ROOT,
                    "  %-34s %18s %18s %10s  %s\n",
                    row.name(),
                    GcReport.text(row.before(), "%.3f", 1),
                    GcReport.text(row.after(), "%.3f", 1),
                    GcReport.text(row.changePercent(), "%+.1f", 1),
                    row.verdict()));
        }
        return out.toString();
    }

    /** Returns one JSON object, ending with a line feed. */
    public String json() {
        Json json = new Json();
        json.begin();
        json.key("before").text(before);
        json.key("after").text(after);
        json.key("rows").array(rows, row -> {
            json.begin();
            json.key("name").text(row.name());
            value(json.key("before"), row.before());
            value(json.key("after"), row.after());
            value(json.key("changePercent"), row.changePercent());
            json.key("verdict").text(row.verdict());
            json.key("reasons").begin();
            reason(json, "before", row.before());
            reason(json, "after", row.after());
            reason(json, "changePercent", row.changePercent());
            json.end();
            json.end();
        });
        json.end();
        return json + "\n";
    }

    private static void reason(Json json, String name, MeasuredValue figure) {
        figure.fold(value -> json, reason -> json.key(name).text(reason));
    }

    private static void value(Json json, MeasuredValue figure) {
        figure.fold(json::number, reason -> json.nothing());
    }

    /** Returns CSV with a header; what is absent is {@code N/A}. */
    public String csv() {
        StringBuilder out = new StringBuilder("name,before,after,changePercent,verdict\n");
        for (Row row : rows) {
            out.append(row.name());
            for (MeasuredValue figure : List.of(row.before(), row.after(), row.changePercent())) {
                out.append(',').append(figure.fold(Json::plain, reason -> "N/A"));
            }
            out.append(',').append(row.verdict()).append('\n');
        }
        return out.toString();
    }

    /**
     * One figure of both logs.
     *
     * @param name its name
     * @param before in the first log
     * @param after in the second log
     * @param changePercent change from the first to the second
     * @param verdict {@code better}, {@code worse}, {@code equal}, {@code more} or {@code less} where neither is better,
     *     {@code run times differ} where that forbids a judgement, or {@code not comparable}; says nothing about noise
     */
    public record Row(
            String name, MeasuredValue before, MeasuredValue after, MeasuredValue changePercent, String verdict) {}
}
