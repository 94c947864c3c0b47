/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.jmeter;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.apache.jmeter.reporters.ResultCollector;
import org.apache.jorphan.collections.HashTree;
import us.abstracta.jmeter.javadsl.core.TestPlanStats;
import us.abstracta.jmeter.javadsl.core.engines.DistributedJmeterEngine;
import us.abstracta.jmeter.javadsl.core.engines.TestStopper;

import io.gatebench.load.LoadException;
import io.gatebench.load.LoadRequest;
import io.gatebench.load.TokenSlice;

/** One test on several remote load generators by JMeter's distributed mode. */
public final class DistributedLoad {

    private static final Duration CONNECT = Duration.ofSeconds(5);
    /** What start and end of the remotes may take beyond test and drain. */
    private static final Duration RESERVE = Duration.ofSeconds(60);

    private final LoadRequest request;
    private final List<String> remotes;

    /**
     * Prepares a test.
     *
     * @param remotes addresses of the load generators as {@code host:port}, in the order of their shares
     */
    public DistributedLoad(LoadRequest request, List<String> remotes) {
        this.request = request;
        this.remotes = List.copyOf(remotes);
        if (remotes.isEmpty()) {
            throw new IllegalArgumentException("a distributed test needs at least one remote load generator");
        }
    }

    /**
     * Runs the test and returns the sum of what all have measured.
     *
     * @throws LoadException if a remote cannot be reached, fails, or is not back in time
     */
    public EmbeddedLoad.Outcome run() {
        for (String remote : remotes) {
            probe(remote);
        }
        // Every remote has the threads of the largest share; the turns of those that its own lacks never come.
        LoadSession session = new LoadSession(request.share(new TokenSlice(0, remotes.size())), request);
        OutcomeSink sink = new OutcomeSink();
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
        return sink.outcomes().stream().reduce(RemoteOutcome::sum).orElseThrow();
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
