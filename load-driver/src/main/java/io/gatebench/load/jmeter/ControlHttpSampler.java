/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.jmeter;

import java.io.Serial;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

import org.apache.http.client.methods.HttpEntityEnclosingRequestBase;
import org.apache.http.client.methods.HttpRequestBase;
import org.apache.http.entity.ByteArrayEntity;
import org.apache.jmeter.protocol.http.sampler.HTTPHC4Impl;
import org.apache.jmeter.protocol.http.sampler.HTTPSampleResult;
import org.apache.jmeter.protocol.http.sampler.HTTPSamplerBase;
import org.apache.jmeter.samplers.Entry;
import org.apache.jmeter.samplers.Interruptible;
import org.apache.jmeter.samplers.SampleResult;
import org.jspecify.annotations.Nullable;

import io.gatebench.load.engine.http.RequestMark;
import io.gatebench.load.engine.http.ResponseVerifier;
import io.gatebench.load.jmeter.LoadSession.Runtime;
import io.gatebench.model.ResponseExcerpt;

/** JMeter's own HttpClient 4 sampler with times in nanoseconds: the control of the fast one. */
public final class ControlHttpSampler extends HTTPSamplerBase implements Interruptible {

    @Serial
    private static final long serialVersionUID = 1L;

    private @Nullable LoadSession session;
    private transient @Nullable Client client;

    /** Is for JMeter's cloning. */
    public ControlHttpSampler() {
        // JMeter makes clones by reflection and needs this constructor.
    }

    ControlHttpSampler(LoadSession session) {
        this.session = session;
        setMethod(session.request().scenario().method());
        setUseKeepAlive(true);
        setFollowRedirects(false);
        setAutoRedirects(false);
        setConnectTimeout(String.valueOf(session.request().connectTimeout().toMillis()));
        setResponseTimeout(String.valueOf(session.request().responseTimeout().toMillis()));
    }

    @Override
    public Object clone() {
        ControlHttpSampler copy = (ControlHttpSampler) super.clone();
        copy.session = session;
        copy.client = null;
        return copy;
    }

    @Override
    public SampleResult sample(@Nullable Entry entry) {
        Runtime runtime = java.util.Objects.requireNonNull(session).runtime();
        User me = runtime.user();
        Client http = client;
        if (http == null) {
            http = new Client(this, runtime);
            client = http;
        }
        int payload = runtime.payload(me);
        me.mark.next();
        byte[] body = runtime.payloads.get(payload);
        if (me.mark.inBody()) {
            body = body.clone();
            me.mark.write(body);
        }
        http.prepare(runtime.nextToken(), body, me.mark);
        me.verifier.clear();
        me.verifier.expect(runtime.answers.body(payload), me.mark);
        runtime.start();
        runtime.requestBegins();
        TimedHttpResult result;
        try {
            URL url = runtime.request.target().resolve(runtime.path).toURL();
            result = (TimedHttpResult) http.sample(url, getMethod(), false, 0);
        } catch (java.net.MalformedURLException e) {
            throw new IllegalStateException("the target was checked when the request was made", e);
        }
        long waited = me.open ? result.startNanos() - me.intendedNanos : 0;
        runtime.requestEnds(me, result.startNanos() - waited, result.startNanos() + result.elapsedNanos());
        String failure = verify(runtime, me, result, body);
        result.setSampleLabel(getName());
        result.setSuccessful(failure == null);
        result.finish(java.util.Objects.requireNonNull(session), waited, failure, unanswered(runtime, result));
        if (!java.util.Objects.requireNonNull(session).keepsAnswers()) {
            // Bodies are checked by now; kept ones would fill the heap of a long test with listeners that hold results.
            result.setResponseData(new byte[0]);
        }
        return result;
    }

