/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load;

import java.io.BufferedWriter;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;

import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;
import org.jspecify.annotations.Nullable;

import io.gatebench.load.engine.ErrorsPerSecond;
import io.gatebench.load.engine.HttpClientKind;
import io.gatebench.load.engine.LoadDriver;
import io.gatebench.load.engine.LoadException;
import io.gatebench.load.engine.LoadModel;
import io.gatebench.load.engine.LoadProgress;
import io.gatebench.load.engine.LoadRequest;
import io.gatebench.load.engine.LoadRunFile;
import io.gatebench.load.engine.StartSignal;
import io.gatebench.load.engine.TimesPerSecond;
import io.gatebench.load.engine.stats.PhaseTotals;
import io.gatebench.load.engine.stats.RecordedLoad;
import io.gatebench.load.engine.stats.SelfObservation;
import io.gatebench.load.jmeter.EmbeddedLoad;
import io.gatebench.load.jmeter.KeptConnections;
import io.gatebench.load.jmeter.LoadSession;
import io.gatebench.load.jmeter.RemoteEngine;
import io.gatebench.load.jmeter.RemoteOutcome;
import io.gatebench.load.jmeter.SideProbeCount;
import io.gatebench.model.LoadGeneratorHealth;
import io.gatebench.model.LoadResult;
import io.gatebench.model.LoadResult.CorrectedResponseTimes;
import io.gatebench.model.LoadResult.OpenLoad;
import io.gatebench.model.LoadResult.WindowRequests;
import io.gatebench.model.MeasurementWindow;
import io.gatebench.model.SampleStatistics;
import io.gatebench.model.ScenarioSteps;
import io.gatebench.model.SecondOfLoad;

/**
 * Runs the load in this JVM by JMeter's engine.
 *
 * <p>JMeter keeps its state in static fields: at most one test runs in a JVM at a time. For figures to publish, give the
 * load generator a JVM of its own: {@link LoadGeneratorMain}.
 *
 * @since 0.1
 */
public final class JMeterLoadDriver implements LoadDriver {

    /** Name of the result. */
    public static final String LOAD_FILE = "load.json";
    /** Name of the histograms. */
    public static final String HISTOGRAM_FILE = "load.hlog";
    /** Name of what {@link SharedLoad} merges. */
    public static final String OUTCOME_FILE = "load.outcome";
    /** Name of the file that tells a load generator when its window begins. */
    public static final String WINDOW_FILE = "window";
    /** Name of the figures per second. */
    public static final String SERIES_FILE = "series.csv";
    /** Name of the response times per second, by steps of time. */
    public static final String TIMES_FILE = "times.csv";
    /** The file in the directory of a load with the errors of each second by their kind; it is there if there are any. */
    public static final String ERRORS_FILE = "errors.csv";

    private final @Nullable KeptConnections kept;
    private final AtomicReference<EmbeddedLoad> running = new AtomicReference<>();

    /** Creates a driver whose loads open and close their own connections. */
    public JMeterLoadDriver() {
        this(null);
    }

    /**
     * Creates a driver whose connections stay open from load to load.
     *
     * @param kept the connections, or null
     */
    JMeterLoadDriver(@Nullable KeptConnections kept) {
        this.kept = kept;
    }

    @Override
    public LoadResult run(LoadRequest request, Path directory, LoadProgress progress) {
        return run(request, directory, progress, Optional.empty(), false, Optional.empty());
    }

    /**
     * Runs a load; see {@link LoadDriver#run}.
     *
     * @param start holds all users back until it says when to begin
     * @param told whether {@value #WINDOW_FILE} says when a warm-up that lasts until the load is steady is over
     * @param engine a controller of JMeter's distributed mode that sends the plan and is told the result
     * @throws LoadException also if the load is ended before the signal
     */
    LoadResult run(
            LoadRequest request,
            Path directory,
            LoadProgress progress,
            Optional<StartSignal> start,
            boolean told,
            Optional<RemoteEngine> engine) {
        try (SelfObservation self = new SelfObservation()) {
            EmbeddedLoad.Observer observer = new EmbeddedLoad.Observer() {
                @Override
                public void windowBegins(long lateNanos) {
                    self.begin(lateNanos);
                    progress.windowBegins();
                }

                @Override
                public void windowEnds() {
                    self.end();
                }

                @Override
                public void second(SecondOfLoad figures) {
                    progress.second(figures);
                }

                @Override
                public void userBegins() {
                    self.userBegins();
                }

                @Override
                public void userEnds() {
                    self.userEnds();
                }
            };
            LoadSession session = new LoadSession(request, kept);
            EmbeddedLoad load = told
                    ? new EmbeddedLoad(session, start, () -> toldWindow(directory.resolve(WINDOW_FILE)), observer)
                    : new EmbeddedLoad(session, start, observer);
            if (!running.compareAndSet(null, load)) {
                throw new LoadException("another test runs in this JVM; JMeter can run one at a time");
            }
            try {
                Path jtl = request.jtl().map(directory::resolve).orElse(null);
                if (engine.isEmpty()) {
                    return write(request, directory, measured(load.run(jtl), self), Map.of(), Optional.empty());
                }
                AtomicReference<LoadResult> written = new AtomicReference<>();
                load.run(jtl, engine.get(), outcome -> {
                    RemoteOutcome measured = measured(outcome, self);
                    written.set(write(request, directory, measured, Map.of(), Optional.empty()));
                    return measured;
                });
                return Optional.ofNullable(written.get())
                        .orElseThrow(() -> new LoadException("the controller's plan ended without a result"));
            } finally {
                running.set(null);
            }
        }
    }

