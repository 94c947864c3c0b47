/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.verdict;

import static io.gatebench.report.verdict.Text.number;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

import io.gatebench.model.LoadResult;
import io.gatebench.model.LoadResult.CorrectedResponseTimes;
import io.gatebench.model.SecondOfLoad;
import io.gatebench.model.SecondOfLoad.Completions;

/** Finds the time inside a measurement window in which nothing, or next to nothing, was answered. */
final class Standstill {

    /** Shorter ones, such as pauses of a collector, belong to the figures. */
    private static final double MIN_MILLIS = 1000;
    /** Answers that come at random leave a gap of the length that is looked for in one of so many windows. */
    private static final double WINDOWS_PER_FALSE_ALARM = 1000;
    /** Users that go in step leave a gap in each of their cycles, and a cycle may be longer than the median one. */
    private static final double MAX_CYCLE = 1.5;

    private static final double JUMP_TIMES = 10;
    private static final double JUMP_MILLIS = 500;
    private static final long JUMP_SAMPLES = 10;
    private static final int JUMP_SECONDS = 5;

    private Standstill() {}

    private record Gap(double fromMillis, double toMillis) {
        double length() {
            return toMillis - fromMillis;
        }
    }

    /**
     * Returns what stood still when and for how long, as part of a sentence, if anything did; nothing where the series does
     * not tell when answers ended.
     *
     * @param window the whole seconds of the window
     */
    static Optional<String> longest(LoadResult load, List<SecondOfLoad> window) {
        if (load.series().isEmpty()
                || load.series().stream()
                        .anyMatch(second -> second.completions().isEmpty())) {
            return Optional.empty();
        }
        return silence(load).or(() -> jump(load, window));
    }

    private static Optional<String> silence(LoadResult load) {
        double from = Duration.between(load.started(), load.window().start()).toMillis();
        double to = Duration.between(load.started(), load.window().end()).toMillis();
        List<Gap> gaps = new ArrayList<>();
        double last = from;
        long answers = 0;
        for (SecondOfLoad second : load.series()) {
            Completions completions = second.completions().orElseThrow();
            double begin = second.second() * 1000.0;
            if (completions.count() == 0 || begin + completions.lastMillis() < from) {
                continue;
            }
            if (begin + completions.firstMillis() >= to) {
                break;
            }
            answers += completions.count();
            gaps.add(new Gap(last, begin + completions.firstMillis()));
            last = Math.max(last, begin + completions.lastMillis());
        }
        gaps.add(new Gap(last, to));
        gaps.removeIf(gap -> gap.length() < MIN_MILLIS);
        double limit = limit(load, gaps.size(), answers, to - from);
        gaps.removeIf(gap -> gap.length() < limit);
        if (gaps.isEmpty()) {
            return Optional.empty();
        }
        Gap longest = gaps.stream()
                .max((one, other) -> Double.compare(one.length(), other.length()))
                .orElseThrow();
        double all = gaps.stream().mapToDouble(Gap::length).sum();
        return Optional.of("nothing was answered for " + number(longest.length() / 1000) + " s from second "
                + number((longest.fromMillis() - from) / 1000) + " of the window on"
                + (gaps.size() == 1
                        ? ""
                        : ", and at " + (gaps.size() - 1) + " other time" + (gaps.size() == 2 ? "" : "s") + ", "
                                + number(all / 1000) + " s in all"));
    }

    /** Returns the gap that rate and cycle explain: of answers at random, and of users that go in step. */
    private static double limit(LoadResult load, int gaps, long answers, double window) {
        double atRandom = answers == 0 ? 0 : Math.log(answers * WINDOWS_PER_FALSE_ALARM) * window / answers;
        double cycle = load.corrected()
                .map(CorrectedResponseTimes::expectedIntervalMillis)
                .orElse(0.0);
        boolean inStep = gaps * cycle >= window / 2;
        return Math.max(MIN_MILLIS, Math.max(atRandom, inStep ? MAX_CYCLE * cycle : 0));
    }

    /** Returns the longest run of seconds in which few were answered, and those late: nearly a standstill. */
    private static Optional<String> jump(LoadResult load, List<SecondOfLoad> window) {
        double[] medians = window.stream()
                .filter(second -> second.samples() >= JUMP_SAMPLES)
                .mapToDouble(SecondOfLoad::p50Millis)
                .sorted()
                .toArray();
        if (medians.length < JUMP_SECONDS) {
            return Optional.empty();
        }
        double usual = medians[medians.length / 2];
        double[] answers = window.stream().mapToDouble(Standstill::answers).toArray();
        Arrays.sort(answers);
        double usualAnswers = answers[answers.length / 2];
        int slow = 0;
        int run = 0;
        int longest = 0;
        SecondOfLoad end = window.get(0);
        for (SecondOfLoad second : window) {
            boolean jumped = second.samples() >= JUMP_SAMPLES
                    && second.p50Millis() > JUMP_TIMES * usual
                    && second.p50Millis() > usual + JUMP_MILLIS
                    && answers(second) < usualAnswers / 2;
            run = jumped ? run + 1 : 0;
            slow += jumped ? 1 : 0;
            if (run > longest) {
                longest = run;
                end = second;
            }
        }
        // What holds for a third of the time is the way of the gateway, not its standstill.
        if (longest == 0 || slow > window.size() / 3) {
            return Optional.empty();
        }
        double begin = end.second()
                - longest
                + 1
                - Duration.between(load.started(), load.window().start()).toMillis() / 1000.0;
        return Optional.of("the median response time was " + number(end.p50Millis()) + " instead of " + number(usual)
                + " ms for " + longest + " s from second " + number(begin) + " of the window on");
    }

    private static double answers(SecondOfLoad second) {
        return second.completions().orElseThrow().count();
    }
}
