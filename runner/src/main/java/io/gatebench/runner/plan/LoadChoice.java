/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.plan;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import io.gatebench.load.engine.LoadModel;
import io.gatebench.model.TestTiming;

/** Timing, load model and users of a plan: what the user said, and defaults that do not contradict it. */
final class LoadChoice {

    /** Least and most users of an open model unless the plan says otherwise: enough for answers of one second. */
    private static final int MIN_OPEN_USERS = 50;

    private static final int MAX_OPEN_USERS = 1000;
    private static final double HIGHEST_RATE = 1_000_000;

    private final PlanReader said;

    LoadChoice(PlanReader said) {
        this.said = said;
    }

    /** Returns the timing; empty if it has a problem. */
    Optional<TestTiming> timing(TestTiming defaults) {
        int before = said.problems().size();
        Optional<Duration> given = said.single(PlanKey.DURATION, PlanValues.SECONDS);
        Optional<WarmUp> warmUp = said.single(PlanKey.WARM_UP, WarmUp::parse);
        Optional<Duration> rampUp = said.single(PlanKey.RAMP_UP, PlanValues.SECONDS);
        if (said.problems().size() > before) {
            return Optional.empty();
        }
        boolean levels = said.has(PlanKey.RATE) || said.has(PlanKey.USER_LEVELS);
        boolean untilSteady =
                warmUp.map(WarmUp::untilSteady).orElse(defaults.untilSteady() && given.isEmpty() && !levels);
        Duration window = defaults.measurement();
        Duration usual = untilSteady == defaults.untilSteady()
                ? defaults.warmUp()
                : untilSteady ? WarmUp.DEFAULT_LIMIT : WarmUp.DEFAULT_LENGTH;
        Optional<Duration> length = warmUp.flatMap(WarmUp::length);
        Duration duration = given.orElseGet(() ->
                untilSteady || defaults.untilSteady() ? length.orElse(usual).plus(window) : defaults.duration());
        // A default must not contradict what the user did say: it keeps its share of the time.
        Duration warm = length.orElseGet(() -> usual.compareTo(duration) < 0 ? usual : duration.dividedBy(3));
        Duration ramp =
                rampUp.orElseGet(() -> defaults.rampUp().compareTo(warm) <= 0 ? defaults.rampUp() : warm.dividedBy(2));
        return said.made(() -> new TestTiming(duration, warm, ramp, untilSteady));
    }

    /**
     * Returns the load model.
     *
     * @param timing the timing, if it has no problem
     */
    LoadModel model(Optional<TestTiming> timing) {
        Optional<List<LoadModel.Level>> rates = levels(PlanKey.RATE, HIGHEST_RATE, timing);
        Optional<List<LoadModel.Level>> users = levels(PlanKey.USER_LEVELS, PlanValues.MAX_USERS, timing);
        Duration think = said.single(PlanKey.THINK_TIME, PlanValues.MILLIS).orElse(Duration.ZERO);
        Duration pacing = said.single(PlanKey.PACING, PlanValues.MILLIS).orElse(Duration.ZERO);
        if (rates.isPresent() && users.isPresent()) {
            said.problem("--rate (an open model) and --user-levels (a closed one) exclude each other; drop one");
            return LoadModel.closed();
        }
        LoadModel model = said.made(() -> new LoadModel(
                        rates.isPresent() ? LoadModel.Kind.OPEN : LoadModel.Kind.CLOSED,
                        rates.or(() -> users).orElse(List.of()),
                        think,
                        pacing))
                .orElseGet(LoadModel::closed);
        if (model.changes() && timing.filter(TestTiming::untilSteady).isPresent()) {
            said.problem("--warm-up auto waits for a steady load, but this one changes by plan: " + model.describe()
                    + "; give the warm-up a length");
        }
        return model;
    }

    private Optional<List<LoadModel.Level>> levels(PlanKey key, double most, Optional<TestTiming> timing) {
        Optional<PlanInput.Entry> entry = said.entry(key);
        if (entry.isEmpty()) {
            return Optional.empty();
        }
        try {
            List<LoadModel.Level> levels = LoadLevels.parse(entry.get().values());
            for (LoadModel.Level level : levels) {
                if (level.value() > most || key == PlanKey.USER_LEVELS && level.value() != Math.rint(level.value())) {
                    throw new IllegalArgumentException("must be "
                            + (key == PlanKey.USER_LEVELS ? "whole numbers up to " : "at most ") + (long) most
                            + " but holds " + level.value());
                }
                timing.filter(times -> level.at().compareTo(times.duration()) >= 0)
                        .ifPresent(times -> {
                            throw new IllegalArgumentException("has a level from "
                                    + level.at().toMillis() + " ms on, but the test ends after "
                                    + times.duration().toMillis() + " ms; lengthen --duration");
                        });
            }
            if (levels.stream().noneMatch(level -> level.value() > 0)) {
                throw new IllegalArgumentException("needs a level above 0");
            }
            return Optional.of(levels);
        } catch (IllegalArgumentException e) {
            said.refuse(key, e.getMessage());
            return Optional.empty();
        }
    }

    /** Returns the numbers of users, which follow from the model where it has levels. */
    List<Integer> users(List<Integer> defaults, LoadModel model) {
        Optional<List<Integer>> given = said.list(PlanKey.USERS, PlanValues.USERS);
        if (model.levels().isEmpty()) {
            return given.orElse(defaults);
        }
        double peak = model.levels().stream()
                .mapToDouble(LoadModel.Level::value)
                .max()
                .orElseThrow();
        if (model.kind() == LoadModel.Kind.OPEN) {
            return given.orElse(List.of((int) Math.min(MAX_OPEN_USERS, Math.max(MIN_OPEN_USERS, Math.ceil(peak)))));
        }
        said.refuse(PlanKey.USERS, "has no effect beside --user-levels, whose highest level it is; drop it");
        return List.of((int) peak);
    }
}
