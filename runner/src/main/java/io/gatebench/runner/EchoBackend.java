/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.gatebench.hosts.SteadyClock;
import io.gatebench.hosts.environment.LocalEnvironment;
import io.gatebench.model.NodeRole;
import io.gatebench.runner.plan.PlanBuilder;
import io.gatebench.runner.run.BackendCount;
import io.gatebench.spi.host.Host;
import io.gatebench.spi.host.TemporaryDirectory;
import io.gatebench.spi.role.JvmRole;
import io.gatebench.spi.role.RoleJars;

/**
 * The echo back end as a process of its own on this machine: it answers each request with what it was sent.
 *
 * <p>It is the one of a run, from its runnable jar, so that nothing on the class path of its user meets it. Closing it stops
 * the process.
 *
 * @since 0.1
 */
public final class EchoBackend implements AutoCloseable {

    private static final Duration READY = Duration.ofSeconds(30);
    private static final String NAME = "echo-backend";

    private final TemporaryDirectory directory;
    private final LocalEnvironment environment;
    private final URI url;
    private final URI metrics;

    private EchoBackend(TemporaryDirectory directory, LocalEnvironment environment, Map<String, String> ready) {
        this.directory = directory;
        this.environment = environment;
        this.url = at(environment, ready.get("port"));
        this.metrics = at(environment, ready.get("admin")).resolve("/metrics");
    }

    /**
     * Starts one on a free port of the loopback address and returns when it is ready.
     *
     * @throws io.gatebench.spi.role.RoleStartException if it does not become ready
     */
    public static EchoBackend start() {
        TemporaryDirectory directory;
        try {
            directory = TemporaryDirectory.create("gatebench-echo-");
        } catch (IOException e) {
            throw new UncheckedIOException("cannot create a directory for the back end", e);
        }
        LocalEnvironment environment = new LocalEnvironment(directory.path().resolve("work"));
        try {
            Host host = environment.host(NodeRole.BACKEND);
            JvmRole starter = new JvmRole(new SteadyClock());
            RoleJars jars = new RoleJars(directory.path().resolve("jars"));
            Map<String, String> ready = starter.awaitReadyLine(
                    starter.start(
                                    NodeRole.BACKEND,
                                    NAME,
                                    host,
                                    host.workDirectory() + "/" + NAME,
                                    PlanBuilder.DEFAULT_BACKEND_HEAP,
                                    List.of("-jar", jars.jar(NAME).toString(), "--host=" + host.address(), "--port=0"))
                            .process(),
                    NAME + " ready",
                    READY);
            return new EchoBackend(directory, environment, ready);
        } catch (RuntimeException e) {
            close(environment, directory);
            throw e;
        }
    }

    private static URI at(LocalEnvironment environment, String port) {
        return URI.create("http://" + environment.host(NodeRole.BACKEND).address() + ":" + port);
    }

    /** Returns its base URL. */
    public URI url() {
        return url;
    }

    /** Returns its port. */
    public int port() {
        return url.getPort();
    }

    /**
     * Returns how many requests it has got since its start.
     *
     * @throws IllegalStateException if it does not say so, as after its end
     */
    public long requests() {
        return BackendCount.read(environment.host(NodeRole.BACKEND), metrics)
                .orElseThrow(() -> new IllegalStateException("the back end at " + url + " does not answer " + metrics))
                .requests();
    }

    @Override
    public void close() {
        close(environment, directory);
    }

    private static void close(LocalEnvironment environment, TemporaryDirectory directory) {
        environment.close();
        try {
            directory.close();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot remove " + directory.path(), e);
        }
    }

    @Override
    public String toString() {
        return "EchoBackend[" + url + "]";
    }
}
