/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.model;

import java.util.Optional;

/**
 * The statistics of the samples of one label in one part of a test.
 *
 * @param label the sampler's name
 * @param samples all samples
 * @param errors failed samples
 * @param throughputPerSecond answers per second that ended in this part of the test, failed ones included, whenever their
 *     requests had started
 * @param all response times of all samples
 * @param successes response times of the successful samples, if there were any
 * @param failures response times of the failed samples, if there were any
 * @param published response times in whole milliseconds with two significant digits, as published documents have them
 * @param receivedBytesPerSecond bytes received per second by the samples that the throughput counts, headers included
 * @param sentBytesPerSecond bytes sent per second by them, headers included
 * @param connect time to connect of those samples that opened a connection, if any did
 * @param latency time to the first byte of the response, if it was recorded
 * @since 0.1
 */
public record SampleStatistics(
        String label,
        long samples,
        long errors,
        double throughputPerSecond,
        ResponseTimes all,
        Optional<ResponseTimes> successes,
        Optional<ResponseTimes> failures,
        ResponseTimes published,
        double receivedBytesPerSecond,
        double sentBytesPerSecond,
        Optional<ResponseTimes> connect,
        Optional<ResponseTimes> latency) {

    /** Returns the failed part of the samples in percent. */
    public double errorPercent() {
        return 100.0 * errors / samples;
    }
}