    private static RemoteOutcome measured(EmbeddedLoad.Outcome outcome, SelfObservation self) {
        return new RemoteOutcome(outcome, self.health(outcome.connectionsOpened(), outcome.responseTimes()));
    }

    private static Optional<EmbeddedLoad.WindowStart> toldWindow(Path file) {
        try {
            String text = Files.exists(file) ? Files.readString(file) : "";
            // Without its end the line may still be on its way.
            if (!text.endsWith("\n")) {
                return Optional.empty();
            }
            String[] words = text.strip().split(" ", 2);
            return Optional.of(
                    new EmbeddedLoad.WindowStart(Instant.parse(words[0]), words.length == 1 ? "" : words[1]));
        } catch (IOException | DateTimeParseException e) {
            throw new LoadException(
                    "the start of the window in " + file + " is no instant such as" + " 2026-01-31T12:00:00Z: " + e, e);
        }
    }

    static LoadResult write(
            LoadRequest request,
            Path directory,
            RemoteOutcome measured,
            Map<String, String> furtherFacts,
            Optional<Duration> startSkew) {
        EmbeddedLoad.Outcome outcome = measured.outcome();
        LoadResult run = result(request, outcome, measured.health(), furtherFacts, startSkew);
        OutcomeFile.write(measured, directory.resolve(OUTCOME_FILE));
        writeHistograms(directory.resolve(HISTOGRAM_FILE), outcome);
        writeSeries(directory.resolve(SERIES_FILE), outcome.recorded());
        TimesPerSecond.write(directory.resolve(TIMES_FILE), outcome.recorded().times());
        ErrorsPerSecond.write(directory.resolve(ERRORS_FILE), outcome.recorded().failuresPerSecond());
        LoadRunFile.write(directory.resolve(LOAD_FILE), run);
        return run;
    }

    @Override
    public void stop(String reason) {
        EmbeddedLoad load = running.get();
        if (load != null) {
            load.stop(reason);
        }
    }

    private static LoadResult result(
            LoadRequest request,
            EmbeddedLoad.Outcome outcome,
            LoadGeneratorHealth health,
            Map<String, String> furtherFacts,
            Optional<Duration> startSkew) {
        Optional<ScenarioSteps> stepped = request.scenario().steps();
        // The row of a scenario is that of all its requests: then throughput, users and response times agree as they do
        // where every user sends one request.
        RecordedLoad recorded = stepped.isEmpty()
                ? outcome.recorded()
                : outcome.recorded().under(request.scenario().name());
        Instant windowStart = outcome.started().plus(outcome.warmUp().took());
        Instant planned = windowStart.plus(request.timing().measurement());
        Instant warmUpEnd = outcome.ended().isBefore(windowStart) ? outcome.ended() : windowStart;
        boolean cutShort = outcome.ended().isBefore(planned) && outcome.ended().isAfter(windowStart);
        MeasurementWindow window = new MeasurementWindow(windowStart, cutShort ? outcome.ended() : planned);
        Map<String, String> facts = new TreeMap<>(furtherFacts);
        facts.put("http.client", request.client().name().toLowerCase(Locale.ROOT));
        facts.put("target", request.target().toString());
        facts.put("unfinished.samples", String.valueOf(outcome.unfinished()));
        SideProbeCount probes = outcome.probes();
        Duration length = Duration.between(window.start(), window.end());
        List<SampleStatistics> steps = stepped.map(sent -> StepFigures.statistics(sent, outcome.recorded(), length))
                .orElse(List.of());
        stepped.flatMap(sent -> StepFigures.shares(sent, steps)).ifPresent(text -> facts.put(LoadResult.ROUTES, text));
        Optional<CorrectedResponseTimes> corrected = Optional.empty();
        Optional<OpenLoad> open = Optional.empty();
        if (request.model().kind() == LoadModel.Kind.OPEN) {
            open = Optional.of(new OpenLoad(
                    outcome.intended(),
                    outcome.startedInWindow(),
                    outcome.late(),
                    request.testCase().users(),
                    outcome.usersNeeded()));
        } else {
            corrected = recorded.measured().map(totals -> {
                long interval = expectedIntervalMicros(request, totals);
                return recorded.corrected(interval);
            });
        }
        return new LoadResult(
                outcome.started(),
                window,
                recorded.warmUpStatistics(Duration.between(outcome.started(), warmUpEnd)),
                recorded.measurementStatistics(length),
                corrected,
                recorded.series(),
                health,
                recorded.failures(),
                outcome.firstFailures(),
                open,
                outcome.aborted(),
                recorded.measured().map(JMeterLoadDriver::requests),
                facts,
                Optional.of(outcome.warmUp()),
                Optional.of(new LoadResult.Method(
                        request.model().describe(),
                        request.client() == HttpClientKind.FAST,
                        !request.model().closedWithoutThinkTime(),
                        request.model().changes())),
                startSkew,
                probes.sent() == 0
                        ? Optional.empty()
                        : Optional.of(new LoadResult.SideProbes(
                                probes.sent(),
                                probes.wrong(),
                                probes.wrong() == 0 ? Optional.empty() : Optional.of(probes.firstWrong()))),
                steps);
    }

