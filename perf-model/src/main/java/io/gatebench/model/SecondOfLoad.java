/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.model;

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
        int users) {}
