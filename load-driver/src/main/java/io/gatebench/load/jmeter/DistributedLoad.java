/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.jmeter;

import java.io.IOException;
import java.nio.file.Path;
import java.rmi.NotBoundException;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.apache.jmeter.reporters.ResultCollector;
import org.apache.jorphan.collections.HashTree;
import us.abstracta.jmeter.javadsl.core.TestPlanStats;
import us.abstracta.jmeter.javadsl.core.engines.DistributedJmeterEngine;
import us.abstracta.jmeter.javadsl.core.engines.TestStopper;

import io.gatebench.load.engine.LoadException;
import io.gatebench.load.engine.LoadRequest;
import io.gatebench.load.engine.TokenSlice;

/** The controller of one test on several load generators by JMeter's distributed mode. */
public final class DistributedLoad {

    /** The name under which JMeter registers a remote engine. */
    private static final String ENGINE = "JMeterEngine";
    /** JMeter counts the port of its listeners from the one that it is given. */
    private static final int LISTENERS = 2;

    /** A load generator's JVM comes up in seconds. */
    private static final Duration CONNECT = Duration.ofMinutes(2);

    private static final long LOOK_MILLIS = 100;
    /** Time that start and end of the remotes may take beyond test and drain. */
    private static final Duration RESERVE = Duration.ofMinutes(3);

    private final LoadRequest request;
    private final Map<Integer, Integer> remotes;
    private final int port;
    private final Path keyStore;

    /**
     * Prepares a test.
     *
     * @param port the port of the loopback address at which it listens for what load generators tell
     * @param remotes the ports at which the load generators listen on their machines, which must differ, to those here that
     *     lead there; in the order of the shares
     * @param keyStore the key of both ends
     */
    public DistributedLoad(LoadRequest request, int port, Map<Integer, Integer> remotes, Path keyStore) {
        this.request = request;
        this.port = port;
        this.remotes = remotes;
        this.keyStore = keyStore;
        if (remotes.isEmpty()) {
            throw new IllegalArgumentException("a distributed test needs at least one remote load generator");
        }
    }

    /**
     * Runs the test and returns what each has measured.
     *
     * @throws LoadException if a remote cannot be reached, fails, or is not back in time
     */
    public List<RemoteOutcome> run() {
        List<String> addresses = remotes.keySet().stream()
                .map(remote -> TunnelSockets.HOST + ":" + remote)
                .toList();
        try {
            TunnelSockets.use(keyStore, remotes, CONNECT);
            // JMeter waits for ever for a remote that does not answer, so each is tried before.
            for (int remote : remotes.keySet()) {
                await(remote);
            }
            OutcomeSink sink = new OutcomeSink();
            run(new Engine(addresses, port, sink));
            if (!sink.problems().isEmpty() || sink.outcomes().size() != remotes.size()) {
                throw new LoadException(sink.outcomes().size() + " of " + remotes.size()
                        + " load generators sent a result; " + String.join("; ", sink.problems()));
            }
            return addresses.stream().map(sink.outcomes()::get).toList();
        } catch (IOException e) {
            throw new LoadException("the distributed load could not be run: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LoadException("the distributed load was interrupted", e);
        }
    }

    private void run(Engine engine) throws InterruptedException {
        // Every remote has the threads of the largest share; the turns of those that its own lacks never come.
        LoadSession session = new LoadSession(request.share(new TokenSlice(0, remotes.size())));
        FutureTask<TestPlanStats> test =
                new FutureTask<>(() -> LoadElements.plan(session).runIn(engine));
        Thread runner = new Thread(test, "gatebench-distributed-load");
        runner.setDaemon(true);
        runner.start();
        Duration limit = request.timing().duration().plus(EmbeddedLoad.DRAIN).plus(RESERVE);
        try {
            test.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new LoadException("the load generators did not finish within " + limit.toSeconds() + " s", e);
        } catch (ExecutionException e) {
            throw new LoadException("the distributed load could not be run: " + e.getCause(), e.getCause());
        }
    }

    private static void await(int remote) throws InterruptedException {
        long deadline = System.nanoTime() + CONNECT.toNanos();
        while (true) {
            try {
                LocateRegistry.getRegistry(TunnelSockets.HOST, remote).lookup(ENGINE);
                return;
            } catch (RemoteException | NotBoundException e) {
                if (System.nanoTime() > deadline) {
                    throw new LoadException(
                            "the load generator at port " + remote + " cannot be reached: " + e.getMessage(), e);
                }
                Thread.sleep(LOOK_MILLIS);
            }
        }
    }

    private static final class Engine extends DistributedJmeterEngine {

        private final OutcomeSink sink;

        private Engine(List<String> remotes, int port, OutcomeSink sink) {
            super(remotes.toArray(String[]::new));
            this.sink = sink;
            localBasePort(port - LISTENERS);
            prop("server.rmi.ssl.disable", "true");
            prop("mode", HistogramSender.class.getName());
        }

        @Override
        protected void addStatsCollector(HashTree plan, TestPlanStats stats) {
            plan.add(sink);
        }

        @Override
        protected TestRunner buildTestRunner(HashTree plan, HashTree root, TestStopper stopper) {
            List<Object> dropped = new ArrayList<>();
            for (Object element : plan.list()) {
                if (element instanceof ResultCollector) {
                    dropped.add(element);
                }
            }
            dropped.forEach(plan::remove);
            return super.buildTestRunner(plan, root, stopper);
        }
    }
}
