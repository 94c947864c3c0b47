/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

import io.gatebench.load.engine.stats.PhaseTotals;
import io.gatebench.load.engine.stats.RecordedLoad;
import io.gatebench.model.SampleStatistics;
import io.gatebench.model.ScenarioSteps;

/** The figures of each step and route of a scenario. */
final class StepFigures {

    private StepFigures() {}

    /** Returns the statistics of each step in the window, in the order of the steps; one that was never sent has none. */
    static List<SampleStatistics> statistics(ScenarioSteps steps, RecordedLoad recorded, Duration window) {
        List<SampleStatistics> all = new ArrayList<>();
        Map<String, PhaseTotals> measured = recorded.measurement();
        for (ScenarioSteps.Step step : steps.all()) {
            PhaseTotals totals = measured.get(step.name());
            if (totals != null) {
                all.add(totals.statistics(step.name(), window));
            }
        }
        return all;
    }

    /** Returns in words how often each route was begun in the window; empty if there is one alone. */
    static Optional<String> shares(ScenarioSteps steps, List<SampleStatistics> statistics) {
        if (steps.routes().size() < 2) {
            return Optional.empty();
        }
        List<Long> begun = steps.routes().stream()
                .map(route -> statistics.stream()
                        .filter(s -> s.label().equals(route.steps().get(0).name()))
                        .mapToLong(SampleStatistics::samples)
                        .sum())
                .toList();
        long all = Math.max(1, begun.stream().mapToLong(Long::longValue).sum());
        int weights =
                steps.routes().stream().mapToInt(ScenarioSteps.Route::weight).sum();
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < begun.size(); i++) {
            ScenarioSteps.Route route = steps.routes().get(i);
            texts.add(String.format(
                    Locale.ROOT,
                    "%s %.2f %% (by its weight %.2f %%)",
                    route.name(),
                    100.0 * begun.get(i) / all,
                    100.0 * route.weight() / weights));
        }
        return Optional.of(String.join(", ", texts));
    }
}
