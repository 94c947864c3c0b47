/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.jmeter;

import java.io.Serial;

import org.apache.jmeter.samplers.SampleResult;

import io.gatebench.load.engine.stats.Sample;

/** The result of the fast client. */
final class FastSampleResult extends SampleResult implements TimedSample, SessionSample {

    @Serial
    private static final long serialVersionUID = 1L;

    private final transient Sample sample;
    private final transient LoadSession session;

    FastSampleResult(long startMillis, long elapsedMillis, Sample sample, LoadSession session) {
        super(startMillis, elapsedMillis);
        this.sample = sample;
        this.session = session;
    }

    @Override
    public Sample sample() {
        return sample;
    }

    @Override
    public LoadSession session() {
        return session;
    }
}
