/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.gatebench.model.LoadResult;
import io.gatebench.model.ProbeOutcome;
import io.gatebench.model.SecondOfLoad;
import io.gatebench.model.TestCaseResult;
import io.gatebench.report.SampleRuns;
import io.gatebench.report.column.Metric;
import io.gatebench.report.compare.Comparison.Candidate;
import io.gatebench.report.compare.Comparison.Cell;
import io.gatebench.report.compare.Comparison.NoiseSource;
import io.gatebench.report.compare.Comparison.Outcome;
import io.gatebench.report.importer.CellKey;
import io.gatebench.report.importer.ImportedRun;
import io.gatebench.report.importer.ResultRow;
import io.gatebench.report.importer.ResultsImporter;
import io.gatebench.report.results.ResultsDirectory;

class RunComparatorTest {

    private static final String HEADER = "Scenario Name,Heap Size,Concurrent Users,Message Size (Bytes),"
            + "Back-end Service Delay (ms),Error %,Throughput (Requests/sec),Average Response Time (ms),"
            + "99th Percentile of Response Time (ms),Received (KB/sec)\n";

    @TempDir
    Path directory;

    private final RunComparator comparator = new RunComparator(ComparisonOptions.defaults());
    private final ComparisonWriter writer = new ComparisonWriter();

    @Test
    void findsNoDifferenceBetweenAPublicationAndItsOwnMarkdown() throws Exception {
        ImportedRun csv = resource("apim-3.2-276.csv");
        ImportedRun markdown = resource("apim-3.2-276.md");
        Comparison comparison = comparator.compare(List.of(csv, markdown));
        Candidate candidate = comparison.candidates().get(0);

        assertThat(candidate.cells()).hasSize(48 * 3);
        assertThat(candidate.unmatched()).isEmpty();
        assertThat(candidate.outcome()).isEqualTo(Outcome.NO_DIFFERENCE);
        assertThat(candidate.cells().stream().filter(cell -> cell.outcome() == Outcome.NOT_COMPARABLE))
                .hasSize(3 * 3)
                .allMatch(cell -> cell.reason().contains("of the samples failed"));
        assertThat(comparison.regressed()).isFalse();
    }

    @Test
    void neverCallsARunFasterThatRefusesEverything() throws Exception {
        ImportedRun before = csv("before", "A,2G,100,50,0,0,1000,100,300,700");
        ImportedRun after = csv("after", "A,2G,100,50,0,99.9,16000,6,11,9000");
        Candidate candidate =
                comparator.compare(List.of(before, after)).candidates().get(0);

        assertThat(candidate.cells()).allMatch(cell -> cell.outcome() == Outcome.BROKE);
        assertThat(candidate.cells().get(0).reason()).isEqualTo("after: 99.9 % of the samples failed");
        assertThat(candidate.regressed()).isTrue();
        assertThat(candidate.summary()).contains("1 test case was sound in before and fail or are invalid in after.");
        Candidate back = comparator.compare(List.of(after, before)).candidates().get(0);
        assertThat(back.regressed()).isFalse();
        assertThat(back.cells()).allMatch(cell -> cell.outcome() == Outcome.REPAIRED);
    }

    @Test
    void doesNotCompareDifferentLoadModels() throws Exception {
        String header = "Load Model," + HEADER;
        ImportedRun closed = withModel("closed", header + "closed,A,2G,100,50,0,0,1000,100,300,700\n");
        ImportedRun open = withModel("open", header + "\"open, 500 requests/s\",A,2G,100,50,0,0,500,20,60,350\n");
        Candidate candidate =
                comparator.compare(List.of(closed, open)).candidates().get(0);

        assertThat(candidate.cells())
                .isNotEmpty()
                .allMatch(cell -> cell.outcome() == Outcome.NOT_COMPARABLE)
                .allMatch(cell -> cell.reason()
                        .equals("the load models differ: closed was closed, open was open, 500 requests/s"));
        assertThat(candidate.regressed()).isFalse();
    }

