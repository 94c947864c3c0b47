/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.ab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.gatebench.model.DataSize;
import io.gatebench.model.MessageLevel;
import io.gatebench.model.TestCase;
import io.gatebench.report.ab.AbWindow.Side;
import io.gatebench.report.compare.Comparison.Outcome;

class AbJudgeTest {

    private static final AbJudge JUDGE = new AbJudge(0.05, 5, 1, 1);
    /** What the starts differ by beside the effect: its mean is 0. */
    private static final double[] NOISE = {0.01, -0.02, 0.015, -0.01, 0.005, 0.0};

    @Test
    void callsAGatewaySlowerThatIsTenPercentSlowerInEveryStart() {
        List<AbVerdict> verdicts = JUDGE.judge(measured(0.90, 1 / 0.90));

        AbVerdict throughput = verdicts.get(0);
        assertThat(throughput.outcome()).isEqualTo(Outcome.SLOWER);
        assertThat(throughput.ratio().getAsDouble()).isCloseTo(0.90, within(1e-6));
        assertThat(throughput.high().getAsDouble()).isLessThan(1);
        assertThat(throughput.starts()).isEqualTo(6);
        assertThat(of(verdicts, AbFigure.CPU_PER_REQUEST).outcome()).isEqualTo(Outcome.SLOWER);
        assertThat(AbJudge.isDecided(verdicts)).isTrue();
    }

    @Test
    void callsAGatewayFasterWhoseTimesFallAndThroughputRises() {
        List<AbVerdict> verdicts = JUDGE.judge(measured(1.2, 1 / 1.2));

        assertThat(verdicts).extracting(AbVerdict::outcome).containsOnly(Outcome.FASTER);
    }

    @Test
    void isUndecidedWhereALossAboveTheLimitIsNotRuledOut() {
        List<AbVerdict> verdicts = new AbJudge(0.05, 2, 1, 1).judge(measured(0.99, 1));

        assertThat(verdicts.get(0).outcome()).isEqualTo(Outcome.UNDECIDED);
        assertThat(AbJudge.isDecided(verdicts)).isFalse();
    }

    @Test
    void aWiderLimitIsRuledOutWhereANarrowOneIsNot() {
        AbJudge generous = new AbJudge(0.05, 15, 1, 1);

        assertThat(generous.judge(measured(1, 1)))
                .extracting(AbVerdict::outcome)
                .containsOnly(Outcome.NO_DIFFERENCE);
        assertThat(AbJudge.isDecided(generous.judge(measured(1, 1)))).isTrue();
    }

    @Test
    void saysNothingFromTwoStarts() {
        AbCase two = new AbCase(testCase(), measured(0.5, 2).starts().subList(0, 2));

        AbVerdict throughput = JUDGE.judge(two).get(0);

        assertThat(throughput.outcome()).isEqualTo(Outcome.UNDECIDED);
        assertThat(throughput.ratio()).isPresent();
        assertThat(throughput.low()).isEmpty();
    }

    @Test
    void aPairWithAnInvalidWindowCountsForNothing() {
        List<AbCase.Start> starts = new ArrayList<>(measured(1, 1).starts());
        List<AbWindow> windows = new ArrayList<>(starts.get(0).windows());
        windows.add(window(9, Side.A, 1000, 100, Optional.empty()));
        windows.add(window(9, Side.B, 1, 100_000, Optional.of("3 of 10 responses were errors")));
        starts.set(0, new AbCase.Start(starts.get(0).fraction(), windows, Map.of()));

        assertThat(JUDGE.judge(new AbCase(testCase(), starts))).isEqualTo(JUDGE.judge(measured(1, 1)));
    }

    @Test
    void windowsAreNeededUntilTheirPairsTellHalfTheLoss() {
        assertThat(JUDGE.needsMoreWindows(pairs(0.99, 1.01, 0.98, 1.02))).isFalse();
        assertThat(JUDGE.needsMoreWindows(pairs(0.9, 1.1, 0.85, 1.15))).isTrue();
        assertThat(new AbJudge(0.05, 50, 1, 1).needsMoreWindows(pairs(0.9, 1.1, 0.85, 1.15)))
                .as("where a loss of half is looked for")
                .isFalse();
        assertThat(JUDGE.needsMoreWindows(List.of(window(1, Side.A, 1000, 100, Optional.of("an error")))))
                .as("where no pair can be used")
                .isFalse();
    }

