/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.gatebench.load.LoadGeneratorMain;
import io.gatebench.load.engine.LoadRequest;
import io.gatebench.model.TestTiming;
import io.gatebench.spi.RunContext;
import io.gatebench.spi.host.HostProcess;
import io.gatebench.spi.host.Pause;
import io.gatebench.spi.role.RoleProcess;

/** Looks at the load generators again and again, until all are ready, or all have ended, or there is a reason. */
final class LoadWatch {

    private static final String WHILE_LOAD_RAN = "while the load ran";
    /** A JVM comes up in seconds, and starts thousands of users in some more. */
    private static final Duration PREPARATION = Duration.ofMinutes(2);

    private final RunContext run;
    private final Interruption interruption;
    private final List<RoleProcess> processes;
    private final Supplier<@Nullable String> death;
    private final LiveSeconds seconds;
    private final long[] offsets;
    private final boolean[] ready;
    private final Consumer<String> endWarmUp;
    private final Optional<UntilSteady> warmUp;
    private boolean loading;
    private boolean loaded;
    private boolean steady;
    private boolean window;

    /**
     * Creates it.
     *
     * @param death says what else died, or null while all is well
     * @param compilers see {@link UntilSteady}
     * @param endWarmUp is told why when the warm-up is over
     */
    LoadWatch(
            RunContext run,
            Interruption interruption,
            List<RoleProcess> processes,
            Supplier<@Nullable String> death,
            TestTiming timing,
            Supplier<Map<String, Duration>> compilers,
            Consumer<String> endWarmUp) {
        this.run = run;
        this.interruption = interruption;
        this.endWarmUp = endWarmUp;
        this.warmUp = timing.untilSteady()
                ? Optional.of(new UntilSteady(
                        processes.size(), (int) Math.ceil(timing.rampUp().toMillis() / 1000.0), run.clock(), compilers))
                : Optional.empty();
        this.processes = processes;
        this.death = death;
        this.seconds = new LiveSeconds(processes.size(), run.listener());
        this.offsets = new long[processes.size()];
        this.ready = new boolean[processes.size()];
    }

    /** Returns empty when all users of all load generators wait for the start, or how it ended before that. */
    Optional<LoadGenerators.Ending> untilReady(Supplier<@Nullable String> beforeLoad) {
        Instant deadline = run.clock().instant().plus(PREPARATION);
        while (true) {
            Optional<LoadGenerators.Ending> ending = look();
            if (ending.isPresent()) {
                return ending;
            }
            int missing = firstNotReady();
            if (missing < 0) {
                return Optional.empty();
            }
            String why = stop(
                    deadline,
                    beforeLoad,
                    () -> "the load generator " + processes.get(missing).name() + " on "
                            + processes.get(missing).host().name() + " was not ready within "
                            + PREPARATION.toSeconds()
                            + " s" + processes.get(missing).process().lastWords(15));
            if (why != null) {
                return Optional.of(new LoadGenerators.Ending(processes, false, why));
            }
            Pause.of(LoadGenerators.POLL, run.clock(), WHILE_LOAD_RAN);
        }
    }

    LoadGenerators.Ending untilEnd(LoadRequest request, Duration lead) {
        loading = true;
        // Users that wait for a last answer may take as long as the response time-out after the test's end.
        Instant deadline = run.clock()
                .instant()
                .plus(lead)
                .plus(request.timing().duration())
                .plus(request.connectTimeout())
                .plus(request.responseTimeout())
                .plusSeconds(60);
        while (true) {
            Optional<LoadGenerators.Ending> ending = look();
            if (ending.isPresent()) {
                return ending.get();
            }
            String why = stop(deadline, death, () -> "the load generator did not end in time");
            if (why != null) {
                return new LoadGenerators.Ending(processes, false, why);
            }
            Pause.of(LoadGenerators.POLL, run.clock(), WHILE_LOAD_RAN);
        }
    }

    private int firstNotReady() {
        for (int i = 0; i < ready.length; i++) {
            if (!ready[i]) {
                return i;
            }
        }
        return -1;
    }

    /** Nothing tells of a single one when it begins, only what it has done in each second. */
    private String when() {
        if (processes.size() == 1) {
            return loaded ? WHILE_LOAD_RAN : "before the first second of the load was over";
        }
        return loading ? WHILE_LOAD_RAN : "before the load began";
    }

    /** Reads what they wrote; returns how it ended if all have ended, or one too early. */
    private Optional<LoadGenerators.Ending> look() {
        int ended = 0;
        boolean aborted = false;
        for (int i = 0; i < processes.size(); i++) {
            HostProcess process = processes.get(i).process();
            boolean alive = process.isAlive();
            HostProcess.Output output = process.outputFrom(offsets[i]);
            offsets[i] = output.nextOffset();
            for (String line : output.text().lines().toList()) {
                ready[i] |= line.equals(LoadGeneratorMain.READY);
                loaded |= seconds.line(line);
                if (!window && line.equals(LoadGeneratorMain.WINDOW)) {
                    window = true;
                    run.listener().windowBegins();
                }
                if (!steady && warmUp.isPresent()) {
                    warmUp.get().reachedBy(line).ifPresent(why -> {
                        steady = true;
                        endWarmUp.accept(why);
                    });
                }
            }
            if (!alive) {
                ended++;
                OptionalInt code = process.exitCode();
                aborted |= code.isPresent() && code.getAsInt() == LoadGenerators.ABORTED_EARLY;
                if (code.isEmpty() || code.getAsInt() != 0 && code.getAsInt() != LoadGenerators.ABORTED_EARLY) {
                    return Optional.of(new LoadGenerators.Ending(processes, false, dead(processes, i, when())));
                }
            }
        }
        return ended == processes.size() || aborted
                ? Optional.of(new LoadGenerators.Ending(processes, aborted, ""))
                : Optional.empty();
    }

    private @Nullable String stop(Instant deadline, Supplier<@Nullable String> death, Supplier<String> late) {
        if (interruption.isRequested()) {
            return "the run was interrupted";
        }
        String died = death.get();
        if (died != null) {
            return died;
        }
        return run.clock().instant().isAfter(deadline) ? late.get() : null;
    }

    private static String dead(List<RoleProcess> processes, int index, String when) {
        RoleProcess role = processes.get(index);
        OptionalInt code = role.process().exitCode();
        boolean alone = processes.size() == 1;
        return "the load generator" + (alone ? "" : " " + role.name()) + " on "
                + role.host().name() + " ended " + when
                + " (" + (code.isPresent() ? "exit code " + code.getAsInt() : "it left no exit code") + ")"
                + HostDisk.words(role.host())
                + (alone || !when.equals(WHILE_LOAD_RAN)
                        ? ""
                        : "; what the others measured is kept, but is no measurement of all users")
                + role.process().lastWords(15);
    }
}