    @Test
    void comparesRunsThatWereSetUpInDifferentWaysOnlyWhenItIsTold() throws Exception {
        String header = "Set-Up," + HEADER;
        ImportedRun one = withModel("one", header + "gateway 1; restart never,A,2G,100,50,0,0,1000,100,300,700\n");
        ImportedRun two = withModel("two", header + "gateway 2; restart never,A,2G,100,50,0,0,1000,100,300,700\n");
        Candidate candidate = comparator.compare(List.of(one, two)).candidates().get(0);

        assertThat(candidate.cells())
                .isNotEmpty()
                .allMatch(cell -> cell.outcome() == Outcome.NOT_COMPARABLE)
                .allMatch(cell -> cell.reason()
                        .equals(
                                "they were set up in different ways: one had gateway 1, two had gateway 2; measure one of"
                                        + " them anew, or say --any-set-up"));
        assertThat(new RunComparator(ComparisonOptions.defaults().withAnySetUp())
                        .compare(List.of(one, two))
                        .candidates()
                        .get(0)
                        .cells())
                .isNotEmpty()
                .noneMatch(cell -> cell.outcome() == Outcome.NOT_COMPARABLE);
    }

    @Test
    void comparesOpenRunsWhoseUsersDoNotAllWaitForAnswers() throws Exception {
        String text = "Load Model," + HEADER + "\"open, 500 requests/s\",A,2G,100,50,0,0,500,20,60,350\n";
        Candidate candidate = comparator
                .compare(List.of(withModel("before", text), withModel("after", text)))
                .candidates()
                .get(0);

        assertThat(candidate.cells()).isNotEmpty().allMatch(cell -> cell.outcome() == Outcome.NO_DIFFERENCE);
    }

    @Test
    void doesNotTakeAFailedMeasurementForABrokenGateway() throws Exception {
        ImportedRun before = measured("before", true, 0);
        ImportedRun unsteady = measured("unsteady", true, 100);
        Candidate candidate =
                comparator.compare(List.of(before, unsteady)).candidates().get(0);

        assertThat(candidate.cells())
                .isNotEmpty()
                .allMatch(cell -> cell.outcome() == Outcome.NOT_COMPARABLE)
                .allMatch(cell -> cell.reason().startsWith("unsteady: invalid: the throughput changed by +"));
        assertThat(candidate.regressed()).isFalse();
        assertThat(comparator
                        .compare(List.of(before, before))
                        .candidates()
                        .get(0)
                        .outcome())
                .isEqualTo(Outcome.NO_DIFFERENCE);
    }

    @Test
    void takesAGatewayThatLetsForeignTokensInForBroken() throws Exception {
        ImportedRun before = measured("before", true, 0);
        ImportedRun open = measured("open", false, 100);
        Candidate candidate =
                comparator.compare(List.of(before, open)).candidates().get(0);

        assertThat(candidate.cells().get(0).reason()).startsWith("open: invalid: wrong response to the probe");
        assertThat(candidate.regressed()).isTrue();
    }

    @Test
    void believesTheVerdictThatACsvOfOursHolds() throws Exception {
        String header = "Verdict,Verdict Reasons," + HEADER;
        ImportedRun sound = withModel("sound", header + "valid,,A,2G,100,50,0,0,1000,100,300,700\n");
        ImportedRun doubted =
                withModel("doubted", header + "invalid,the window was not steady,A,2G,100,50,0,0,500,200,300,350\n");
        Candidate candidate =
                comparator.compare(List.of(sound, doubted)).candidates().get(0);

        assertThat(candidate.cells())
                .isNotEmpty()
                .allMatch(cell -> cell.reason().equals("doubted: invalid: the window was not steady"));
        assertThat(candidate.regressed()).isFalse();
    }

    /** A results directory with one case, read again; its throughput grows by so many percent over the window. */
    private ImportedRun measured(String name, boolean probePassed, int growthPercent) throws Exception {
        TestCaseResult.Completed sound = SampleRuns.completed(SampleRuns.testCase("passthrough", 100, 50), 1000, 0);
        LoadResult load = sound.load();
        List<SecondOfLoad> series = load.series().stream()
                .map(second -> new SecondOfLoad(
                        second.second(),
                        1000
                                + 10L
                                        * growthPercent
                                        * second.second()
                                        / load.series().size()
                                + second.second() % 7,
                        0,
                        100,
                        90,
                        200,
                        300,
                        100))
                .toList();
        TestCaseResult.Completed result = new TestCaseResult.Completed(
                sound.testCase(),
                sound.repeat(),
                sound.started(),
                sound.ended(),
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
                sound.control(),
                sound.processes(),
                List.of(new ProbeOutcome("expired token", Optional.of(200), probePassed, "expected 401 or 403")),
                sound.facts());
        Path results = directory.resolve(name);
        ResultsDirectory.create(results, SampleRuns.local()).write(result);
        return new ResultsImporter().read(results);
    }