    private static List<AbWindow> pairs(double... ratios) {
        List<AbWindow> windows = new ArrayList<>();
        for (double ratio : ratios) {
            int pair = windows.size() / 2 + 1;
            windows.add(window(pair, Side.A, 1000, 100, Optional.empty()));
            windows.add(window(pair, Side.B, 1000 * ratio, 100, Optional.empty()));
        }
        return windows;
    }

    @Test
    void moreCasesMakeTheIntervalsWider() {
        AbVerdict one = JUDGE.judge(measured(1, 1)).get(0);
        AbVerdict ofTen = new AbJudge(0.05, 5, 1, 10).judge(measured(1, 1)).get(0);

        assertThat(ofTen.low().getAsDouble()).isLessThan(one.low().getAsDouble());
    }

    @Test
    void withoutCpuTimeTheOtherFiguresAreJudged() {
        List<AbCase.Start> starts = measured(0.9, 1).starts().stream()
                .map(start -> new AbCase.Start(
                        start.fraction(),
                        start.windows().stream().map(AbJudgeTest::withoutCpu).toList(),
                        Map.of()))
                .toList();

        assertThat(JUDGE.judge(new AbCase(testCase(), starts)))
                .extracting(AbVerdict::figure)
                .containsExactly(AbFigure.THROUGHPUT);
    }

    @Test
    void saysOfAllocationThatItIsMoreAndCallsNobodySlowerForIt() {
        List<AbCase.Start> starts = new ArrayList<>();
        for (AbCase.Start start : measured(1, 1).starts()) {
            double noise = 1 + start.fraction() / 100;
            starts.add(new AbCase.Start(
                    start.fraction(),
                    start.windows(),
                    Map.of(
                            Side.A, Map.of(AbFigure.ALLOCATION_PER_REQUEST, 10_000.0),
                            Side.B, Map.of(AbFigure.ALLOCATION_PER_REQUEST, 12_000 * noise))));
        }
        AbCase measured = new AbCase(testCase(), starts);

        AbVerdict allocation = of(JUDGE.judge(measured), AbFigure.ALLOCATION_PER_REQUEST);

        assertThat(allocation.ratio().getAsDouble()).isBetween(1.2, 1.22);
        assertThat(allocation.word()).isEqualTo("more");
        assertThat(new AbResult("a", "b", 1, JUDGE, List.of(measured), List.of()).slower())
                .isFalse();
        assertThat(of(JUDGE.judge(measured), AbFigure.THROUGHPUT))
                .as("the others keep their parts")
                .isEqualTo(of(JUDGE.judge(measured(1, 1)), AbFigure.THROUGHPUT));
    }

    @Test
    void tellsWhatAnIdleGatewayTakesFromTheLoadedOne() {
        List<AbCase.Start> starts = new ArrayList<>();
        for (int i = 0; i < NOISE.length; i++) {
            double noise = Math.exp(NOISE[i]);
            starts.add(new AbCase.Start(
                    (i + 1.0) / NOISE.length,
                    List.of(
                            alone(window(1, Side.A, 1000 * noise, 100, Optional.empty())),
                            alone(window(1, Side.B, 2000, 100, Optional.empty())),
                            window(2, Side.B, 1600, 100, Optional.empty()),
                            window(2, Side.A, 800, 100, Optional.empty())),
                    Map.of()));
        }

        AbJudge.Neighbour neighbour =
                JUDGE.neighbour(new AbCase(testCase(), starts)).orElseThrow();

        assertThat(neighbour.ratio()).isBetween(0.78, 0.82);
        assertThat(neighbour.high()).isLessThan(1);
        assertThat(neighbour.low()).isLessThan(neighbour.ratio());
        assertThat(neighbour.starts()).isEqualTo(NOISE.length);
        assertThat(JUDGE.neighbour(measured(1, 1))).isEmpty();
    }

    private static AbWindow alone(AbWindow window) {
        return new AbWindow(
                window.pair(),
                window.side(),
                true,
                window.began(),
                window.requests(),
                window.errors(),
                window.figures(),
                window.otherCpuPercent(),
                window.stealPercent(),
                window.invalid());
    }

