/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.ObjectMapper;

import io.gatebench.model.TestCase;
import io.gatebench.model.TestCaseResult;
import io.gatebench.report.results.AtomicFiles;
import io.gatebench.report.results.ReportException;
import io.gatebench.runner.plan.RunPlan;
import io.gatebench.runner.run.ForwardingRunListener;
import io.gatebench.spi.RunListener;

/**
 * Keeps the state of a run in a file of its working directory, so that another program can show it; the file goes with that
 * directory when the run ends.
 */
final class LiveFile implements ForwardingRunListener {

    private static final String WORK = ".work";
    private static final int MAX_SECONDS = 600;

    private final RunListener next;
    private final Path work;
    private final ObjectMapper json = new ObjectMapper();
    private final RemainingTime remaining;
    private final List<Map<String, String>> cells = new ArrayList<>();
    private final List<List<Number>> seconds = new ArrayList<>();
    private int now = -1;
    private String step = "";
    private boolean measuring;
    private boolean written = true;

    /**
     * Creates a listener.
     *
     * @param next who is told of everything, too
     * @param results the results directory
     */
    LiveFile(RunListener next, Path results, RunPlan plan, InstantSource clock) {
        this.next = next;
        this.work = results.resolve(WORK);
        this.remaining = new RemainingTime(plan, clock);
        for (int repeat = 1; repeat <= plan.plan().repeats(); repeat++) {
            for (TestCase testCase : plan.plan().testCases()) {
                Map<String, String> cell = new LinkedHashMap<>();
                cell.put("id", testCase.id() + (repeat > 1 ? "/repeat_" + repeat : ""));
                cell.put("state", "waiting");
                cells.add(cell);
            }
        }
    }

    @Override
    public RunListener next() {
        return next;
    }

    /** Returns the file of a results directory; it is there while a run is going on. */
    static Path of(Path results) {
        return results.resolve(WORK).resolve("live.json");
    }

    @Override
    public void runStarted(int count, Duration estimate) {
        remaining.runStarted();
        write();
        next.runStarted(count, estimate);
    }

    @Override
    public void cellStarted(int number, TestCase testCase, int repeat) {
        now = number - 1;
        state(number, "now");
        write();
        next.cellStarted(number, testCase, repeat);
    }

    @Override
    public void cellKept(int number, TestCaseResult result) {
        remaining.cellKept();
        state(number, outcome(result));
        next.cellKept(number, result);
    }

    @Override
    public void step(String what) {
        step = what;
        seconds.clear();
        measuring = false;
        write();
        next.step(what);
    }

    @Override
    public void windowBegins() {
        measuring = true;
        next.windowBegins();
    }

    @Override
    public void second(LiveSecond second) {
        seconds.add(List.of(second.second(), second.samples(), second.errors(), second.p99Millis(), second.users()));
        if (seconds.size() > MAX_SECONDS) {
            seconds.remove(0);
        }
        write();
        next.second(second);
    }

    @Override
    public void cellEnded(int number, TestCaseResult result, Duration took) {
        remaining.cellEnded();
        state(number, outcome(result));
        now = -1;
        seconds.clear();
        write();
        next.cellEnded(number, result, took);
    }

    private void state(int number, String state) {
        cells.get(number - 1).put("state", state);
    }

    private static String outcome(TestCaseResult result) {
        return result.fold(completed -> "done", failed -> "failed", skipped -> "skipped");
    }

    /** Writes the file; what cannot be written is not shown, and the measurement does not suffer from it. */
    private void write() {
        if (!Files.isDirectory(work)) {
            return;
        }
        Map<String, Object> state = new LinkedHashMap<>();
        state.put("leftSeconds", remaining.left().toSeconds());
        state.put("now", now);
        state.put("step", step);
        state.put("measuring", measuring);
        state.put("cells", cells);
        state.put("seconds", seconds);
        try {
            AtomicFiles.writeUnforced(work.resolve("live.json"), json.writeValueAsBytes(state));
            written = true;
        } catch (IOException | ReportException e) {
            if (written) {
                written = false;
                next.note("the page that watches this run stands still: " + e.getMessage());
            }
        }
    }
}