    private ImportedRun withModel(String name, String text) throws Exception {
        return new ResultsImporter().read(Files.writeString(directory.resolve(name), text));
    }

    @Test
    void distrustsAnswersThatShrankAndRowsThatHideTheirErrors() throws Exception {
        ImportedRun before = csv("before", "A,2G,100,1024,0,0,1000,100,300,1200");
        ImportedRun small = csv("small", "A,2G,100,1024,0,0,9000,11.1,30,1200");
        Candidate candidate =
                comparator.compare(List.of(before, small)).candidates().get(0);
        assertThat(candidate.cells()).allMatch(cell -> cell.outcome() == Outcome.BROKE);
        assertThat(candidate.cells().get(0).reason()).contains("its responses have 136.5 bytes");

        ImportedRun silent = csv("silent", "A,2G,100,1024,0,N/A,9000,11.1,30,10800");
        assertThat(comparator
                        .compare(List.of(before, silent))
                        .candidates()
                        .get(0)
                        .cells())
                .noneMatch(cell -> cell.outcome() == Outcome.FASTER);
    }

    @Test
    void judgesByRepeatsElseByHistoryElseByTheDefault() throws Exception {
        ImportedRun before = csv("before", "A,2G,100,50,0,0,1000,100,300,700", "B,2G,100,50,0,0,500,200,900,350");
        ImportedRun after = csv("after", "A,2G,100,50,0,0,880,113.6,300,600", "B,2G,100,50,0,0,500,200,900,350");
        Cell byDefault = throughput(comparator.compare(List.of(before, after)), "A");
        assertThat(byDefault.outcome()).isEqualTo(Outcome.UNDECIDED);
        assertThat(byDefault.noise()).map(Comparison.Noise::source).contains(NoiseSource.DEFAULT);
        assertThat(byDefault.reason())
                .contains("noise 5.5 % per run by default")
                .contains("ratio 0.880");

        List<ImportedRun> history = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            double wobble = 1 + 0.01 * (i % 3 - 1);
            history.add(csv(
                    "run" + i,
                    String.format(Locale.ROOT, "A,2G,100,50,0,0,%.2f,%.2f,300,700", 1000 * wobble, 100 / wobble),
                    String.format(Locale.ROOT, "B,2G,100,50,0,0,%.2f,%.2f,900,350", 500 / wobble, 200 * wobble)));
        }
        Cell byHistory = throughput(
                new RunComparator(ComparisonOptions.defaults().withHistory(history)).compare(List.of(before, after)),
                "A");
        assertThat(byHistory.outcome()).isEqualTo(Outcome.SLOWER);
        assertThat(byHistory.reason()).contains("per run from earlier runs");

