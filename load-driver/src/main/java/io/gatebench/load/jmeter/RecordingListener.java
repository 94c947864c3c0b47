/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.jmeter;

import java.io.Serial;

import org.apache.jmeter.engine.util.NoThreadClone;
import org.apache.jmeter.samplers.SampleEvent;
import org.apache.jmeter.samplers.SampleListener;
import org.apache.jmeter.samplers.SampleResult;
import org.apache.jmeter.testelement.AbstractTestElement;
import org.jspecify.annotations.Nullable;

import io.gatebench.load.engine.stats.Sample;
import io.gatebench.load.jmeter.LoadSession.Runtime;

/**
 * Records every sample, after assertions had their say. One instance serves all threads, which call it on their own.
 */
public final class RecordingListener extends AbstractTestElement implements SampleListener, NoThreadClone {

    @Serial
    private static final long serialVersionUID = 1L;

    private @Nullable LoadSession session;

    /** Is for JMeter's cloning. */
    public RecordingListener() {
        // JMeter makes clones by reflection and needs this constructor.
    }

    RecordingListener(LoadSession session) {
        this.session = session;
    }

    @Override
    public Object clone() {
        RecordingListener copy = (RecordingListener) super.clone();
        copy.session = session;
        return copy;
    }

    @Override
    public void sampleOccurred(SampleEvent event) {
        Runtime runtime = java.util.Objects.requireNonNull(session).runtime();
        SampleResult result = event.getResult();
        Sample sample = sample(runtime, result);
        runtime.record(result.getSampleLabel(), sample);
        JtlWriter jtl = runtime.jtl();
        if (jtl != null) {
            jtl.write(result, sample, event.getThreadGroup());
        }
    }

    private static Sample sample(Runtime runtime, SampleResult result) {
        Sample sample;
        if (result instanceof TimedSample timed) {
            sample = timed.sample();
        } else {
            Runtime.Started test = runtime.start();
            sample = new Sample(
                    test.nanos() + (result.getStartTime() - test.wall().toEpochMilli()) * 1_000_000L,
                    result.getTime() * 1_000_000L,
                    result.getLatency() * 1_000_000L,
                    result.getConnectTime() > 0 ? result.getConnectTime() * 1_000_000L : -1,
                    result.getBytesAsLong(),
                    result.getSentBytes(),
                    null);
        }
        if (result.isSuccessful() == (sample.failure() == null)) {
            return sample;
        }
        return new Sample(
                sample.startNanos(),
                sample.elapsedNanos(),
                sample.latencyNanos(),
                sample.connectNanos(),
                sample.receivedBytes(),
                sample.sentBytes(),
                result.isSuccessful() ? null : reason(result),
                sample.unanswered());
    }

    private static String reason(SampleResult result) {
        String assertion = result.getFirstAssertionFailureMessage();
        if (assertion != null && !assertion.isBlank()) {
            return assertion;
        }
        return result.getResponseMessage().isBlank()
                ? "status " + result.getResponseCode()
                : result.getResponseMessage();
    }

    @Override
    public void sampleStarted(SampleEvent event) {
        // Only finished samples count.
    }

    @Override
    public void sampleStopped(SampleEvent event) {
        // Only finished samples count.
    }
}
