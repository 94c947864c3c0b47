/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

import io.gatebench.load.engine.LoadProbes;
import io.gatebench.load.engine.LoadRequest;
import io.gatebench.load.engine.PayloadOptions;
import io.gatebench.model.ScenarioSteps;
import io.gatebench.model.TestScenario;
import io.gatebench.settings.SecretHeaders;
import io.gatebench.spi.RunContext;
import io.gatebench.spi.host.Host;

/** Puts the files that a load needs on the hosts of its load generators. */
final class LoadFiles {

    private static final String REQUEST = "/request.json";

    private final RunContext run;

    LoadFiles(RunContext run) {
        this.run = run;
    }

    /**
     * Puts a request on a host, at the path that {@link #requestFile} names, with all files that it names.
     *
     * @param tokens a file with tokens here, if the scenario needs tokens
     * @param directory the directory of the load below the work directory of the host
     * @return how long the request itself took
     */
    Duration putRequest(LoadRequest share, Optional<Path> tokens, Host host, String directory) {
        String there = host.workDirectory() + "/" + directory;
        host.createDirectory(there);
        LoadRequest own = onHost(share, tokens, host);
        String request = requestFile(host, directory, own.scenario());
        Instant before = run.clock().instant();
        if (hasSecrets(own.scenario())) {
            put(host, there + REQUEST, own.withScenario(SecretHeaders.masked(own.scenario()))::write);
            host.createDirectory(request.substring(0, request.lastIndexOf('/')));
        }
        // Last: a load generator that was started early begins with it.
        put(host, request, own::write);
        return Duration.between(before, run.clock().instant());
    }

    /** Names the file of a request: all in the directory of the case becomes part of the results, so that one with secrets lies elsewhere. */
    static String requestFile(Host host, String directory, TestScenario scenario) {
        return host.workDirectory()
                + (hasSecrets(scenario) ? "/secrets/" + directory.replace('/', '-') : "/" + directory)
                + REQUEST;
    }

    private static boolean hasSecrets(TestScenario scenario) {
        return !SecretHeaders.masked(scenario).equals(scenario);
    }

    /** Puts the files that a request names on a host, and returns the request that names them there. */
    static LoadRequest onHost(LoadRequest request, Optional<Path> tokens, Host host) {
        LoadRequest withTokens = tokens.map(
                        file -> Path.of(host.upload(file, host.workDirectory() + "/secrets/" + file.getFileName())))
                .map(request::withTokenFile)
                .orElse(request);
        return withTokens
                .withScenario(onHost(withTokens.scenario(), host))
                .withPayload(onHost(withTokens.payload(), host))
                .withProbes(new LoadProbes(
                        request.probes().oneIn(),
                        request.probes()
                                .tokenFile()
                                .map(file -> Path.of(
                                        host.upload(file, host.workDirectory() + "/secrets/" + file.getFileName())))));
    }

    private static TestScenario onHost(TestScenario scenario, Host host) {
        return scenario.withSteps(scenario.steps()
                .map(steps -> new ScenarioSteps(
                        steps.routes(),
                        steps.data()
                                .map(data -> new ScenarioSteps.Data(
                                        Path.of(host.upload(
                                                data.file(),
                                                host.workDirectory() + "/data/" + scenario.name() + ".csv")),
                                        data.unique())))));
    }

    private static PayloadOptions onHost(PayloadOptions payload, Host host) {
        return new PayloadOptions(
                payload.wso2Sizes(),
                payload.file()
                        .map(file ->
                                Path.of(host.upload(file, host.workDirectory() + "/payload/" + file.getFileName()))),
                payload.variants());
    }

    /** Writes a file. */
    interface Content {
        void writeTo(Path file) throws IOException;
    }

    /** Puts a file at a path on a host, where it appears whole. */
    void put(Host host, String path, Content content) {
        try {
            Path file = Files.createTempFile(run.secrets(), "gatebench-", ".tmp");
            try {
                content.writeTo(file);
                if (!host.upload(file, path).equals(path)) {
                    // It is this machine, on which the file would be used where it is.
                    Path part = Path.of(path + ".part");
                    Files.move(file, part, StandardCopyOption.REPLACE_EXISTING);
                    Files.move(
                            part, Path.of(path), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
                }
            } finally {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + path, e);
        }
    }
}
