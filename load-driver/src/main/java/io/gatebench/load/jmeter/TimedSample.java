/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.jmeter;

import io.gatebench.load.engine.stats.Sample;

/** A result of JMeter that knows its times in nanoseconds. */
interface TimedSample {

    /** Returns the sample as it was measured; an assertion may have failed it since. */
    Sample sample();
}
