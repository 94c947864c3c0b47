/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.jmeter;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

import io.gatebench.load.engine.LoadRequest;
import io.gatebench.load.engine.http.HttpConnection;
import io.gatebench.load.engine.http.HttpRequestHead;
import io.gatebench.load.engine.http.ProbeExchange;
import io.gatebench.load.jmeter.LoadSession.Runtime;
import io.gatebench.model.Probe;
import io.gatebench.model.ProbeOutcome;
import io.gatebench.model.TokenKind;

/**
 * Sends the probes of a scenario along with its load, in turn, on a thread and a connection of their own: no user waits
 * for them, and no sample, connection or second counts them.
 */
final class SideProbes {

    private static final long LOOK_MILLIS = 20;
    private static final long LAST_ANSWER_MILLIS = 2000;

    private final LoadRequest request;
    private final Runtime runtime;
    private final List<Sent> probes;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final ProbeExchange exchange = new ProbeExchange();
    private final Thread thread;
    private volatile @Nullable HttpConnection connection;
    private volatile SideProbeCount count = SideProbeCount.NONE;
    private long tried;

    private record Sent(
            Probe probe, HttpRequestHead head, @Nullable String token) {}

    SideProbes(LoadRequest request, Runtime runtime) {
        this.request = request;
        this.runtime = runtime;
        this.probes = request.probes().oneIn() == 0 ? List.of() : possible();
        this.thread = new Thread(this::send, "gatebench-probes");
        thread.setDaemon(true);
    }

    private List<Sent> possible() {
        Map<Probe.Token, String> tokens = request.probes().tokens();
        boolean open = request.scenario().token() == TokenKind.NONE;
        List<Sent> all = new ArrayList<>();
        for (Probe probe : request.scenario().probes()) {
            boolean bare = probe.token() == Probe.Token.NONE || open && probe.token() == Probe.Token.VALID;
            if (bare || tokens.containsKey(probe.token())) {
                all.add(new Sent(probe, head(probe), bare ? null : tokens.get(probe.token())));
            }
        }
        return all;
    }

    private HttpRequestHead head(Probe probe) {
        Map<String, String> headers = new LinkedHashMap<>(runtime.headers);
        probe.headers().forEach((name, value) -> {
            headers.keySet().removeIf(name::equalsIgnoreCase);
            headers.put(
                    name,
                    value.replace(
                            "{message}",
                            String.valueOf(request.testCase().message().value())));
        });
        return new HttpRequestHead(runtime.target, runtime.scenario.method(), runtime.path, headers);
    }

    void start() {
        if (!probes.isEmpty()) {
            thread.start();
        }
    }

    private void send() {
        try (HttpConnection own = runtime.sideConnection()) {
            connection = own;
            while (!ended.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
                while (due() && ended.getCount() > 0) {
                    Sent next = probes.get((int) (tried++ % probes.size()));
                    ProbeOutcome outcome =
                            exchange.send(own, next.head(), next.token(), runtime.payloads.get(0), next.probe());
                    // An answer that did not come took no wrong route.
                    if (outcome.status().isPresent()) {
                        count = count.plus(outcome);
                    }
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean due() {
        Optional<Runtime.Started> test = runtime.started();
        if (test.isEmpty() || runtime.stopped()) {
            return false;
        }
        long since = System.nanoTime() - test.get().nanos();
        if (since >= request.timing().duration().toNanos()) {
            return false;
        }
        long rounds = since >= request.timing().warmUp().toNanos() ? 2 : 1;
        long samples = test.get().recorder().samples();
        return samples > 0
                && tried < rounds * probes.size() + samples / request.probes().oneIn();
    }

    /** Ends the probing and returns what came of it. */
    SideProbeCount stop() {
        ended.countDown();
        try {
            thread.join(LAST_ANSWER_MILLIS);
            HttpConnection open = connection;
            if (thread.isAlive() && open != null) {
                open.close();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return count;
    }
}
