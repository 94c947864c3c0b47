/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways.http;

import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

import io.gatebench.gateways.container.ContainerSpec;
import io.gatebench.model.TestScenario;

/**
 * Content of a gateway configuration; texts still hold their placeholders.
 *
 * @param file the file it was read from
 * @param name the name that the report carries
 * @param version the version that the report states, if any
 * @param port the port that {@code {gateway-port}} stands for if it is free
 * @param files templates to render into the gateway's directory, by the name they get there
 * @param prepare commands that are run to their end before each start
 * @param start how the gateway is started, absent for one that runs already
 * @param stop the command that stops it, empty if the signal TERM does
 * @param ready how it is known that it takes requests
 * @param gcLog where its GC log lies, absent for a gateway that is no JVM
 * @param jwt the tokens that the suite makes, if any
 * @param tokenFile tokens that were made elsewhere, one per line, if any
 * @param usesBackend whether it forwards to the back end of the run
 * @param scenarios the scenarios in order
 */
record HttpGatewayConfig(
        Path file,
        String name,
        Optional<String> version,
        OptionalInt port,
        Map<String, Path> files,
        List<List<String>> prepare,
        Optional<Start> start,
        List<String> stop,
        Ready ready,
        Optional<String> gcLog,
        Optional<Jwt> jwt,
        Optional<Path> tokenFile,
        boolean usesBackend,
        List<Served> scenarios) {

    /** Copies the collections. */
    HttpGatewayConfig {
        files = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(files));
        prepare = prepare.stream().map(List::copyOf).toList();
        stop = List.copyOf(stop);
        scenarios = List.copyOf(scenarios);
    }

    /**
     * Start of the gateway.
     *
     * @param command the command and its arguments
     * @param environment variables added to the host's own
     * @param foreground whether the command's own process is the gateway, which ends with it
     * @param container the container that the command is run in, if any; the command may be empty then
     */
    record Start(
            List<String> command,
            Map<String, String> environment,
            boolean foreground,
            Optional<ContainerSpec> container) {

        /** Copies the collections. */
        Start {
            command = List.copyOf(command);
            environment = Map.copyOf(environment);
        }
    }

    /**
     * Sign that the gateway takes requests; with neither URL nor command, that its port takes connections.
     *
     * @param url answers a GET with the status, if given
     * @param status the status of that answer
     * @param command ends with exit code 0, if not empty
     * @param timeout how long it may take
     */
    record Ready(Optional<String> url, int status, List<String> command, Duration timeout) {

        /** Copies the command. */
        Ready {
            command = List.copyOf(command);
        }
    }

    /**
     * The tokens that the suite makes.
     *
     * @param audience value of {@code aud}
     * @param issuer value of {@code iss}, if not the default
     * @param signingKey a PEM file with the RSA private key, if it is not to be made for the run
     * @param count how many
     */
    record Jwt(String audience, Optional<String> issuer, Optional<Path> signingKey, int count) {}

    /**
     * A scenario and where it is served.
     *
     * @param scenario the scenario; its path is the whole path of the URL
     * @param base scheme, host and port
     * @param ownBase whether the base is the scenario's own and not that of the whole gateway
     */
    record Served(TestScenario scenario, String base, boolean ownBase) {}

    /** Returns whether the heap size of the plan reaches the gateway. */
    boolean usesHeap() {
        return start.stream()
                        .anyMatch(s -> s.command().stream().anyMatch(w -> Placeholders.uses(w, Placeholders.HEAP))
                                || s.environment().values().stream()
                                        .anyMatch(v -> Placeholders.uses(v, Placeholders.HEAP)))
                || prepare.stream().flatMap(List::stream).anyMatch(w -> Placeholders.uses(w, Placeholders.HEAP));
    }

    /** Returns the directory of the file, to which the paths in it are relative. */
    Path directory() {
        return file.toAbsolutePath().normalize().getParent();
    }
}
