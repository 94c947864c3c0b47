/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import io.gatebench.certificate.SelfSignedCertificate;
import io.gatebench.hosts.LocalHost;
import io.gatebench.load.LoadControllerMain;
import io.gatebench.load.LoadGeneratorMain;
import io.gatebench.load.engine.LoadRequest;
import io.gatebench.load.jmeter.TunnelKey;
import io.gatebench.model.DataSize;
import io.gatebench.model.NodeRole;
import io.gatebench.settings.SecretHeaders;
import io.gatebench.spi.RunContext;
import io.gatebench.spi.host.Host;
import io.gatebench.spi.host.HostProcess;
import io.gatebench.spi.host.Pause;
import io.gatebench.spi.host.Tunnel;
import io.gatebench.spi.role.JvmRole;
import io.gatebench.spi.role.RoleProcess;

/**
 * JMeter's controller of one load, a JVM on this machine, with the tunnels between it and the load generators.
 *
 * <p>What it is told at the end is also on each host's disk, which is what counts: a controller that is told nothing because a
 * connection was lost is a note and no failure.
 */
final class JMeterController implements AutoCloseable {

    /** The name that the columns of the report carry. */
    static final String NAME = "JMeter Client";

    private static final String KEY = "rmi.p12";
    private static final Duration KEY_VALIDITY = Duration.ofDays(365);
    /** It holds a plan and the histograms of some load generators. */
    private static final DataSize HEAP = DataSize.parse("256M");
    /** From the end of the last load generator on. */
    private static final Duration FAREWELL = Duration.ofSeconds(20);

    private final RunContext run;
    private final LocalHost here;
    private final Path keyStore;
    private final int port;
    private final List<Tunnel> tunnels = new ArrayList<>();
    private final Set<Integer> taken = new HashSet<>();
    private final List<String> remotes = new ArrayList<>();
    private @Nullable RoleProcess process;

    /** Prepares the key, which is made once in a run, and a directory. */
    JMeterController(RunContext run) {
        this.run = run;
        try {
            this.here = new LocalHost(Files.createTempDirectory(run.secrets(), "controller-"));
            this.keyStore = run.secrets().resolve(KEY);
            if (!Files.exists(keyStore)) {
                SelfSignedCertificate made = SelfSignedCertificate.create(
                        SelfSignedCertificate.Kind.EC,
                        List.of(),
                        SelfSignedCertificate.loopback(),
                        run.clock().instant(),
                        KEY_VALIDITY);
                TunnelKey.write(made.key(), made.certificate(), keyStore);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the controller of the load generators cannot be prepared", e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK makes no keys of an elliptic curve", e);
        }
        this.port = here.freePort();
        taken.add(port);
    }

    /**
     * Connects a load generator that is yet to be started.
     *
     * @return the argument by which it is one of this controller's
     */
    String connect(Host host) {
        int there = host.freePort();
        // On this machine their stubs are told apart by their ports alone.
        while (!taken.add(there)) {
            there = host.freePort();
        }
        Tunnel to = host.tunnelTo(there);
        tunnels.add(to);
        Tunnel from = host.tunnelFrom(port);
        tunnels.add(from);
        remotes.add(there + "=" + to.port());
        String key = host.upload(keyStore, host.workDirectory() + "/secrets/" + KEY);
        return LoadGeneratorMain.REMOTE + there + ":" + port + ":" + from.port() + ":" + key;
    }

    /**
     * Starts it; it waits for the load generators, sends them the plan, and has their users come up.
     *
     * @param directory the name of its directory, which becomes part of the results
     */
    RoleProcess start(LoadRequest request, String directory, JvmRole starter) {
        Path own = Path.of(here.workDirectory()).resolve(directory);
        here.createDirectory(own.toString());
        Path file = own.resolve("request.json");
        // The load generators have the headers, tokens and paths of their own machines.
        request.withScenario(SecretHeaders.masked(request.scenario())).write(file);
        List<String> launch = new ArrayList<>(List.of(
                "-cp",
                run.jars().loadGeneratorOn(here),
                LoadControllerMain.class.getName(),
                file.toString(),
                own.toString(),
                keyStore.toString(),
                String.valueOf(port)));
        launch.addAll(remotes);
        process = starter.start(NodeRole.LOAD_GENERATOR, NAME, here, own.toString(), HEAP, launch);
        return process;
    }

    /** Returns why no load generator will be sent a plan any more, or null if one may. */
    @Nullable
    String died() {
        RoleProcess running = process;
        if (running == null || running.process().isAlive()) {
            return null;
        }
        HostProcess ended = running.process();
        OptionalInt code = ended.exitCode();
        return "JMeter's controller on this machine ended before the load began"
                + (code.isPresent() ? " (exit code " + code.getAsInt() + ")" : "") + ended.lastWords(15);
    }

    /** Waits until it has been told what was measured, when all load generators have ended; a note if it was not. */
    void awaitEnd() {
        RoleProcess running = process;
        if (running == null) {
            return;
        }
        Instant deadline = run.clock().instant().plus(FAREWELL);
        while (running.process().isAlive() && run.clock().instant().isBefore(deadline)) {
            Pause.of(LoadGenerators.POLL, run.clock(), "while a controller was told of a load");
        }
        OptionalInt code = running.process().exitCode();
        if (code.isEmpty() || code.getAsInt() != 0) {
            run.listener()
                    .note("JMeter's controller was not told all that was measured; what the load generators' hosts keep"
                            + " on their disks counts" + running.process().lastWords(3));
        }
    }

    @Override
    public void close() {
        RoleProcess running = process;
        if (running != null) {
            running.stop();
        }
        tunnels.forEach(Tunnel::close);
        here.close();
    }
}
