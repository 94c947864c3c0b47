/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import io.gatebench.load.engine.PayloadOptions;
import io.gatebench.load.engine.ProbeRunner;
import io.gatebench.load.engine.Trust;
import io.gatebench.load.engine.token.TokenPool;
import io.gatebench.model.FailureReason;
import io.gatebench.model.NodeRole;
import io.gatebench.model.Probe;
import io.gatebench.model.ProbeOutcome;
import io.gatebench.model.TestCase;
import io.gatebench.model.TestScenario;
import io.gatebench.model.TokenKind;
import io.gatebench.spi.RunContext;
import io.gatebench.spi.RunningGateway;
import io.gatebench.spi.host.Pause;

/** Looks whether a gateway that is ready serves what the load will ask of it. */
final class GatewayProbes {

    private static final int LOOKS_AT_A_SILENT_GATEWAY = 10;
    private static final String WHILE_PROBED = "while the gateway was probed";

    private final RunContext run;
    private final Replicas replicas;
    private final PayloadOptions payload;
    private final Optional<Instant> plannedEnd;

    /**
     * Creates it.
     *
     * @param plannedEnd until when tokens must be valid, if not only until the end of a case
     */
    GatewayProbes(RunContext run, Replicas replicas, PayloadOptions payload, Optional<Instant> plannedEnd) {
        this.run = run;
        this.replicas = replicas;
        this.payload = payload;
        this.plannedEnd = plannedEnd;
    }

    /**
     * Probes the gateway of a case, or its replicas.
     *
     * @throws CaseFailure if one of them has ended, or answers wrongly
     */
    void check(TestScenario scenario, CaseState state, List<RunningGateway> running) {
        running.forEach(this::requireTokens);
        run.listener().step("probing the gateway");
        List<Probe> possible = possible(scenario, running.get(0));
        if (possible.size() < scenario.probes().size()) {
            state.facts()
                    .put(
                            "probes.left.out",
                            scenario.probes().stream()
                                    .filter(probe -> !possible.contains(probe))
                                    .map(Probe::name)
                                    .collect(Collectors.joining(", ", "", ": such a token cannot be had")));
        }
        List<ProbeOutcome> outcomes = new ArrayList<>();
        for (int i = 0; i < running.size(); i++) {
            String of = running.size() == 1 ? "" : " of " + replicas.host(i).name();
            List<ProbeOutcome> ofOne = send(run, scenario, state.testCase(), running.get(i), payload).stream()
                    .map(outcome ->
                            new ProbeOutcome(outcome.name() + of, outcome.status(), outcome.passed(), outcome.detail()))
                    .toList();
            state.probed(ofOne);
            outcomes.addAll(ofOne);
        }
        // A right answer may be that of another process, which has taken the port of a gateway that has ended.
        String died = outcomes.stream().anyMatch(outcome -> outcome.status().isEmpty())
                ? deathOfASilentGateway(state)
                : state.dead(WHILE_PROBED);
        if (died != null) {
            throw new CaseFailure(FailureReason.PROCESS_DIED, died);
        }
        wrong(outcomes).ifPresent(how -> {
            throw new CaseFailure(FailureReason.PROBE, "the gateway " + how);
        });
    }

    private void requireTokens(RunningGateway running) {
        Instant needed = plannedEnd.orElseGet(
                () -> run.clock().instant().plus(run.plan().timing().duration()));
        running.tokens().map(TokenPool::readCsv).ifPresent(tokens -> tokens.checkValidUntil(needed));
    }

    /** No answer is what one sees first of a gateway that dies: its connections are closed before it is gone. */
    private @Nullable String deathOfASilentGateway(CaseState state) {
        String died = state.dead(WHILE_PROBED);
        for (int look = 0; look < LOOKS_AT_A_SILENT_GATEWAY && died == null; look++) {
            Pause.of(LoadGenerators.POLL, run.clock(), WHILE_PROBED);
            died = state.dead(WHILE_PROBED);
        }
        return died;
    }

    /** Sends the requests that come before a load, as far as the tokens that they need can be had. */
    static List<ProbeOutcome> send(
            RunContext run, TestScenario scenario, TestCase testCase, RunningGateway running, PayloadOptions payload) {
        return new ProbeRunner()
                .run(
                        scenario.withProbes(possible(scenario, running)),
                        running.target(),
                        run.environment().host(NodeRole.LOAD_GENERATOR).reach(running.target()),
                        testCase.message(),
                        running.probeTokens(),
                        Trust.ofGateway(running.target()),
                        payload);
    }

    private static List<Probe> possible(TestScenario scenario, RunningGateway running) {
        return scenario.probes().stream()
                .filter(probe -> probe.token() == Probe.Token.NONE
                        || scenario.token() == TokenKind.NONE
                        || running.probeTokens().containsKey(probe.token()))
                .toList();
    }

    /** Returns what the gateway did wrong, after its name; empty if all its answers were right. */
    static Optional<String> wrong(List<ProbeOutcome> outcomes) {
        List<String> wrong = outcomes.stream()
                .filter(outcome -> !outcome.passed())
                .map(outcome -> outcome.name() + ": " + outcome.detail())
                .toList();
        return wrong.isEmpty()
                ? Optional.empty()
                : Optional.of("answered wrongly before the load: " + String.join("; ", wrong));
    }
}
