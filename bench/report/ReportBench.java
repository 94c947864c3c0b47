/* SPDX-License-Identifier: Apache-2.0 */
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

import io.gatebench.model.DataSize;
import io.gatebench.model.GcStatistics;
import io.gatebench.model.GcSummary;
import io.gatebench.model.LoadGeneratorHealth;
import io.gatebench.model.LoadResult;
import io.gatebench.model.MeasuredValue;
import io.gatebench.model.MeasurementWindow;
import io.gatebench.model.MessageLevel;
import io.gatebench.model.NodeRole;
import io.gatebench.model.ParameterMatrix;
import io.gatebench.model.PayloadKind;
import io.gatebench.model.PerfPlan;
import io.gatebench.model.Probe;
import io.gatebench.model.ProbeOutcome;
import io.gatebench.model.ProcessReport;
import io.gatebench.model.ResponseCheck;
import io.gatebench.model.ResponseExcerpt;
import io.gatebench.model.ResponseTimes;
import io.gatebench.model.RunManifest;
import io.gatebench.model.SampleStatistics;
import io.gatebench.model.SecondOfLoad;
import io.gatebench.model.SystemInformation;
import io.gatebench.model.TestCase;
import io.gatebench.model.TestCaseResult;
import io.gatebench.model.TestScenario;
import io.gatebench.model.TestTiming;
import io.gatebench.model.TokenKind;
import io.gatebench.report.Report;
import io.gatebench.report.ReportGenerator;
import io.gatebench.report.options.ReportOptions;
import io.gatebench.report.results.ResultsDirectory;

/**
 * The largest published matrix, 144 rows: how long the report takes to write and its page to open.
 *
 * <p>The figures of the test cases are made up, seeded, and as large as real ones: 1200 seconds of series, 1500
 * collections, a histogram of some thousand buckets per test case.
 */
final class ReportBench {

    private static final Instant START = Instant.parse("2026-05-04T10:00:00Z");
    private static final int SECONDS = 1200;
    private static final int WARM_UP = 300;
    private static final int CASES_OF_A_SCENARIO = 72;

    private ReportBench() {}

    public static void main(String[] arguments) throws Exception {
        Path work = Path.of(arguments[1]);
        switch (arguments[0]) {
            case "make" -> make(work.resolve("results"), arguments.length > 2 ? Integer.parseInt(arguments[2]) : 144);
            case "once" -> once(work);
            case "write" -> write(work, Integer.parseInt(arguments[2]));
            case "open" -> open(Path.of(arguments[2]), arguments[1], Integer.parseInt(arguments[3]));
            default -> throw new IllegalArgumentException("make, write, once or open");
        }
    }

