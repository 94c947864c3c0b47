/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.gatebench.model.LoadResult;
import io.gatebench.model.LoadResult.CorrectedResponseTimes;
import io.gatebench.model.LoadResult.OpenLoad;
import io.gatebench.model.MeasurementWindow;
import io.gatebench.model.SecondOfLoad;
import io.gatebench.model.SecondOfLoad.Completions;
import io.gatebench.model.TestCaseResult;
import io.gatebench.report.SampleRuns;

/** The rule against simulated gateways: what stood still is known exactly, and so is that nothing did. */
class StandstillIT {

    private static final double WARM_UP = 5000;

    /** A request: when it started and ended, in milliseconds since the start of the test. */
    private record Request(double start, double end) {}

    /** Time in which the gateway works on nothing. */
    private record Stall(double from, double to) {
        double delayed(double start, double end) {
            return start < to && end > from ? to + (end - Math.max(start, from)) : end;
        }
    }

    /** A load on a gateway whose response times are drawn; all times in milliseconds. */
    private static final class Gateway {
        private final Random random;
        private final List<Stall> stalls = new ArrayList<>();
        private double shortest;
        private double exponential;
        private double thinkTime;
        private double rampUp;

        private Gateway(long seed, double shortest, double exponential) {
            this.random = new Random(seed);
            this.shortest = shortest;
            this.exponential = exponential;
        }

        private Gateway stall(double secondOfWindow, double seconds) {
            double from = WARM_UP + secondOfWindow * 1000;
            stalls.add(new Stall(from, from + seconds * 1000));
            return this;
        }

        private Request request(double start) {
            double end = start + shortest - exponential * Math.log(1 - random.nextDouble());
            for (Stall stall : stalls) {
                end = stall.delayed(start, end);
            }
            return new Request(start, end);
        }

        TestCaseResult.Completed closed(int users, double seconds) {
            double last = WARM_UP + seconds * 1000;
            PriorityQueue<Double> starts = new PriorityQueue<>();
            for (int user = 0; user < users; user++) {
                starts.add(rampUp * user / users);
            }
            List<Request> requests = new ArrayList<>();
            while (!starts.isEmpty() && starts.peek() < last) {
                Request request = request(starts.remove());
                requests.add(request);
                starts.add(request.end() + thinkTime);
            }
            double[] times = requests.stream()
                    .mapToDouble(request -> request.end() - request.start())
                    .sorted()
                    .toArray();
            double cycle = times[times.length / 2] + thinkTime;
            return run(requests, users, seconds, Optional.of(cycle), Optional.empty());
        }

        TestCaseResult.Completed open(double perSecond, double seconds) {
            double last = WARM_UP + seconds * 1000;
            List<Request> requests = new ArrayList<>();
            for (double start = 0; start < last; start += 1000 / perSecond) {
                requests.add(request(start));
            }
            long inWindow = Math.round(perSecond * seconds);
            return run(
                    requests,
                    100,
                    seconds,
                    Optional.empty(),
                    Optional.of(new OpenLoad(inWindow, inWindow, 0, 100, 10)));
        }

        private TestCaseResult.Completed run(
                List<Request> requests, int users, double seconds, Optional<Double> cycle, Optional<OpenLoad> open) {
            double last = WARM_UP + seconds * 1000;
            Map<Integer, List<Request>> started =
                    requests.stream().collect(Collectors.groupingBy(request -> (int) (request.start() / 1000)));
            Map<Integer, List<Request>> ended = requests.stream()
                    .filter(request -> request.end() < last)
                    .collect(Collectors.groupingBy(request -> (int) (request.end() / 1000)));
            List<SecondOfLoad> series = new ArrayList<>();
            for (int second = 0; second * 1000 < last; second++) {
                double from = second * 1000.0;
                double[] times = started.getOrDefault(second, List.of()).stream()
                        .mapToDouble(request -> request.end() - request.start())
                        .sorted()
                        .toArray();
                double[] ends = ended.getOrDefault(second, List.of()).stream()
                        .mapToDouble(request -> request.end() - from)
                        .sorted()
                        .toArray();
                series.add(new SecondOfLoad(
                        second,
                        times.length,
                        0,
                        Arrays.stream(times).average().orElse(0),
                        times.length == 0 ? 0 : times[times.length / 2],
                        times.length == 0 ? 0 : times[times.length * 99 / 100],
                        times.length == 0 ? 0 : times[times.length - 1],
                        users,
                        Optional.of(new Completions(
                                ends.length,
                                ends.length == 0 ? 0 : (int) ends[0],
                                ends.length == 0 ? 0 : (int) ends[ends.length - 1]))));
            }
            TestCaseResult.Completed sample =
                    SampleRuns.completed(SampleRuns.testCase("passthrough", users, 50), 1000, 0);
            LoadResult load = sample.load();
            LoadResult measured = new LoadResult(
                    load.started(),
                    new MeasurementWindow(
                            load.started().plusMillis((long) WARM_UP),
                            load.started().plusMillis((long) last)),
                    load.warmUp(),
                    load.measurement(),
                    cycle.map(millis -> new CorrectedResponseTimes(millis, Map.of())),
                    series,
                    load.health(),
                    load.failures(),
                    load.firstFailures(),
                    open,
                    load.aborted(),
                    Map.of());
            LoadResult.Method method = new LoadResult.Method("closed", true, thinkTime > 0, false);
            return new TestCaseResult.Completed(
                    sample.testCase(),
                    1,
                    sample.started(),
                    sample.ended(),
                    SampleRuns.told(measured, Optional.of(method), Optional.empty(), Optional.empty()),
                    Optional.empty(),
                    List.of(),
                    List.of(),
                    Map.of());
        }
    }