    private static @Nullable String verify(Runtime runtime, User me, TimedHttpResult result, byte[] body) {
        int status = status(result);
        String failure;
        if (status < 0) {
            failure = result.getResponseMessage();
        } else {
            me.verifier.begin(status);
            byte[] answer = result.getResponseData();
            me.verifier.accept(answer, 0, answer.length);
            failure = me.verifier.failure(body.length);
            if (failure == null && carriesAnotherMark(result, me.mark)) {
                failure = ResponseVerifier.OF_ANOTHER_REQUEST;
            }
        }
        if (failure != null && runtime.wantsExcerpt()) {
            runtime.keepExcerpt(Masking.masked(
                    new ResponseExcerpt(
                            Instant.ofEpochMilli(result.getStartTime()),
                            status < 0 ? Optional.empty() : Optional.of(status),
                            headers(result),
                            me.verifier.excerpt(),
                            failure),
                    runtime.tokens));
        }
        return failure;
    }

    private static boolean carriesAnotherMark(SampleResult result, RequestMark mark) {
        String sent = new String(mark.text(), StandardCharsets.US_ASCII);
        return !mark.inBody()
                && headers(result).entrySet().stream()
                        .anyMatch(header -> header.getKey().equalsIgnoreCase(RequestMark.HEADER)
                                && !header.getValue().equals(sent));
    }

    private static boolean unanswered(Runtime runtime, SampleResult result) {
        return status(result) < 0
                && (runtime.cutOff() || result.getResponseCode().endsWith("TimeoutException"));
    }

    private static int status(SampleResult result) {
        try {
            return Integer.parseInt(result.getResponseCode());
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    private static Map<String, String> headers(SampleResult result) {
        Map<String, String> headers = new LinkedHashMap<>();
        for (String line : result.getResponseHeaders().split("\n")) {
            int colon = line.indexOf(':');
            if (colon > 0) {
                headers.put(
                        line.substring(0, colon).toLowerCase(Locale.ROOT),
                        line.substring(colon + 1).trim());
            }
        }
        return headers;
    }

    @Override
    protected HTTPSampleResult sample(URL url, String method, boolean followingRedirect, int depth) {
        throw new UnsupportedOperationException("samples are taken by sample(Entry) alone");
    }

    @Override
    public void threadFinished() {
        Client open = client;
        if (open != null) {
            open.threadFinished();
        }
    }

    @Override
    public boolean interrupt() {
        Client open = client;
        return open != null && open.interrupt();
    }

    private static final class Client extends HTTPHC4Impl {

        private final Map<String, String> headers;
        private @Nullable String authorization;
        private byte[] body = new byte[0];
        private @Nullable String mark;

        private Client(HTTPSamplerBase sampler, Runtime runtime) {
            super(sampler);
            this.headers = runtime.headers;
        }

        private void prepare(byte @Nullable [] token, byte[] bytes, RequestMark ofRequest) {
            mark = ofRequest.inBody() ? null : new String(ofRequest.text(), StandardCharsets.US_ASCII);
            authorization = token == null ? null : "Bearer " + new String(token, StandardCharsets.US_ASCII);
            body = bytes;
        }

        @Override
        protected HTTPSampleResult sample(URL url, String method, boolean followingRedirect, int depth) {
            return super.sample(url, method, followingRedirect, depth);
        }

        @Override
        protected HTTPSampleResult createSampleResult(URL url, String method) {
            TimedHttpResult result = new TimedHttpResult();
            result.setHTTPMethod(method);
            result.setURL(url);
            return result;
        }

        @Override
        protected void setupRequest(URL url, HttpRequestBase request, HTTPSampleResult result)
                throws java.io.IOException {
            super.setupRequest(url, request, result);
            headers.forEach(request::setHeader);
            if (mark != null) {
                request.setHeader(RequestMark.HEADER, mark);
            }
            if (authorization != null) {
                request.setHeader("Authorization", authorization);
            }
        }

        @Override
        protected String setupHttpEntityEnclosingRequestData(HttpEntityEnclosingRequestBase request) {
            request.setEntity(new ByteArrayEntity(body));
            return "";
        }

        @Override
        protected void threadFinished() {
            super.threadFinished();
        }
    }
}
