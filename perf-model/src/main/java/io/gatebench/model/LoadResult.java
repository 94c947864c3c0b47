/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.model;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Measurement of the load generator in one test.
 *
 * @param started the first start of a sample
 * @param window the measurement window
 * @param warmUp statistics of the samples before the window, per label
 * @param measurement statistics of the samples in the window, per label
 * @param corrected response times corrected for coordinated omission; the raw ones are in {@code measurement}
 * @param series one entry per second of the whole test
 * @param health the load generator's own state
 * @param failures number of failed samples of the whole test per reason
 * @param firstFailures the first failed answers
 * @param open what the open model asked for and got; empty in the closed model
 * @param aborted why the test ended before its time, if it did
 * @param requests the requests of the window and what became of them; empty in results that do not tell
 * @param facts further facts about the test that are only shown, e.g. {@code http.client}, {@code unfinished.samples}
 * @param warmUpEnd how the warm-up ended; empty in results that were written before it was recorded
 * @param method how the load was sent; empty in results that do not tell
 * @param startSkew how far the starts of several load generators lie apart; empty if there was one only
 * @param probes the probes that were sent along with the load, if any were
 * @param steps statistics of the samples in the window, per step of the scenario; {@code measurement} holds them together.
 *     Empty where users send one request again and again
 * @since 0.1
 */
public record LoadResult(
        Instant started,
        MeasurementWindow window,
        List<SampleStatistics> warmUp,
        List<SampleStatistics> measurement,
        Optional<CorrectedResponseTimes> corrected,
        List<SecondOfLoad> series,
        LoadGeneratorHealth health,
        Map<String, Long> failures,
        List<ResponseExcerpt> firstFailures,
        Optional<OpenLoad> open,
        Optional<String> aborted,
        Optional<WindowRequests> requests,
        Map<String, String> facts,
        Optional<WarmUpEnd> warmUpEnd,
        Optional<Method> method,
        Optional<Duration> startSkew,
        Optional<SideProbes> probes,
        List<SampleStatistics> steps) {

    /** Fact: how often each route of a scenario was begun in the window, in percent, beside what its weight says. */
    public static final String ROUTES = "routes";

    /** Copies the collections. */
    public LoadResult {
        warmUp = List.copyOf(warmUp);
        measurement = List.copyOf(measurement);
        series = List.copyOf(series);
        failures = Map.copyOf(failures);
        firstFailures = List.copyOf(firstFailures);
        facts = Map.copyOf(facts);
        steps = given(steps);
    }

    /** Results that were written before there were steps have none. */
    private static List<SampleStatistics> given(List<SampleStatistics> steps) {
        return steps == null ? List.of() : List.copyOf(steps);
    }

    /** Creates a result that tells nothing that is optional and comes behind {@code aborted}. */
    public LoadResult(
            Instant started,
            MeasurementWindow window,
            List<SampleStatistics> warmUp,
            List<SampleStatistics> measurement,
            Optional<CorrectedResponseTimes> corrected,
            List<SecondOfLoad> series,
            LoadGeneratorHealth health,
            Map<String, Long> failures,
            List<ResponseExcerpt> firstFailures,
            Optional<OpenLoad> open,
            Optional<String> aborted,
            Map<String, String> facts) {
        this(
                started,
                window,
                warmUp,
                measurement,
                corrected,
                series,
                health,
                failures,
                firstFailures,
                open,
                aborted,
                Optional.empty(),
                facts,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                List.of());
    }

    /** Returns the result without its series, which is as long as the test and takes nearly all of its memory. */
    public LoadResult withoutSeries() {
        return new LoadResult(
                started,
                window,
                warmUp,
                measurement,
                corrected,
                List.of(),
                health,
                failures,
                firstFailures,
                open,
                aborted,
                requests,
                facts,
                warmUpEnd,
                method,
                startSkew,
                probes,
                steps);
    }

    /** Returns whether every user waited for an answer at any moment: the closed model without think time. */
    public boolean closedWithoutThinkTime() {
        return open.isEmpty() && method.filter(Method::usersWaitByPlan).isEmpty();
    }

    /** Returns whether the load was meant to change while it ran. */
    public boolean changesByPlan() {
        return method.filter(Method::changesByPlan).isPresent();
    }

    /**
     * Method by which the load was sent.
     *
     * @param model the load model in words, without the users of the test case, e.g. {@code closed, think time 2s}
     * @param ownClient whether the HTTP client was one of Gatebench's own
     * @param usersWaitByPlan whether users do not have a request under way all the time: think time, pacing, a given rate
     * @param changesByPlan whether the rate or the number of users changes by plan
     */
    public record Method(String model, boolean ownClient, boolean usersWaitByPlan, boolean changesByPlan) {}

    /**
     * Probes that were sent along with the load, apart from its samples.
     *
     * @param sent how many were sent
     * @param wrong how many of them were answered wrongly
     * @param firstWrong the first of those answers in words, if there was one
     */
    public record SideProbes(long sent, long wrong, Optional<String> firstWrong) {}

    /**
     * Demand of an open model, and what the load generator could do of it.
     *
     * <p>Response times of an open model count from the intended start of a request, so that a request which had to
     * wait for a free user is as slow as its caller would have found it.
     *
     * @param intended requests that the schedule asked for in the measurement window
     * @param started requests of the window that were sent
     * @param late started requests that waited more than one millisecond for a free user
     * @param usersAvailable users that could work at the same time
     * @param usersNeeded largest number of users that were at work at the same time
     */
    public record OpenLoad(long intended, long started, long late, int usersAvailable, int usersNeeded) {}

    /**
     * Outcome of the requests of the measurement window.
     *
     * <p>Throughput is {@code completed} through the length of the window. It counts the answers that a server gave in it,
     * so that requests which were sent before the window are part of it, and those answered after it are not.
     *
     * @param sent requests whose start, in the open model the intended one, lies in the window
     * @param completed answers that ended in the window, failed ones included, whenever their requests had started
     * @param answeredLate requests of the window whose answers ended after it
     * @param unanswered requests of the window that were given up: no whole answer within the time limit, or until the
     *     load generator stopped waiting after the end
     */
    public record WindowRequests(long sent, long completed, long answeredLate, long unanswered) {}

    /**
     * Response times of the closed model as an open one would have seen them.
     *
     * @param expectedIntervalMillis the interval between two requests of one user that the correction assumes
     * @param perLabel corrected response times per label
     */
    public record CorrectedResponseTimes(double expectedIntervalMillis, Map<String, ResponseTimes> perLabel) {

        /** Copies the map. */
        public CorrectedResponseTimes {
            perLabel = Map.copyOf(perLabel);
        }
    }
}
