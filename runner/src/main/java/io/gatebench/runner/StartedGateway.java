/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;

import io.gatebench.hosts.environment.LocalEnvironment;
import io.gatebench.load.engine.PayloadOptions;
import io.gatebench.load.engine.ProbeRunner;
import io.gatebench.load.engine.Trust;
import io.gatebench.load.engine.token.TokenPool;
import io.gatebench.model.MessageLevel;
import io.gatebench.model.ProbeOutcome;
import io.gatebench.model.TestCase;
import io.gatebench.model.TestScenario;
import io.gatebench.runner.plan.RunPlan;
import io.gatebench.spi.CaseContext;
import io.gatebench.spi.RunContext;
import io.gatebench.spi.RunListener;
import io.gatebench.spi.RunningGateway;
import io.gatebench.spi.host.TemporaryDirectory;
import io.gatebench.spi.role.RoleJars;

/**
 * The gateway of a test, started on this machine as a JVM of its own and left running without load.
 *
 * <p>It serves the first scenario of its test. Closing it stops its processes and removes its keys and tokens.
 *
 * @since 0.1
 */
public final class StartedGateway implements AutoCloseable {

    private final TestScenario scenario;
    private final MessageLevel message;
    private final PayloadOptions payload;
    private final RunningGateway running;
    private final LocalEnvironment environment;
    private final TemporaryDirectory directory;

    private StartedGateway(
            TestScenario scenario,
            MessageLevel message,
            PayloadOptions payload,
            RunningGateway running,
            LocalEnvironment environment,
            TemporaryDirectory directory) {
        this.scenario = scenario;
        this.message = message;
        this.payload = payload;
        this.running = running;
        this.environment = environment;
        this.directory = directory;
    }

    static StartedGateway start(RunPlan plan, URI backend, RunListener listener, Clock clock) {
        TemporaryDirectory directory;
        try {
            directory = TemporaryDirectory.create("gatebench-gateway-");
        } catch (IOException e) {
            throw new UncheckedIOException("cannot create a directory for the gateway", e);
        }
        LocalEnvironment environment = new LocalEnvironment(directory.path().resolve("work"));
        try {
            Path secrets = Files.createDirectories(directory.path().resolve("secrets"));
            RunContext run = new RunContext(
                    plan.plan(),
                    environment,
                    new RoleJars(directory.path().resolve("jars")),
                    secrets,
                    plan.gatewayPort(),
                    plan.backendPort(),
                    clock,
                    listener);
            TestCase testCase = plan.plan().testCases().get(0);
            TestScenario scenario = plan.plan().scenarios().get(0);
            plan.gateway().initialize(run);
            RunningGateway running =
                    plan.gateway().start(testCase, scenario, new CaseContext(run, backend, "standing"));
            return new StartedGateway(scenario, testCase.message(), plan.payload(), running, environment, directory);
        } catch (IOException | RuntimeException e) {
            environment.close();
            remove(directory);
            throw e instanceof RuntimeException failure
                    ? failure
                    : new UncheckedIOException("cannot create a directory for keys and tokens", (IOException) e);
        }
    }

    /** Returns the base URL. */
    public URI url() {
        return running.target();
    }

    /** Returns the URL of its scenario. */
    public URI scenarioUrl() {
        return URI.create(running.target() + scenario.path());
    }

    /** Returns the scenario that it serves. */
    public TestScenario scenario() {
        return scenario;
    }

    /** Returns tokens that it accepts; empty if its scenario takes none. */
    public Optional<TokenPool> tokens() {
        return running.tokens().map(TokenPool::readCsv);
    }

    /** Sends the requests that a test sends before its load, good ones and bad ones, and returns what came of each. */
    public List<ProbeOutcome> probe() {
        return new ProbeRunner()
                .run(
                        scenario,
                        running.target(),
                        message,
                        running.probeTokens(),
                        Trust.ofGateway(running.target()),
                        payload);
    }

    @Override
    public void close() {
        try {
            running.stop();
        } finally {
            environment.close();
            remove(directory);
        }
    }

    @Override
    public String toString() {
        return "StartedGateway[" + running.target() + "]";
    }

    private static void remove(TemporaryDirectory directory) {
        try {
            directory.close();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot remove " + directory.path(), e);
        }
    }
}
