/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.jmeter;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import org.apache.jmeter.engine.RemoteJMeterEngineImpl;
import org.apache.jmeter.util.JMeterUtils;
import org.jspecify.annotations.Nullable;

import io.gatebench.load.engine.LoadException;

/**
 * JMeter's remote engine in the JVM of a load generator: it runs one plan, which a {@link DistributedLoad} sends it.
 *
 * <p>What travels is the plan. Its request, with the paths of this machine, and all that watches and records the test are
 * those that the load generator has made already.
 */
public final class RemoteEngine {

    /** JMeter makes the elements of a plan out of what came over the network: they find their JVM's test only here. */
    private static final AtomicReference<RemoteEngine> OF_THIS_JVM = new AtomicReference<>();

    private static final long LOOK_MILLIS = 50;
    /** JMeter tells the controller of the end after the result was sent. */
    private static final Duration GOODBYE = Duration.ofSeconds(15);
    /** Time in which a controller must answer; what was measured is on the disk, so that it is not waited for long. */
    private static final Duration TELLING = Duration.ofSeconds(10);

    private final int port;
    private final Path keyStore;
    private final Map<Integer, Integer> ways;
    private final CountDownLatch finished = new CountDownLatch(1);
    private @Nullable LoadSession session;
    private @Nullable Supplier<RemoteOutcome> end;
    private @Nullable Thread engine;
    private volatile boolean planned;
    private volatile @Nullable LoadException failure;

    /**
     * Creates an engine.
     *
     * @param port the port of the loopback address that it listens at, for RMI's registry and all else
     * @param keyStore the key of both ends
     * @param ways the ports at which the controller listens on its machine, to those that lead there
     */
    public RemoteEngine(int port, Path keyStore, Map<Integer, Integer> ways) {
        this.port = port;
        this.keyStore = keyStore;
        this.ways = Map.copyOf(ways);
    }

    /** Returns the engine that runs the plans of this JVM, if one does. */
    static Optional<RemoteEngine> ofThisJvm() {
        return Optional.ofNullable(OF_THIS_JVM.get());
    }

    /**
     * Waits for a plan and runs it to its end.
     *
     * @param test whose users the plan's are
     * @param whenEnded is called when the last of them has ended, and says what came out
     */
    void run(LoadSession test, Supplier<RemoteOutcome> whenEnded) throws InterruptedException {
        session = test;
        end = whenEnded;
        if (!OF_THIS_JVM.compareAndSet(null, this)) {
            throw new LoadException("another test of a controller runs in this JVM");
        }
        try {
            listen();
            while (!finished.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
                if (!planned && test.runtime().stopped()) {
                    throw new LoadException("the test was ended before its plan had come");
                }
            }
            Thread mine = engine;
            if (mine != null) {
                mine.join(GOODBYE.toMillis());
            }
        } finally {
            OF_THIS_JVM.set(null);
        }
        LoadException failed = failure;
        if (failed != null) {
            throw failed;
        }
    }

    private void listen() {
        try {
            TunnelSockets.use(keyStore, ways, TELLING);
            JMeterUtils.setProperty("server.rmi.ssl.disable", "true");
            JMeterUtils.setProperty("server.rmi.localport", String.valueOf(port));
            JMeterUtils.setProperty("server.exitaftertest", "false");
            // The controller's settings do not travel: without these a remote opens a connection per sample.
            LeanEngine.properties().forEach(JMeterUtils::setProperty);
            RemoteJMeterEngineImpl.startServer(port);
        } catch (IOException e) {
            throw new LoadException("no controller can be listened for at port " + port + ": " + e.getMessage(), e);
        }
    }

    /** Returns the test whose users the plan's are. */
    LoadSession session() {
        planned = true;
        return java.util.Objects.requireNonNull(session);
    }

    /** Ends the test when its users have ended; what came out is on the disk when this returns. */
    RemoteOutcome end() {
        engine = Thread.currentThread();
        try {
            return java.util.Objects.requireNonNull(end).get();
        } catch (LoadException e) {
            failure = e;
            throw e;
        }
    }

    /** Lets the JVM go: the controller has been told, or cannot be. */
    void told() {
        finished.countDown();
    }
}
