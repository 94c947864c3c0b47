/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.jmeter;

import java.io.Serial;

import org.apache.jmeter.protocol.http.sampler.HTTPSampleResult;
import org.jspecify.annotations.Nullable;

import io.gatebench.load.engine.stats.Sample;

/** A result of HttpClient 4 that takes its times in nanoseconds, where JMeter takes milliseconds. */
final class TimedHttpResult extends HTTPSampleResult implements TimedSample, SessionSample {

    @Serial
    private static final long serialVersionUID = 1L;

    private long startNanos;
    private long latencyNanos;
    private long connectNanos = -1;
    private long endNanos;
    private transient @Nullable Sample sample;
    private transient @Nullable LoadSession session;

    @Override
    public void sampleStart() {
        super.sampleStart();
        startNanos = System.nanoTime();
    }

    @Override
    public void latencyEnd() {
        super.latencyEnd();
        latencyNanos = System.nanoTime() - startNanos;
    }

    @Override
    public void connectEnd() {
        super.connectEnd();
        connectNanos = System.nanoTime() - startNanos;
    }

    @Override
    public void sampleEnd() {
        endNanos = System.nanoTime();
        super.sampleEnd();
    }

    long startNanos() {
        return startNanos;
    }

    long elapsedNanos() {
        return endNanos - startNanos;
    }

    /** Fixes the sample, with the time that it had waited for its user before it could start. */
    void finish(LoadSession owner, long waitedNanos, @Nullable String failure, boolean unanswered) {
        session = owner;
        long elapsed = elapsedNanos();
        sample = new Sample(
                startNanos - waitedNanos,
                waitedNanos + elapsed,
                waitedNanos + (latencyNanos == 0 ? elapsed : latencyNanos),
                connectNanos,
                getBytesAsLong(),
                getSentBytes(),
                failure,
                unanswered);
    }

    @Override
    public Sample sample() {
        return java.util.Objects.requireNonNull(sample, "the sample is not finished");
    }

    @Override
    public @Nullable LoadSession session() {
        return session;
    }
}