    @Test
    void refusesNumbersOutOfRange() {
        assertThatThrownBy(() -> new AbJudge(0.05, 0, 1, 1))
                .hasMessage("the loss to rule out must be between 0 and 100 % but was 0.0");
        assertThatThrownBy(() -> window(1, Side.A, 0, 1, Optional.empty()))
                .hasMessage("throughput must be a positive number but was 0.0");
    }

    @Test
    void rulesOutALossOnlyWhereTheIntervalsSaySo() {
        AbJudge generous = new AbJudge(0.05, 15, 1, 1);

        assertThat(result(generous, 1, 1).lossRuledOut()).isTrue();
        assertThat(result(generous, 0.7, 1).lossRuledOut()).isFalse();
        assertThat(result(generous, 1, 1.4).lossRuledOut()).isFalse();
        // Slower, but by less than what may be lost.
        assertThat(result(generous, 0.94, 1).slower()).isTrue();
        assertThat(result(generous, 0.94, 1).lossRuledOut()).isTrue();
        assertThat(new AbResult("a", "b", 1, generous, List.of(new AbCase(testCase(), List.of())), List.of())
                        .lossRuledOut())
                .isFalse();
    }

    private static AbResult result(AbJudge judge, double throughputRatio, double cpuRatio) {
        return new AbResult("a", "b", 1, judge, List.of(measured(throughputRatio, cpuRatio)), List.of());
    }

    @Test
    void writesTheFormThatScriptsRelyOn() throws Exception {
        AbResult result = new AbResult("old.yaml", "new.yaml", 123, JUDGE, List.of(measured(0.9, 1)), List.of());

        JsonNode root = new ObjectMapper().readTree(new AbWriter().json(result));

        assertThat(root.fieldNames()).toIterable().containsExactly("decided", "seconds", "cases");
        assertThat(root.path("decided").asBoolean()).isTrue();
        assertThat(root.path("seconds").asInt()).isEqualTo(123);
        JsonNode figure = root.at("/cases/0/figures/0");
        assertThat(figure.fieldNames()).toIterable().containsExactly("name", "ratio", "low", "high", "verdict");
        assertThat(figure.path("name").asText()).isEqualTo("throughput");
        assertThat(figure.path("ratio").asDouble()).isEqualTo(0.9);
        assertThat(figure.path("verdict").asText()).isEqualTo("slower");
        assertThat(root.at("/cases/0/key/scenario").asText()).isEqualTo("passthrough");
        assertThat(root.at("/cases/0/key/users").asInt()).isEqualTo(50);
    }

    @Test
    void printsATable() {
        AbResult result = new AbResult("old.yaml", "new.yaml", 123, JUDGE, List.of(measured(0.9, 1)), List.of());

        assertThat(new AbWriter().table(result))
                .startsWith(
                        "A: old.yaml\nB: new.yaml\n\npassthrough/512M_heap/50_users/1024B/0ms_sleep: 6 starts, 24 windows\n")
                .containsPattern("throughput +requests/s +1000.00 +900.00 +0.900 +0\\.\\d{3} to 0\\.\\d{3} +slower\n")
                .endsWith("Decided after 123 seconds.\n");
    }

    @Test
    void keepsEveryWindow(@TempDir Path directory) throws Exception {
        AbResult result = new AbResult("a", "b", 1, JUDGE, List.of(measured(1, 1)), List.of("a note"));

        new AbWriter().write(result, directory);

        assertThat(Files.readAllLines(directory.resolve("windows.csv")))
                .hasSize(25)
                .startsWith(
                        "case,start,fraction,pair,side,alone,began,requests,errors,throughput,p50,p99,cpu-per-request,allocation-per-request,"
                                + "other-cpu-percent,steal-percent,invalid");
        assertThat(directory.resolve("ab.json")).content().contains("\"a note\"", "\"lossPercent\" : 5.0");
    }

