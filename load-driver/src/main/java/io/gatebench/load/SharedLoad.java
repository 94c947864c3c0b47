/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

import io.gatebench.load.engine.LoadException;
import io.gatebench.load.engine.LoadRequest;
import io.gatebench.load.jmeter.EmbeddedLoad;
import io.gatebench.load.jmeter.RemoteOutcome;
import io.gatebench.model.LoadGeneratorHealth;
import io.gatebench.model.LoadResult;
import io.gatebench.model.MeasuredValue;

/**
 * One result from several load generators, each of which has run its {@linkplain LoadRequest#shares share} of a request.
 *
 * <p>Counts, distributions (also those of each second) and so every percentile are exactly those that one recorder would
 * hold. Each load generator counts time from its own start: {@link LoadResult#startSkew()} says how
 * far the starts lie apart by the clocks of their machines.
 *
 * @since 0.1
 */
public final class SharedLoad {

    private SharedLoad() {}

    /**
     * Merges the outcomes and writes {@code load.json}, {@code load.hlog}, {@code series.csv}, {@code times.csv}, {@code errors.csv} if there are errors, and {@code load.outcome}.
     *
     * <p>Of the load generators' health the worst figures are kept, the connections are added up; the merged load is
     * saturated, and aborted, if one of them was.
     *
     * @param whole the request whose shares have run
     * @param outcomes the {@value JMeterLoadDriver#OUTCOME_FILE} of each load generator, in the order of their shares
     * @param directory an existing directory
     * @throws LoadException if an outcome is missing or damaged, or a file cannot be written
     */
    public static LoadResult merge(LoadRequest whole, List<Path> outcomes, Path directory) {
        return merge(
                whole, outcomes, outcomes.stream().map(outcome -> Duration.ZERO).toList(), directory);
    }

    /**
     * Merges outcomes of machines whose clocks differ; see {@link #merge(LoadRequest, List, Path)}. The result has the
     * times of the clock from which the differences count.
     *
     * @param ahead how far the clock of each load generator's machine is ahead, in the order of the outcomes
     */
    public static LoadResult merge(LoadRequest whole, List<Path> outcomes, List<Duration> ahead, Path directory) {
        if (outcomes.isEmpty() || ahead.size() != outcomes.size()) {
            throw new IllegalArgumentException("there must be an outcome, and a clock for each, but there are "
                    + outcomes.size() + " and " + ahead.size());
        }
        List<RemoteOutcome> parts = new ArrayList<>();
        for (int i = 0; i < outcomes.size(); i++) {
            if (!Files.exists(outcomes.get(i))) {
                throw new LoadException(name(i, outcomes.size()) + " left no result: " + outcomes.get(i)
                        + " does not exist; its log says why");
            }
            RemoteOutcome part = OutcomeFile.read(outcomes.get(i));
            parts.add(new RemoteOutcome(part.outcome().earlierBy(ahead.get(i)), part.health()));
        }
        return merged(whole, parts, directory);
    }

    static LoadResult merged(LoadRequest whole, List<RemoteOutcome> parts, Path directory) {
        List<EmbeddedLoad.Outcome> outcomes = new ArrayList<>();
        for (int i = 0; i < parts.size(); i++) {
            EmbeddedLoad.Outcome outcome = parts.get(i).outcome();
            String name = name(i, parts.size());
            outcomes.add(
                    parts.size() == 1
                            ? outcome
                            : outcome.withAborted(outcome.aborted().map(reason -> name + ": " + reason)));
        }
        EmbeddedLoad.Outcome sum = outcomes.stream().reduce(RemoteOutcome::sum).orElseThrow();
        List<Instant> starts =
                outcomes.stream().map(EmbeddedLoad.Outcome::started).sorted().toList();
        Duration skew = Duration.ofMillis(
                Duration.between(starts.get(0), starts.get(starts.size() - 1)).toMillis());
        return JMeterLoadDriver.write(
                whole,
                directory,
                new RemoteOutcome(
                        sum, worst(parts.stream().map(RemoteOutcome::health).toList())),
                Map.of("load.generators", String.valueOf(parts.size())),
                Optional.of(skew));
    }

    private static String name(int index, int count) {
        return "load generator " + (index + 1) + " of " + count;
    }

    private static LoadGeneratorHealth worst(List<LoadGeneratorHealth> parts) {
        List<String> reasons = new ArrayList<>();
        for (int i = 0; i < parts.size(); i++) {
            String name = name(i, parts.size());
            parts.get(i).reasons().forEach(reason -> reasons.add(parts.size() == 1 ? reason : name + ": " + reason));
        }
        return new LoadGeneratorHealth(
                largest(parts, LoadGeneratorHealth::cpuOfMachinePercent),
                largest(parts, LoadGeneratorHealth::gcPauseMillis),
                largest(parts, LoadGeneratorHealth::schedulingDelayP99Millis),
                largest(parts, LoadGeneratorHealth::schedulingDelayMaxMillis),
                MeasuredValue.of(parts.stream()
                        .mapToDouble(part -> part.connectionsOpened().value().orElse(0))
                        .sum()),
                parts.stream().anyMatch(LoadGeneratorHealth::saturated),
                reasons);
    }

    /** An absent figure wins: the worst of the others would pretend to be that of all. */
    private static MeasuredValue largest(
            List<LoadGeneratorHealth> parts, Function<LoadGeneratorHealth, MeasuredValue> figure) {
        Optional<MeasuredValue> absent = parts.stream()
                .map(figure)
                .filter(value -> value.value().isEmpty())
                .findFirst();
        return absent.orElseGet(() -> MeasuredValue.of(parts.stream()
                .map(figure)
                .mapToDouble(value -> value.value().orElseThrow())
                .max()
                .orElseThrow()));
    }
}