    /** Writes the default report once, as a user's command does, and tells what the process needed at its largest. */
    private static void once(Path work) throws Exception {
        long before = System.nanoTime();
        Report report = ReportGenerator.generate(
                ResultsDirectory.open(work.resolve("results")), work.resolve("report"), ReportOptions.defaults());
        double seconds = (System.nanoTime() - before) / 1e9;
        String peak = Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("VmHWM"))
                .findFirst()
                .map(line -> line.replaceAll("\\D", ""))
                .orElse("0");
        System.out.printf(
                Locale.ROOT,
                "%4d cases: report %.1f s, resident at most %d MiB, index.html %.1f MB%n",
                report.measured(),
                seconds,
                Long.parseLong(peak) / 1024,
                Files.size(work.resolve("report/index.html")) / 1e6);
    }

    private static void write(Path work, int rounds) {
        ResultsDirectory results = ResultsDirectory.open(work.resolve("results"));
        for (ReportOptions.Charts charts : ReportOptions.Charts.values()) {
            double[] seconds = new double[rounds];
            Report report = null;
            for (int i = 0; i < rounds; i++) {
                long before = System.nanoTime();
                report = ReportGenerator.generate(
                        results, work.resolve("report"), ReportOptions.defaults().withCharts(charts));
                seconds[i] = (System.nanoTime() - before) / 1e9;
            }
            System.out.printf(
                    Locale.ROOT,
                    "write, charts %-8s first %.2f s, then %.2f s (median of %d), %d files%n",
                    charts.name().toLowerCase(Locale.ROOT) + ":",
                    seconds[0],
                    median(Arrays.copyOfRange(seconds, Math.min(1, rounds - 1), rounds)),
                    Math.max(1, rounds - 1),
                    report.files().size());
        }
    }

    /** Opens the page in one browser again and again; the clock is the browser's own. */
    private static void open(Path page, String name, int rounds) throws Exception {
        double[] load = new double[rounds];
        double[] painted = new double[rounds];
        double largest = 0;
        try (Browser browser = new Browser()) {
            for (int i = 0; i < rounds; i++) {
                browser.open(page.toUri().toString());
                load[i] = browser.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd").asDouble();
                painted[i] = browser.evaluate(
                                "(performance.getEntriesByName('first-contentful-paint')[0]||{startTime:NaN}).startTime")
                        .asDouble();
                largest = Math.max(largest, load[i]);
                if (!browser.console.isEmpty()) {
                    throw new IllegalStateException("the console says " + browser.console);
                }
            }
            int elements = browser.evaluate("document.getElementsByTagName('*').length").asInt();
            long foreign = browser.requests.stream().filter(url -> url.startsWith("http")).count();
            System.out.printf(
                    Locale.ROOT,
                    "open, %s: first paint %.0f ms, loaded %.0f ms (median of %d), slowest %.0f ms; %d elements, %.1f MB,"
                            + " %d network requests%n",
                    name,
                    median(painted),
                    median(load),
                    rounds,
                    largest,
                    elements,
                    Files.size(page) / 1e6,
                    foreign);
        }
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    private static void make(Path root, int cases) throws Exception {
        List<TestScenario> scenarios = new ArrayList<>(List.of(
                scenario("microgw-passthrough-oauth", "Microgateway-Passthrough-OAuth2"),
                scenario("microgw-passthrough-jwt", "Microgateway-Passthrough-JWT")));
        for (int i = 3; i <= cases / CASES_OF_A_SCENARIO; i++) {
            scenarios.add(scenario("scenario-" + i, "Scenario " + i));
        }
        List<Integer> users = List.of(50, 100, 200, 300, 500, 1000);
        List<Integer> sizes = List.of(50, 1024, 10240);
        List<Duration> delays = List.of(
                Duration.ZERO, Duration.ofMillis(30), Duration.ofMillis(500), Duration.ofMillis(1000));
        DataSize heap = DataSize.parse("512M");
        PerfPlan plan = new PerfPlan(
                "microgateway",
                "release",
                scenarios,
                new ParameterMatrix(List.of(heap), users, sizes, List.of(), List.of(), delays),
                new TestTiming(
                        Duration.ofSeconds(SECONDS), Duration.ofSeconds(WARM_UP), Duration.ofSeconds(60)),
                1,
                false,
                DataSize.ofMebibytes(512),
                DataSize.ofMebibytes(512));
        RunManifest info = new RunManifest(
                RunManifest.SCHEMA_VERSION,
                "bench",
                "0.1.0",
                "WSO2 API Microgateway",
                RunManifest.Variant.GATEWAY,
                plan,
                "hosts",
                1,
                3,
                START,
                Optional.of(START.plusSeconds(144L * (SECONDS + 60))),
                Map.of("gateway", "3.2.0", "jdk", "17.0.9", "jmeter", "5.6.3"),
                List.of(new SystemInformation(
                        "gateway-host", List.of(new SystemInformation.Row("System", "Processor", "CPU(s)", "2")))),
                List.of("These figures are made up: they show how the report copes with 144 rows."));
        ResultsDirectory results = ResultsDirectory.create(root, info);
        Random random = new Random(20261121);
        for (TestScenario scenario : scenarios) {
            for (int count : users) {
                for (int size : sizes) {
                    for (Duration delay : delays) {
                        TestCase testCase =
                                new TestCase(scenario.name(), heap, count, MessageLevel.bytes(size), delay);
                        boolean jwt = scenario.name().endsWith("jwt");
                        double service = (jwt ? 4 : 3) * (1 + size / 8000.0);
                        double mean = Math.max(service * count / 10.0, service) + delay.toMillis();
                        double throughput = 1000.0 * count / mean * (0.98 + 0.04 * random.nextDouble());
                        long errors = jwt && count == 1000 && size == 10240 ? 120 + random.nextInt(300) : 0;
                        results.write(completed(testCase, throughput, errors, random));
                        files(results.caseDirectory(testCase, 1), throughput, count, random);
                    }
                }
            }
        }
    }

    private static TestScenario scenario(String name, String displayName) {
        return new TestScenario(
                name,
                displayName,
                "A secured API, which directly invokes the backend through Microgateway",
                true,
                "POST",
                "/echo/1.0.0",
                Map.of("Content-Type", "application/json"),
                PayloadKind.JSON_ARRAY,
                TokenKind.JWT,
                ResponseCheck.okContaining("{size}B"),
                List.of(new Probe("expired token", Probe.Token.EXPIRED, Map.of(), Set.of(401, 403), Optional.empty())));
    }

    private static TestCaseResult.Completed completed(TestCase testCase, double throughput, long errors, Random random) {
        double mean = 1000 * testCase.users() / throughput;
        long samples = Math.round(throughput * (SECONDS - WARM_UP));
        ResponseTimes times = times(samples, mean);
        SampleStatistics statistics = new SampleStatistics(
                "HTTP Request",
                samples,
                errors,
                throughput,
                times,
                Optional.of(times),
                errors == 0 ? Optional.empty() : Optional.of(times(errors, mean * 2)),
                times,
                throughput * 320,
                throughput * 1450,
                Optional.empty(),
                Optional.of(times(samples, mean * 0.95)));
        List<SecondOfLoad> series = new ArrayList<>();
        for (int second = 0; second < SECONDS; second++) {
            double wobble = 1 + 0.04 * random.nextGaussian();
            int atWork = second < 60 ? Math.max(1, testCase.users() * second / 60) : testCase.users();
            series.add(new SecondOfLoad(
                    second,
                    Math.round(throughput * wobble * atWork / testCase.users()),
                    errors > 0 && second % 100 == 0 ? 12 : 0,
                    mean / wobble,
                    mean * 0.9 / wobble,
                    mean * 3 / wobble,
                    mean * 6 * (1 + random.nextDouble()),
                    atWork));
        }
        LoadResult load = new LoadResult(
                START,
                new MeasurementWindow(START.plusSeconds(WARM_UP), START.plusSeconds(SECONDS)),
                List.of(statistics),
                List.of(statistics),
                Optional.empty(),
                series,
                new LoadGeneratorHealth(
                        MeasuredValue.of(35.2), MeasuredValue.of(12), MeasuredValue.of(0.3), MeasuredValue.of(4), MeasuredValue.of(testCase.users()),
                        false, List.of()),
                errors == 0 ? Map.of() : Map.of("status 503", errors),
                errors == 0
                        ? List.of()
                        : List.of(new ResponseExcerpt(
                                START.plusSeconds(400),
                                Optional.of(503),
                                Map.of("Content-Type", "application/json"),
                                "{\"fault\":\"busy\"}",
                                "status 503, expected 200")),
                Optional.empty(),
                Optional.empty(),
                Map.of());
        double gcThroughput = 99.5 - testCase.users() / 120.0;
        return new TestCaseResult.Completed(
                testCase,
                1,
                START,
                START.plusSeconds(SECONDS + 30),
                load,
                Optional.empty(),
                List.of(
                        process(NodeRole.GATEWAY, "WSO2 API Microgateway", "gateway", gcThroughput, testCase),
                        process(NodeRole.BACKEND, "Netty Service", "backend", 99.6, testCase),
                        process(NodeRole.LOAD_GENERATOR, "JMeter Client", "load", 98.9, testCase)),
                List.of(new ProbeOutcome("expired token", Optional.of(401), true, "expected 401 or 403, got 401")),
                Map.of("gateway.url", "https://gateway-host:9095"));
    }

    private static ProcessReport process(
            NodeRole role, String name, String directory, double gcThroughput, TestCase testCase) {
        GcStatistics figures = new GcStatistics(
                MeasuredValue.of(gcThroughput),
                MeasuredValue.of(SECONDS),
                MeasuredValue.of(SECONDS * (100 - gcThroughput) / 100),
                MeasuredValue.of(1500),
                MeasuredValue.of(1),
                MeasuredValue.of(61.5 * (1 << 20)),
                MeasuredValue.of(0),
                MeasuredValue.of(512.0 * (1 << 20)));
        GcSummary gc = new GcSummary(
                List.of("gc.log"),
                Optional.of("G1"),
                Optional.of("17.0.9"),
                MeasuredValue.of(100),
                figures,
                figures,
                Optional.of(times(1500, 4)),
                List.of(),
                List.of());
        return new ProcessReport(
                role,
                name,
                directory + "-host",
                List.of("java", "-Xms512m", "-Xmx512m", "-jar", directory + ".jar"),
                DataSize.parse("512M"),
                directory,
                Optional.of(gc),
                Optional.of(gc),
                Map.of(
                        "System Load Average - Last 1 minute", MeasuredValue.of(1.5 + testCase.users() / 400.0),
                        "System Load Average - Last 5 minutes", MeasuredValue.of(1.4 + testCase.users() / 420.0),
                        "System Load Average - Last 15 minutes", MeasuredValue.of(1.2 + testCase.users() / 500.0),
                        "CPU - User (%)", MeasuredValue.of(Math.min(95, 40 + testCase.users() / 15.0)),
                        "Network - Received kB/s", MeasuredValue.of(2048.5)),
                List.of());
    }

    private static ResponseTimes times(long count, double mean) {
        return ResponseTimes.of(
                count, mean, mean * 0.4, mean * 0.2, mean * 6,
                percent -> mean
                        * (percent <= 50
                                ? 0.9
                                : percent <= 75
                                        ? 1.2
                                        : percent <= 90
                                                ? 1.6
                                                : percent <= 95 ? 2 : percent <= 98 ? 2.6 : percent <= 99 ? 3 : 5));
    }

    private static void files(Path directory, double throughput, int users, Random random) throws Exception {
        Files.createDirectories(directory.resolve("load"));
        Files.createDirectories(directory.resolve("gateway"));
        Histogram histogram = new Histogram(3);
        double micros = 1e6 * users / throughput;
        for (int i = 0; i < 50_000; i++) {
            histogram.recordValue((long) (micros * Math.exp(0.5 * random.nextGaussian())));
        }
        histogram.setTag("HTTP_Request/success/measurement");
        try (PrintStream out =
                new PrintStream(directory.resolve("load/load.hlog").toFile(), StandardCharsets.UTF_8)) {
            HistogramLogWriter log = new HistogramLogWriter(out);
            log.outputLogFormatVersion();
            log.outputLegend();
            log.outputIntervalHistogram(histogram);
        }
        StringBuilder times = new StringBuilder("second,p90Millis");
        for (int step = 0; step < 16; step++) {
            times.append(String.format(Locale.ROOT, ",%.4g", micros / 1000 * Math.pow(10, (step - 6) / 10.0)));
        }
        for (int second = 0; second < SECONDS; second++) {
            times.append(String.format(Locale.ROOT, "%n%d,%.3f", second, micros / 600 * (1 + 0.1 * random.nextDouble())));
            for (int step = 0; step < 16; step++) {
                times.append(',').append(Math.round(throughput * Math.exp(-Math.pow(step - 6, 2) / 8.0) * random.nextDouble()));
            }
        }
        Files.writeString(directory.resolve("load/times.csv"), times.append('\n'));
        for (String role : List.of("gateway", "backend", "load")) {
            Files.createDirectories(directory.resolve(role));
            StringBuilder metrics = new StringBuilder("epochMillis,CPU - User (%),CPU - Nice (%),CPU - System (%),"
                    + "CPU - Steal (%),Process - CPU (% of all processors),Process - Resident memory (kB),"
                    + "Memory - Used (kB),Network - Received kB/s,Network - Transmitted kB/s,Run queue length\n");
            for (int second = 0; second < SECONDS; second++) {
                metrics.append(String.format(
                        Locale.ROOT,
                        "%d,%.3f,0,%.3f,%.3f,%.3f,%d,%d,%.3f,%.3f,%d\n",
                        START.toEpochMilli() + 1000L * second,
                        40 + 9 * random.nextDouble(),
                        12 + 5 * random.nextDouble(),
                        random.nextDouble(),
                        44 + 9 * random.nextDouble(),
                        400_000 + random.nextInt(20_000),
                        3_000_000 + random.nextInt(90_000),
                        2000 + 300 * random.nextDouble(),
                        2100 + 300 * random.nextDouble(),
                        random.nextInt(12)));
            }
            Files.writeString(directory.resolve(role).resolve("metrics.csv"), metrics);
        }
        StringBuilder events = new StringBuilder(
                "epochMillis,uptimeSeconds,kind,pauseMillis,heapBeforeBytes,heapAfterBytes,heapCapacityBytes\n");
        for (int i = 0; i < 1500; i++) {
            long at = 800L * i;
            events.append(START.toEpochMilli() + at).append(',').append(at / 1000.0).append(",young,");
            events.append(String.format(Locale.ROOT, "%.3f", 2 + 3 * random.nextDouble()));
            events.append(',').append(400_000_000 + random.nextInt(1_000_000)).append(',');
            events.append(60_000_000 + random.nextInt(9_000_000)).append(",536870912\n");
        }
        Files.writeString(directory.resolve("gateway/gc-events.csv"), events);
    }
}