    @Test
    void drawsEachPairAndEachInterval(@TempDir Path directory) throws Exception {
        AbResult result = new AbResult("<old>", "new", 7, JUDGE, List.of(measured(0.9, 1)), List.of("a <note>"));

        new AbWriter().writePage(result, directory);

        String page = Files.readString(directory.resolve("index.html"));
        assertThat(page)
                .contains("&lt;old&gt;", "a &lt;note&gt;", "<strong>decided</strong> after 7 s")
                .contains("<span class=\"badge slower\">slower</span>");
        // Of two figures: twelve pairs with a dot at each end, and six starts with a dot each, of which the first two
        // tell no
        // interval.
        assertThat(page.split("<circle", -1)).hasSize(1 + 2 * (2 * 12 + 6));
        assertThat(page.split("class=\"t t-same\"", -1)).hasSize(1 + 2 * 12);
        assertThat(page.split("class=\"t t0\"", -1)).hasSize(1 + 2 * 4);
        assertThat(page)
                .as("dots along the time")
                .contains(
                        "<title>start 6: slower 0.900 (",
                        "minutes from the first window; a dot for each start; dashed: a loss of 5.0 %")
                .contains("cx=\"78.0\"", "cx=\"210.4\"", "cx=\"740.0\"");
    }

    @Test
    void listsTheMethodsThatTookAnotherPartOfTheTime(@TempDir Path directory) throws Exception {
        FrameShares shares =
                new FrameShares(900, 1000, List.of(new FrameShares.Frame("Gateway.<init>", 0.021, 0.164, 0.01, 0.1)));
        AbResult result =
                new AbResult("old", "new", 7, JUDGE, List.of(measured(0.9, 1)), List.of(), Optional.of(shares));

        new AbWriter().writePage(result, directory);

        assertThat(directory.resolve("index.html"))
                .content()
                .contains("900 samples of A, 1000 of B.", "Gateway.&lt;init&gt;")
                .contains("<td class=\"num\">2.1</td><td class=\"num\">16.4</td><td class=\"num\">+14.3</td>");
    }

    private static AbVerdict of(List<AbVerdict> verdicts, AbFigure figure) {
        return verdicts.stream()
                .filter(verdict -> verdict.figure() == figure)
                .findFirst()
                .orElseThrow();
    }

    /** Six starts of two pairs each, a minute and a half apart. */
    private static AbCase measured(double throughputRatio, double cpuRatio) {
        List<AbCase.Start> starts = new ArrayList<>();
        for (int i = 0; i < NOISE.length; i++) {
            double noise = Math.exp(NOISE[i]);
            Instant began = Instant.EPOCH.plusSeconds(90L * i);
            double throughput = 1000 * throughputRatio * noise;
            double cpu = 100 * cpuRatio / noise;
            starts.add(new AbCase.Start(
                    (i + 1.0) / NOISE.length,
                    List.of(
                            window(began, 1, Side.A, 1000, 100, Optional.empty()),
                            window(began, 1, Side.B, throughput, cpu, Optional.empty()),
                            window(began, 2, Side.B, throughput, cpu, Optional.empty()),
                            window(began, 2, Side.A, 1000, 100, Optional.empty())),
                    Map.of()));
        }
        return new AbCase(testCase(), starts);
    }

    private static AbWindow window(int pair, Side side, double throughput, double cpu, Optional<String> invalid) {
        return window(Instant.EPOCH, pair, side, throughput, cpu, invalid);
    }

    private static AbWindow window(
            Instant began, int pair, Side side, double throughput, double cpu, Optional<String> invalid) {
        return new AbWindow(
                pair,
                side,
                false,
                began,
                3000,
                0,
                Map.of(AbFigure.THROUGHPUT, throughput, AbFigure.CPU_PER_REQUEST, cpu),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                invalid);
    }

    private static AbWindow withoutCpu(AbWindow window) {
        Map<AbFigure, Double> figures = new EnumMap<>(window.figures());
        figures.remove(AbFigure.CPU_PER_REQUEST);
        return new AbWindow(
                window.pair(),
                window.side(),
                window.alone(),
                window.began(),
                window.requests(),
                window.errors(),
                figures,
                window.otherCpuPercent(),
                window.stealPercent(),
                window.invalid());
    }

    private static TestCase testCase() {
        return new TestCase("passthrough", DataSize.ofMebibytes(512), 50, MessageLevel.bytes(1024), Duration.ZERO);
    }
}