    private static WindowRequests requests(PhaseTotals totals) {
        PhaseTotals.Answers answers = totals.answers();
        return new WindowRequests(totals.count(), answers.count(), answers.late(), answers.unanswered());
    }

    /** The median time between two requests of one user: median response time and think time, at least the pacing. */
    private static long expectedIntervalMicros(LoadRequest request, PhaseTotals totals) {
        long median = totals.all().micros().getValueAtPercentile(50);
        long cycle = median + request.model().thinkTime().toNanos() / 1000;
        return Math.max(1, Math.max(cycle, request.model().pacing().toNanos() / 1000));
    }

    private static void writeHistograms(Path file, EmbeddedLoad.Outcome outcome) {
        try (PrintStream out = new PrintStream(file.toFile(), StandardCharsets.UTF_8)) {
            HistogramLogWriter log = new HistogramLogWriter(out);
            log.outputComment("[Gatebench: response times in microseconds; tags are label/outcome/phase]");
            log.outputLogFormatVersion();
            log.outputStartTime(outcome.started().toEpochMilli());
            log.outputLegend();
            writePhase(log, "warm-up", outcome.recorded().warmUp(), outcome.started());
            writePhase(log, "measurement", outcome.recorded().measurement(), outcome.started());
        } catch (FileNotFoundException e) {
            throw new LoadException("cannot write " + file + ": " + e.getMessage(), e);
        } catch (IOException e) {
            throw new LoadException("cannot write " + file + ": " + e, e);
        }
    }

    private static void writePhase(
            HistogramLogWriter log, String phase, Map<String, PhaseTotals> labels, Instant started) {
        labels.forEach((label, totals) -> {
            write(log, label, "success", phase, totals.successes().micros(), totals, started);
            write(log, label, "failure", phase, totals.failures().micros(), totals, started);
        });
    }

    private static void write(
            HistogramLogWriter log,
            String label,
            String outcome,
            String phase,
            Histogram micros,
            PhaseTotals totals,
            Instant started) {
        if (micros.getTotalCount() == 0) {
            return;
        }
        micros.setTag(label.replaceAll("[\\s,]", "_") + "/" + outcome + "/" + phase);
        micros.setStartTimeStamp(started.toEpochMilli() + totals.firstStartNanos() / 1_000_000);
        micros.setEndTimeStamp(started.toEpochMilli() + totals.lastEndNanos() / 1_000_000);
        log.outputIntervalHistogram(micros);
    }

    private static void writeSeries(Path file, RecordedLoad recorded) {
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            out.write("second,samples,errors,meanMillis,p50Millis,p99Millis,maxMillis,users,completed\n");
            for (SecondOfLoad second : recorded.series()) {
                out.write(String.format(
                        Locale.ROOT,
                        "%d,%d,%d,%.3f,%.3f,%.3f,%.3f,%d,%d\n",
                        second.second(),
                        second.samples(),
                        second.errors(),
                        second.meanMillis(),
                        second.p50Millis(),
                        second.p99Millis(),
                        second.maxMillis(),
                        second.users(),
                        second.completions()
                                .map(SecondOfLoad.Completions::count)
                                .orElse(0L)));
            }
        } catch (IOException e) {
            throw new LoadException("cannot write " + file + ": " + e, e);
        }
    }
}
