/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Test;

import io.gatebench.model.FailureReason;
import io.gatebench.model.TestCaseResult;
import io.gatebench.report.results.ResultsDirectory;
import io.gatebench.runner.fake.FakeEnvironment;
import io.gatebench.settings.PlanException;
import io.gatebench.spi.Environment;
import io.gatebench.spi.RunListener;

/** A run from its plan to its report, and its resuming. */
class PerfRunTest extends OnFakes {

    private final RunListener listener = new RunListener() {
        @Override
        public void runStarted(int cells, Duration estimate) {
            putBackend(results().resolve(".work").resolve("jars"));
        }

        @Override
        public void note(String text) {
            notes.add(text);
        }
    };

    private Environment environment(Path work) {
        return new FakeEnvironment(host);
    }

    private Path results() {
        return directory.resolve("results");
    }

    private PerfRun create() {
        return PerfRun.create(plan(), results(), this::environment, clock, listener, "1");
    }

    private PerfRun resume() {
        return PerfRun.resume(plan(), results(), this::environment, clock, listener, "1");
    }

    private static PerfRun.Outcome execute(PerfRun opened, Interruption interruption) {
        try (PerfRun run = opened) {
            return run.execute(interruption);
        }
    }

    private long loads() {
        return host.started().stream()
                .filter(process -> process.name().equals(LOAD_GENERATOR))
                .count();
    }

    @Test
    void measuresEachCaseAndReports() {
        users = List.of("1", "2");

        PerfRun.Outcome outcome = execute(create(), interruption);

        assertThat(outcome.results()).hasSize(2).allMatch(TestCaseResult.Completed.class::isInstance);
        assertThat(ResultsDirectory.open(results()).results()).hasSize(2);
        assertThat(outcome.table()).contains("| 1 |", "| 2 |");
        assertThat(results().resolve("summary.csv")).isNotEmptyFile();
    }

    @Test
    void goesOnWithTheCaseInWhichItWasEnded() {
        users = List.of("1", "2", "3");
        clock.after(MINUTE.plusSeconds(20), interruption::request);

        PerfRun.Outcome first = execute(create(), interruption);

        assertThat(first.results().get(0)).isInstanceOf(TestCaseResult.Completed.class);
        assertThat(first.results().get(1))
                .isInstanceOfSatisfying(
                        TestCaseResult.Failed.class,
                        failed -> assertThat(failed.reason()).isEqualTo(FailureReason.INTERRUPTED));
        assertThat(loads()).isEqualTo(2);

        clock.pass(Duration.ofHours(1));
        PerfRun.Outcome second = execute(resume(), new Interruption());

        assertThat(second.results()).hasSize(3).allMatch(TestCaseResult.Completed.class::isInstance);
        assertThat(loads()).as("the first case is kept").isEqualTo(4);
    }

    @Test
    void refusesToGoOnWithAnotherPlan() {
        execute(create(), interruption);
        restart = "never";

        assertThatThrownBy(this::resume).isInstanceOf(PlanException.class);
        assertThat(loads()).isEqualTo(1);
    }
}