    private static List<String> said(TestCaseResult.Completed run) {
        return RunRules.judge(run).stream()
                .filter(finding -> finding.rule() == Rule.STANDSTILL)
                .map(Finding::text)
                .toList();
    }

    @ParameterizedTest
    @CsvSource({"closed, 0, 0", "closed, 4, 4", "closed, 7.6, 7.6", "open, 0, 0", "open, 4, 4", "open, 7.6, 7.6"})
    void namesSecondAndLengthOfAStandstill(String model, double second, String named) {
        for (double delay : new double[] {0, 30}) {
            Gateway gateway = new Gateway(3, delay + 0.2, 0.5).stall(second, 2);
            TestCaseResult.Completed run = model.equals("closed") ? gateway.closed(20, 10) : gateway.open(500, 10);
            assertThat(said(run)).hasSize(1);
            String[] words = said(run).get(0).split(" ");
            assertThat(said(run).get(0))
                    .matches("nothing was answered for [0-9.]+ s from second [0-9.]+ of the window on");
            assertThat(Double.parseDouble(words[4])).isBetween(1.95, 2.1);
            assertThat(Double.parseDouble(words[8])).isBetween(Math.max(0, second - 0.05), second + 0.05);
        }
    }

    @Test
    void namesWhatGoesBeyondTheEndAndCountsWhatComesAgain() {
        assertThat(said(new Gateway(1, 1, 1).stall(8.5, 4).open(500, 10)))
                .singleElement()
                .asString()
                .startsWith("nothing was answered for 1.5 s from second 8.");
        assertThat(said(new Gateway(1, 1, 1)
                        .stall(2, 1.5)
                        .stall(5, 2)
                        .stall(9, 1.25)
                        .closed(10, 20)))
                .singleElement()
                .asString()
                .startsWith(
                        "nothing was answered for 2 s from second 5 of the window on, and at 2 other times, 4.75 s in all");
    }

    @Test
    void seesAStandstillOfUsersThatThinkAndOfLongResponseTimes() {
        Gateway thinking = new Gateway(5, 2, 5).stall(20, 2);
        thinking.thinkTime = 5000;
        thinking.rampUp = 5000;
        assertThat(said(thinking.closed(100, 60))).hasSize(1);
        assertThat(said(new Gateway(5, 2000, 20).stall(20, 4).closed(50, 60)))
                .as("in step: a gap of two seconds in each cycle")
                .hasSize(1);
    }

    @Test
    void seesThatNextToNothingIsAnswered() {
        Gateway slow = new Gateway(9, 1, 2);
        // One of a hundred gets through: the others wait.
        TestCaseResult.Completed run = slow.open(1000, 20);
        List<SecondOfLoad> series = run.load().series().stream()
                .map(second -> second.second() == 12 || second.second() == 13
                        ? new SecondOfLoad(
                                second.second(),
                                1000,
                                0,
                                1500,
                                1500,
                                1990,
                                2000,
                                100,
                                Optional.of(new Completions(10, 5, 950)))
                        : second)
                .toList();
        LoadResult load = run.load();
        TestCaseResult.Completed changed = new TestCaseResult.Completed(
                run.testCase(),
                1,
                run.started(),
                run.ended(),
                new LoadResult(
                        load.started(),
                        load.window(),
                        load.warmUp(),
                        load.measurement(),
                        load.corrected(),
                        series,
                        load.health(),
                        load.failures(),
                        load.firstFailures(),
                        load.open(),
                        load.aborted(),
                        load.facts()),
                Optional.empty(),
                List.of(),
                List.of(),
                Map.of());
        assertThat(said(changed))
                .singleElement()
                .asString()
                .startsWith("the median response time was 1,500 instead of ")
                .endsWith(" ms for 2 s from second 7 of the window on");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void saysNothingOfPausesLowRatesLongResponsesAndThinking(long seed) {
        Gateway pausing = new Gateway(seed, 1, 2);
        for (int second = 1; second < 60; second += 4) {
            pausing.stall(second + 0.3, 0.3 + 0.05 * (second % 13));
        }
        assertThat(said(pausing.closed(50, 60))).as("pauses of a collector").isEmpty();
        assertThat(said(pausing.open(300, 60))).as("pauses, open").isEmpty();

        assertThat(said(new Gateway(seed, 5, 20).open(4, 60)))
                .as("4 per second")
                .isEmpty();
        assertThat(said(new Gateway(seed, 5, 20).open(0.5, 120)))
                .as("1 in two seconds")
                .isEmpty();
        assertThat(said(new Gateway(seed, 0, 400).closed(1, 60)))
                .as("1 user, at random")
                .isEmpty();
        assertThat(said(new Gateway(seed, 0, 3000).closed(5, 120)))
                .as("5 users, long at random")
                .isEmpty();

        assertThat(said(new Gateway(seed, 3000, 30).closed(100, 60)))
                .as("3 s in step")
                .isEmpty();
        assertThat(said(new Gateway(seed, 1000, 10).closed(100, 10)))
                .as("1 s in step")
                .isEmpty();
        Gateway thinking = new Gateway(seed, 1, 5);
        thinking.thinkTime = 5000;
        assertThat(said(thinking.closed(20, 60))).as("thinking in step").isEmpty();
        thinking.rampUp = 5000;
        assertThat(said(thinking.closed(20, 60))).as("thinking in turns").isEmpty();
    }

    @Test
    void saysNothingWhereTheSeriesDoesNotTell() {
        TestCaseResult.Completed sample = SampleRuns.completed(SampleRuns.testCase("passthrough", 100, 50), 1000, 0);
        assertThat(said(sample)).isEmpty();
    }
}
