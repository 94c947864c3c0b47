/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.model;

import java.util.Optional;

/**
 * One second of a test, as the load generator saw it.
 *
 * @param second seconds since the first start of the test, from 0; a sample belongs to the second of its start
 * @param samples samples that started in it
 * @param errors failed samples among them
 * @param meanMillis mean response time, 0 if there was no sample
 * @param p50Millis median response time, 0 if there was no sample
 * @param p99Millis 99th percentile, 0 if there was no sample
 * @param maxMillis largest response time, 0 if there was no sample
 * @param users users at work at its end
 * @param completions the answers that ended in it; empty in results that do not tell
 * @since 0.1
 */
public record SecondOfLoad(
        int second,
        long samples,
        long errors,
        double meanMillis,
        double p50Millis,
        double p99Millis,
        double maxMillis,
        int users,
        Optional<Completions> completions) {

    /** Creates a second that does not tell when answers ended. */
    public SecondOfLoad(
            int second,
            long samples,
            long errors,
            double meanMillis,
            double p50Millis,
            double p99Millis,
            double maxMillis,
            int users) {
        this(second, samples, errors, meanMillis, p50Millis, p99Millis, maxMillis, users, Optional.empty());
    }

    /**
     * The answers that ended in one second, whenever their requests had started; the last second of a test holds those
     * alone that came before its end.
     *
     * @param count answers, failed ones included
     * @param firstMillis when the first of them ended, from the start of the second; 0 if there was none
     * @param lastMillis when the last of them ended, from the start of the second; 0 if there was none
     */
    public record Completions(long count, int firstMillis, int lastMillis) {}
}
