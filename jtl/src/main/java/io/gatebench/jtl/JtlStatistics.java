/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.jtl;

/** By which rules a summary is computed. */
public enum JtlStatistics {
    /** Every figure from every sample, without rounding. */
    EXACT,
    /** As the predecessor's jtl-splitter computes and rounds them. */
    WSO2;

    /** Returns whether a sample that starts so long after the first one belongs to a warm-up of that length. */
    boolean inWarmUp(long sinceFirst, long warmUp) {
        return this == WSO2 ? sinceFirst <= warmUp : sinceFirst < warmUp;
    }
}
