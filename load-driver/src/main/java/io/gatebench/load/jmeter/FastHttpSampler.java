/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.jmeter;

import java.io.Serial;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

import org.apache.jmeter.samplers.AbstractSampler;
import org.apache.jmeter.samplers.Entry;
import org.apache.jmeter.samplers.Interruptible;
import org.apache.jmeter.samplers.SampleResult;
import org.apache.jmeter.testelement.TestElement;
import org.apache.jmeter.testelement.ThreadListener;
import org.apache.jmeter.testelement.property.StringProperty;
import org.jspecify.annotations.Nullable;

import io.gatebench.load.engine.http.BodyListener;
import io.gatebench.load.engine.http.HttpConnection;
import io.gatebench.load.engine.http.HttpExchangeException;
import io.gatebench.load.engine.http.HttpRequestHead;
import io.gatebench.load.engine.http.ResponseVerifier;
import io.gatebench.load.engine.stats.Sample;
import io.gatebench.load.engine.steps.UserSteps;
import io.gatebench.load.jmeter.LoadSession.Runtime;
import io.gatebench.model.ResponseExcerpt;

/** JMeter's sampler around {@link HttpConnection}. JMeter clones it for each of its threads. */
public final class FastHttpSampler extends AbstractSampler implements ThreadListener, Interruptible {

    @Serial
    private static final long serialVersionUID = 1L;

    private @Nullable LoadSession session;
    private transient @Nullable HttpConnection connection;
    private transient @Nullable User user;
    private transient @Nullable KeptAnswer kept;
    /** The name, or null if it is of each sample alone. */
    private transient @Nullable String label;

    /** Is for JMeter's cloning. */
    public FastHttpSampler() {
        // JMeter makes clones by reflection and needs this constructor.
    }

    FastHttpSampler(LoadSession session) {
        this.session = session;
    }

    @Override
    public Object clone() {
        FastHttpSampler copy = (FastHttpSampler) super.clone();
        copy.session = session;
        return copy;
    }

    @Override
    public SampleResult sample(@Nullable Entry entry) {
        Runtime runtime = java.util.Objects.requireNonNull(session).runtime();
        User me = user;
        HttpConnection server = connection;
        KeptAnswer answer = kept;
        if (me == null || server == null) {
            me = runtime.user();
            user = me;
            server = runtime.connection();
            connection = server;
            me.connection = server;
            answer = java.util.Objects.requireNonNull(session).keepsAnswers() ? new KeptAnswer() : null;
            kept = answer;
            label = getProperty(TestElement.NAME) instanceof StringProperty name ? name.getStringValue() : null;
        }
        byte[] token = runtime.nextToken();
        me.mark.next();
        UserSteps.Request step = me.steps == null ? null : me.steps.next(me.mark);
        HttpRequestHead head = runtime.head;
        byte[] body;
        ResponseVerifier check = me.verifier;
        BodyListener listener = check;
        if (step == null) {
            int payload = runtime.payload(me);
            body = runtime.payloads.get(payload);
            check.clear();
            check.expect(runtime.answers.body(payload), me.mark);
        } else {
            head = step.head();
            body = step.body();
            check = step.check();
            listener = step.listener();
        }
        String failure;
        HttpExchangeException.Kind kind = null;
        runtime.start();
        runtime.requestBegins();
        try {
            server.exchange(head, token, body, me.mark, answer == null ? listener : answer.before(listener));
            failure = check.failure(body.length);
            if (failure == null && server.carriesAnotherMark()) {
                failure = ResponseVerifier.OF_ANOTHER_REQUEST;
            }
        } catch (HttpExchangeException e) {
            failure = e.getMessage();
            kind = e.kind();
        }
        long startNanos = server.startNanos();
        long waited = 0;
        if (me.open) {
            waited = startNanos - me.intendedNanos;
            startNanos = me.intendedNanos;
        }
        runtime.requestEnds(me, startNanos, startNanos + waited + server.elapsedNanos());
        if (me.steps != null) {
            failure = me.steps.finish(failure, server::headers);
        }
        Sample sample = new Sample(
                startNanos,
                waited + server.elapsedNanos(),
                waited + server.latencyNanos(),
                server.connectNanos(),
                server.receivedBytes(),
                server.sentBytes(),
                failure,
                kind == HttpExchangeException.Kind.TIMEOUT);
        SampleResult result = result(runtime, server, check, step == null ? label() : step.label(), sample, kind);
        if (answer != null) {
            answer.putInto(result, server.headers());
        }
        return result;
    }

    private String label() {
        String known = label;
        return known == null ? getName() : known;
    }

    private SampleResult result(
            Runtime runtime,
            HttpConnection server,
            ResponseVerifier check,
            String label,
            Sample sample,
            HttpExchangeException.@Nullable Kind kind) {
        Runtime.Started test = runtime.start();
        long startMillis = test.wall().toEpochMilli() + Math.floorDiv(sample.startNanos() - test.nanos(), 1_000_000L);
        long endMillis = test.wall().toEpochMilli()
                + Math.floorDiv(sample.startNanos() + sample.elapsedNanos() - test.nanos(), 1_000_000L);
        FastSampleResult result = new FastSampleResult(
                startMillis, endMillis - startMillis, sample, java.util.Objects.requireNonNull(session));
        result.setSampleLabel(label);
        result.setSuccessful(sample.failure() == null);
        result.setLatency(sample.latencyNanos() / 1_000_000);
        result.setConnectTime(Math.max(0, sample.connectNanos()) / 1_000_000);
        result.setBytes(sample.receivedBytes());
        result.setSentBytes(sample.sentBytes());
        result.setDataType(SampleResult.TEXT);
        if (kind == null) {
            result.setResponseCode(StatusText.code(server.status()));
            result.setResponseMessage(StatusText.reason(server.status()));
        } else {
            result.setResponseCode("Non HTTP response code: " + kind);
            result.setResponseMessage("Non HTTP response message: " + sample.failure());
        }
        if (sample.failure() != null && runtime.wantsExcerpt()) {
            boolean answered = server.status() != 0;
            runtime.keepExcerpt(Masking.masked(
                    new ResponseExcerpt(
                            Instant.ofEpochMilli(startMillis),
                            answered ? Optional.of(server.status()) : Optional.empty(),
                            answered ? server.headers() : Map.of(),
                            check.excerpt(),
                            sample.failure()),
                    runtime.tokens));
        }
        return result;
    }

    @Override
    public void threadStarted() {
        // The user is made with its first request.
    }

    @Override
    public void threadFinished() {
        LoadSession shared = session;
        HttpConnection open = connection;
        if (shared != null && open != null) {
            shared.runtime().giveBack(open);
            connection = null;
        }
        User me = user;
        if (shared != null && me != null) {
            shared.runtime().finish(me);
        }
    }

    @Override
    public boolean interrupt() {
        HttpConnection open = connection;
        if (open != null) {
            open.close();
        }
        return open != null;
    }
}
