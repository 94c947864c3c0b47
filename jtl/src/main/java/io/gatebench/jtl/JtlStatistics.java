/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.jtl;

/** By which rules a summary is computed. */
public enum JtlStatistics {
    /** Every figure from every sample, without rounding. */
    EXACT,
    /** As the predecessor's jtl-splitter computes and rounds them. */
    WSO2
}
