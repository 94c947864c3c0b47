/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.jmeter;

import java.io.Serial;

import org.apache.jmeter.samplers.SampleResult;

import io.gatebench.load.stats.Sample;

/** The result of the fast client. */
final class FastSampleResult extends SampleResult implements TimedSample {

    @Serial
    private static final long serialVersionUID = 1L;

    private final transient Sample sample;

    FastSampleResult(long startMillis, long elapsedMillis, Sample sample) {
        super(startMillis, elapsedMillis);
        this.sample = sample;
    }

    @Override
    public Sample sample() {
        return sample;
    }
}
