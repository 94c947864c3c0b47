/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.spi;

import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

import io.gatebench.model.PayloadKind;
import io.gatebench.model.ResponseCheck;
import io.gatebench.model.TestScenario;
import io.gatebench.model.TokenKind;

/**
 * A gateway that its owner starts in Java: an application of a test, an embedded server, a container.
 *
 * <pre>{@code
 * OwnGateway.startedBy(backend -> MyGateway.start(backend).uri()).at("/orders").stoppedBy(MyGateway::stop)
 * }</pre>
 *
 * <p>Instances are immutable; each method returns a copy.
 *
 * @param start starts it
 * @param name the name that title and columns of the report carry
 * @param scenarios what it serves, at least one
 * @param pid returns its process, asked after each start; empty to look whether it listens in this JVM
 * @param stop ends what was started; empty if it stays
 * @param backendAddress the address of this machine at which it reaches the back end; empty for the loopback address
 * @since 0.1
 */
public record OwnGateway(
        Start start,
        String name,
        List<TestScenario> scenarios,
        Optional<LongSupplier> pid,
        Optional<AutoCloseable> stop,
        Optional<String> backendAddress) {

    /**
     * Starts a gateway in front of a back end and returns when it takes requests.
     *
     * @since 0.1
     */
    @FunctionalInterface
    public interface Start {

        /**
         * Starts the gateway; called anew for each start that the plan asks for, after what was started before has ended.
         *
         * @param backend the base URL that it is to forward to
         * @return its base URL: scheme, host and port
         * @throws Exception if it cannot be started, which fails the test case
         */
        URI start(URI backend) throws Exception;
    }

    /** Copies the list. */
    public OwnGateway {
        scenarios = List.copyOf(scenarios);
    }

    /** Describes a gateway that forwards each POST to {@code /}; the status of its answers is checked. */
    public static OwnGateway startedBy(Start start) {
        return new OwnGateway(
                start, "Gateway", List.of(post("/")), Optional.empty(), Optional.empty(), Optional.empty());
    }

    private static TestScenario post(String path) {
        return new TestScenario(
                "passthrough",
                "Passthrough",
                "A POST to " + path + "; the status of the response is checked.",
                false,
                "POST",
                path,
                java.util.Map.of("Content-Type", "application/json"),
                PayloadKind.JSON_ARRAY,
                TokenKind.NONE,
                ResponseCheck.ok(),
                List.of());
    }

    /** Sends the requests to a path, which begins with a slash, instead of {@code /}. */
    public OwnGateway at(String path) {
        return serving(post(path));
    }

    /** Serves these scenarios instead of a POST. */
    public OwnGateway serving(TestScenario... served) {
        if (served.length == 0) {
            throw new IllegalArgumentException("a gateway serves at least one scenario");
        }
        return new OwnGateway(start, name, List.of(served), pid, stop, backendAddress);
    }

    /** Has this name in reports. */
    public OwnGateway named(String other) {
        return new OwnGateway(start, other, scenarios, pid, stop, backendAddress);
    }

    /**
     * Runs in a process of this machine, whose figures the report gets; those of its GC log, too, if it is a JVM of this user
     * that shares the files of this machine.
     *
     * @param process returns its process identifier, asked after each start
     */
    public OwnGateway inProcess(LongSupplier process) {
        return new OwnGateway(start, name, scenarios, Optional.of(process), stop, backendAddress);
    }

    /** Is ended so, before it is started again and after the last test case. */
    public OwnGateway stoppedBy(AutoCloseable end) {
        return new OwnGateway(start, name, scenarios, pid, Optional.of(end), backendAddress);
    }

    /**
     * Reaches the back end at an address of this machine other than the loopback one, as a container does.
     *
     * @param address e.g. that of the bridge of the containers; the back end then listens there alone
     */
    public OwnGateway reachingBackendAt(String address) {
        return new OwnGateway(start, name, scenarios, pid, stop, Optional.of(address));
    }
}
