/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.jmeter;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.rmi.NotBoundException;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

import org.apache.jmeter.engine.RemoteJMeterEngine;
import org.apache.jmeter.reporters.ResultCollector;
import org.apache.jorphan.collections.HashTree;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import us.abstracta.jmeter.javadsl.core.TestPlanStats;
import us.abstracta.jmeter.javadsl.core.engines.DistributedJmeterEngine;
import us.abstracta.jmeter.javadsl.core.engines.TestStopper;

import io.gatebench.load.engine.LoadException;
import io.gatebench.load.engine.LoadRequest;
import io.gatebench.load.engine.TokenSlice;
import io.gatebench.model.SecondOfLoad;

/** One test on several remote load generators by JMeter's distributed mode. */
public final class DistributedLoad {

    /** The name under which JMeter registers a remote engine. */
    private static final String ENGINE = "JMeterEngine";

    private static final Duration CONNECT = Duration.ofSeconds(5);
    /** Time that start and end of the remotes may take beyond test and drain. */
    private static final Duration RESERVE = Duration.ofSeconds(60);

    /** Property of JMeter on a remote that ends its test, and says why. */
    static final String STOP_PROPERTY = "gatebench.stop";

    private static final Logger LOG = LoggerFactory.getLogger(DistributedLoad.class);

    private final LoadRequest request;
    private final List<String> remotes;
    private final Consumer<SecondOfLoad> observer;

    /**
     * Prepares a test.
     *
     * @param remotes addresses of the load generators as {@code host:port}, in the order of their shares
     * @param observer is told of each second what all of them did in it
     */
    public DistributedLoad(LoadRequest request, List<String> remotes, Consumer<SecondOfLoad> observer) {
        this.observer = observer;
        this.request = request;
        this.remotes = List.copyOf(remotes);
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
        for (String remote : remotes) {
            probe(remote);
        }
        // Every remote has the threads of the largest share; the turns of those that its own lacks never come.
        LoadSession session = new LoadSession(request.share(new TokenSlice(0, remotes.size())), request);
        OutcomeSink sink = new OutcomeSink(new RemoteSecond(remotes.size(), observer));
        FutureTask<TestPlanStats> test =
                new FutureTask<>(() -> LoadElements.distributedPlan(session).runIn(new Engine(remotes, sink)));
        Thread runner = new Thread(test, "gatebench-distributed-load");
        runner.setDaemon(true);
        runner.start();
        Duration limit = request.timing().duration().plus(EmbeddedLoad.DRAIN).plus(RESERVE);
        try {
            test.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new LoadException(
                    "the remote load generators " + remotes + " did not finish within " + limit.toSeconds() + " s", e);
        } catch (ExecutionException e) {
            throw new LoadException("the distributed load could not be run: " + e.getCause(), e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LoadException("the distributed load was interrupted", e);
        }
        if (!sink.problems().isEmpty() || sink.outcomes().size() != remotes.size()) {
            throw new LoadException(sink.outcomes().size() + " of " + remotes.size()
                    + " remote load generators sent a result; " + String.join("; ", sink.problems()));
        }
        return sink.outcomes().entrySet().stream()
                .sorted(Comparator.comparing(entry -> remotes.indexOf(entry.getKey())))
                .map(Map.Entry::getValue)
                .toList();
    }

    /** Ends the test on every remote that can be reached, within about two seconds. */
    public void stop(String reason) {
        for (String remote : remotes) {
            int colon = remote.lastIndexOf(':');
            try {
                RemoteJMeterEngine engine = (RemoteJMeterEngine) LocateRegistry.getRegistry(
                                remote.substring(0, colon), Integer.parseInt(remote.substring(colon + 1)))
                        .lookup(ENGINE);
                engine.rsetProperties(new HashMap<>(Map.of(STOP_PROPERTY, reason)));
            } catch (RemoteException | NotBoundException e) {
                LOG.warn("the remote load generator {} could not be stopped: {}", remote, e.toString());
            }
        }
    }

    /** JMeter waits for ever for a remote that does not answer, so each is tried before. */
    private static void probe(String remote) {
        int colon = remote.lastIndexOf(':');
        try (Socket socket = new Socket()) {
            socket.connect(
                    new InetSocketAddress(remote.substring(0, colon), Integer.parseInt(remote.substring(colon + 1))),
                    (int) CONNECT.toMillis());
        } catch (IOException | IllegalArgumentException | IndexOutOfBoundsException e) {
            throw new LoadException("the remote load generator " + remote + " cannot be reached: " + e.getMessage(), e);
        }
    }

    private static final class Engine extends DistributedJmeterEngine {

        private final OutcomeSink sink;

        private Engine(List<String> remotes, OutcomeSink sink) {
            super(remotes.toArray(String[]::new));
            this.sink = sink;
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