        ImportedRun repeated = csv(
                "repeated",
                "A,2G,100,50,0,0,1000,100,300,700",
                "A,2G,100,50,0,0,1010,99,301,700",
                "A,2G,100,50,0,0,990,101,299,700",
                "C,2G,100,50,0,0,990,101,299,700");
        ImportedRun slower = csv(
                "slower",
                "A,2G,100,50,0,0,900,111,300,700",
                "A,2G,100,50,0,0,909,110,301,700",
                "A,2G,100,50,0,0,891,112.2,299,700");
        Comparison comparison = comparator.compare(List.of(repeated, slower));
        Cell byRepeats = throughput(comparison, "A");
        assertThat(byRepeats.outcome()).isEqualTo(Outcome.SLOWER);
        assertThat(byRepeats.reason()).contains("from 3 and 3 repeats");
        assertThat(comparison.candidates().get(0).unmatched())
                .extracting(other -> other.key().text() + " only in " + other.onlyIn())
                .containsExactly("C/2G_heap/100_users/50B/0ms_sleep only in repeated.csv");
    }

    @Test
    void saysWhatACommonShiftOfSingleRunsCanMean() throws Exception {
        List<String> before = new ArrayList<>();
        List<String> after = new ArrayList<>();
        for (int users = 100; users <= 1200; users += 100) {
            before.add("A,2G," + users + ",50,0,0,1000," + users + ",3000,700");
            after.add("A,2G," + users + ",50,0,0,950," + users / 0.95 + ",3000,700");
        }
        Candidate candidate = comparator
                .compare(List.of(
                        csv("before", before.toArray(String[]::new)), csv("after", after.toArray(String[]::new))))
                .candidates()
                .get(0);
        assertThat(candidate.outcome()).isEqualTo(Outcome.UNDECIDED);
        assertThat(candidate.summary())
                .anyMatch(sentence -> sentence.startsWith("throughput: the run as a whole does not differ"))
                .anyMatch(sentence -> sentence.startsWith("throughput of the run as a whole: -5.0 % (95 % interval -1")
                        && sentence.contains("12 of 12 test cases worse, 0 better"));
    }

    @Test
    void namesTheCellsWorthRepeatingAlone() throws Exception {
        List<String> before = new ArrayList<>();
        List<String> after = new ArrayList<>();
        for (int users = 100; users <= 2000; users += 100) {
            before.add("A,2G," + users + ",50,0,0,1000," + users + ",3000,700");
            double throughput = users == 700 ? 850 : 1000 + users % 300 / 20;
            after.add("A,2G," + users + ",50,0,0," + throughput + "," + 1000 * users / throughput + ",3000,700");
        }
        Candidate candidate = comparator
                .compare(List.of(
                        csv("before", before.toArray(String[]::new)), csv("after", after.toArray(String[]::new))))
                .candidates()
                .get(0);

        assertThat(candidate.suspects()).extracting(CellKey::text).containsExactly("A/2G_heap/700_users/50B/0ms_sleep");
        assertThat(candidate.regressed()).isFalse();
        assertThat(candidate.summary())
                .anyMatch(sentence -> sentence.startsWith("1 test case is suspect"))
                .anyMatch(sentence -> sentence.contains("in a single test case is found in 9 of 10 comparisons"));
    }

    @Test
    void saysThreeWordsAndNeverSameOfAWideInterval() throws Exception {
        ImportedRun before = csv("before", "A,2G,100,50,0,0,1000,100,595,700");
        ImportedRun after = csv("after", "A,2G,100,50,0,0,990,101,1511,700");
        Cell tail = comparator.compare(List.of(before, after)).candidates().get(0).cells().stream()
                .filter(cell -> cell.metric() == Metric.P99)
                .findFirst()
                .orElseThrow();
        assertThat(tail.outcome()).isNotIn(Outcome.NO_DIFFERENCE, Outcome.FASTER);
        assertThat(tail.high().orElseThrow()).isGreaterThan(2);

        List<String> left = new ArrayList<>();
        List<String> right = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            double wobble = 1 + 0.01 * (i % 3 - 1);
            left.add(row("A", 1000 * wobble, 300 * wobble));
            right.add(row("A", 1002 / wobble, 299 * wobble));
        }
        Candidate equal = comparator
                .compare(List.of(csv("left", left.toArray(String[]::new)), csv("right", right.toArray(String[]::new))))
                .candidates()
                .get(0);
        assertThat(equal.outcome()).isEqualTo(Outcome.NO_DIFFERENCE);
        assertThat(equal.undecided()).isFalse();
        assertThat(throughput(
                                comparator.compare(List.of(
                                        csv("left", left.toArray(String[]::new)),
                                        csv("right", right.toArray(String[]::new)))),
                                "A")
                        .reason())
                .contains("; no loss above 10 %");
        Candidate strict = new RunComparator(ComparisonOptions.defaults().withMarginPercent(0.5))
                .compare(List.of(csv("left", left.toArray(String[]::new)), csv("right", right.toArray(String[]::new))))
                .candidates()
                .get(0);
        assertThat(strict.outcome()).isEqualTo(Outcome.UNDECIDED);
        assertThat(strict.undecided()).isTrue();
    }

    @Test
    void buildsNoRegressionOnADoubtfulRowNorOnAHandfulOfFailures() throws Exception {
        // Throughput times mean is 60 users for 100: users were missing.
        ImportedRun before = csv("before", "A,2G,100,50,0,0,1000,100,300,700", "B,2G,100,50,0,0,1000,100,300,700");
        ImportedRun doubted = csv("doubted", "A,2G,100,50,0,0,300,200,900,210", "B,2G,100,50,0,0,1010,99,302,700");
        Comparison comparison = comparator.compare(List.of(before, doubted));
        Cell cell = throughput(comparison, "A");
        assertThat(cell.outcome()).isEqualTo(Outcome.UNDECIDED);
        assertThat(cell.doubtful()).isTrue();
        assertThat(cell.reason()).contains("doubted is doubtful: throughput x mean response time is 60 users");
        assertThat(comparison.regressed()).isFalse();
        Candidate candidate = comparison.candidates().get(0);
        assertThat(candidate.nothingCompared()).isFalse();
        assertThat(candidate.overall().get(0).cells()).isEqualTo(1);
        assertThat(candidate.judged())
                .extracting(row -> row.run() + " " + row.key().scenario())
                .containsExactly("doubted A");
        assertThat(writer.markdown(comparison))
                .contains("Rows that are doubtful or invalid:")
                .contains("for 100 users");

        String header = "# Samples,Error Count," + HEADER;
        ImportedRun clean = withModel("clean", header + "40269,0,A,2G,100,50,0,0,1000,100,300,700\n");
        ImportedRun seven = withModel("seven", header + "40269,7,A,2G,100,50,0,0.02,1000,100,300,700\n");
        Candidate few = comparator.compare(List.of(clean, seven)).candidates().get(0);
        assertThat(few.regressed()).isFalse();
        assertThat(few.nothingCompared()).isTrue();
        ImportedRun many = withModel("many", header + "40269,240,A,2G,100,50,0,0.6,1000,100,300,700\n");
        assertThat(comparator.compare(List.of(clean, many)).regressed()).isTrue();
    }

    @Test
    void suspectsCellsByAnyFigure() throws Exception {
        List<String> before = new ArrayList<>();
        List<String> after = new ArrayList<>();
        for (int users = 100; users <= 2000; users += 100) {
            before.add("A,2G," + users + ",50,0,0,1000," + users + ",3000,700");
            after.add("A,2G," + users + ",50,0,0,1000," + users + "," + (users == 700 ? 5700 : 3000 + users % 300)
                    + ",700");
        }
        Candidate candidate = comparator
                .compare(List.of(
                        csv("before", before.toArray(String[]::new)), csv("after", after.toArray(String[]::new))))
                .candidates()
                .get(0);
        assertThat(candidate.suspects()).extracting(CellKey::text).containsExactly("A/2G_heap/700_users/50B/0ms_sleep");
        assertThat(candidate.summary()).anyMatch(sentence -> sentence.contains("700_users/50B/0ms_sleep (p99)"));
    }

    @Test
    void learnsTheNoiseWithinARunFromItsSeconds() throws Exception {
        ImportedRun before = measured("before", true, 0);
        ImportedRun other = measured("other", true, 3);
        Cell cell = comparator.compare(List.of(before, other)).candidates().get(0).cells().stream()
                .filter(one -> one.metric() == Metric.THROUGHPUT)
                .findFirst()
                .orElseThrow();
        assertThat(cell.noise()).map(Comparison.Noise::source).contains(NoiseSource.SERIES);
        assertThat(cell.noise().orElseThrow().percent()).isGreaterThan(5.5);
    }

    @Test
    void statesLessNoiseForTwoRunsOfOneDay() {
        assertThat(noise("one", "2026-05-04T10:00:00Z", "one", "2026-05-05T09:00:00Z"))
                .isEqualTo(new Comparison.Noise(3.2, Double.POSITIVE_INFINITY, NoiseSource.SAME_DAY));
        Comparison.Noise otherwise = new Comparison.Noise(5.5, Double.POSITIVE_INFINITY, NoiseSource.DEFAULT);
        assertThat(noise("one", "2026-05-04T10:00:00Z", "one", "2026-05-06T10:00:00Z"))
                .isEqualTo(otherwise);
        assertThat(noise("one", "2026-05-04T10:00:00Z", "two", "2026-05-04T11:00:00Z"))
                .isEqualTo(otherwise);
        assertThat(noise("", "2026-05-04T10:00:00Z", "", "2026-05-04T11:00:00Z"))
                .isEqualTo(otherwise);
    }

    private Comparison.Noise noise(String machine, String started, String otherMachine, String otherStarted) {
        return comparator
                .compare(List.of(
                        started("before", 1000, machine, started), started("after", 990, otherMachine, otherStarted)))
                .candidates()
                .get(0)
                .cells()
                .stream()
                .filter(cell -> cell.metric() == Metric.THROUGHPUT)
                .findFirst()
                .flatMap(Cell::noise)
                .orElseThrow();
    }

    private ImportedRun started(String name, int throughput, String machine, String started) {
        Map<String, String> cells = new HashMap<>(
                Map.of("Error %", "0", "Throughput (Requests/sec)", Integer.toString(throughput), "Started", started));
        if (!machine.isEmpty()) {
            cells.put("Steady On", machine);
        }
        CellKey key =
                new CellKey("A", Optional.empty(), OptionalInt.of(50), Optional.empty(), OptionalLong.empty(), "");
        return new ImportedRun(
                name,
                ImportedRun.Format.RESULTS_DIRECTORY,
                List.of(new ResultRow(key, 1, cells, name, 1)),
                List.of(),
                List.of());
    }

    private static String row(String scenario, double throughput, double tail) {
        return String.format(
                Locale.ROOT, "%s,2G,100,50,0,0,%.3f,%.4f,%.3f,700", scenario, throughput, 1e5 / throughput, tail);
    }

    @Test
    void writesTheJsonThatScriptsRelyOn() throws Exception {
        ImportedRun before = csv("before", "A,2G,100,50,0,0,1000,100,300,700", "X,2G,100,50,0,0,1,1,1,1");
        ImportedRun after = csv("after", "A,2G,100,50,0,0,200,500,900,140");
        JsonNode root = new ObjectMapper().readTree(writer.json(comparator.compare(List.of(before, after))));

        assertThat(root.path("cells").size()).isEqualTo(3);
        JsonNode first = root.path("cells").path(0);
        assertThat(first.path("key").asText()).isEqualTo("A/2G_heap/100_users/50B/0ms_sleep");
        assertThat(first.path("metric").asText()).isEqualTo("throughput");
        assertThat(first.path("ratio").asDouble()).isEqualTo(0.2, org.assertj.core.api.Assertions.within(1e-9));
        assertThat(first.path("verdict").asText()).isEqualTo("slower");
        assertThat(first.path("reason").asText()).isNotBlank();
        assertThat(first.path("suspect").asBoolean()).isFalse();
        assertThat(first.path("detectablePercent").asDouble()).isBetween(20.0, 35.0);
        assertThat(root.path("unmatched").path(0).path("key").asText()).startsWith("X/");
        assertThat(root.path("regressed").asBoolean()).isTrue();
    }

    @Test
    void writesTheSameBytesTwiceAndEscapesForeignText() throws Exception {
        ImportedRun before = csv("before", "<script>alert(1)</script>|x,2G,100,50,0,0,1000,100,300,700");
        ImportedRun after = csv("after", "<script>alert(1)</script>|x,2G,100,50,0,0,990,101,300,700");
        Comparison comparison = comparator.compare(List.of(before, after));
        String html = writer.html(comparison);

        assertThat(html).isEqualTo(new ComparisonWriter().html(comparator.compare(List.of(before, after))));
        assertThat(html).doesNotContain("<script>alert").contains("&lt;script&gt;alert");
        assertThat(writer.markdown(comparison)).contains("&lt;script>alert(1)&lt;/script>\\|x");
        writer.writeAll(comparison, directory.resolve("out"));
        assertThat(directory.resolve("out/charts/ratio-throughput-1.svg")).exists();
    }

    private static Cell throughput(Comparison comparison, String scenario) {
        return comparison.candidates().get(0).cells().stream()
                .filter(cell -> cell.metric() == Metric.THROUGHPUT
                        && cell.key().scenario().equals(scenario))
                .findFirst()
                .orElseThrow();
    }

    private ImportedRun csv(String name, String... rows) throws IOException {
        Path file = directory.resolve(name + ".csv");
        Files.writeString(file, HEADER + String.join("\n", rows) + "\n");
        ImportedRun results = new ResultsImporter().read(file);
        return name.startsWith("re") || name.equals("slower")
                ? results
                : new ImportedRun(name, results.format(), results.rows(), results.problems(), results.notes());
    }

    private static ImportedRun resource(String name) throws Exception {
        return new ResultsImporter()
                .read(Path.of(
                        RunComparatorTest.class.getResource("/past/" + name).toURI()));
    }
}
