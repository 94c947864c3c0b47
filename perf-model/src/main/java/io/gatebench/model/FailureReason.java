/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.model;

/**
 * Reason for which a test case has no result.
 *
 * @since 0.1
 */
public enum FailureReason {
    /** A process did not start or did not become ready. */
    START,
    /** The gateway answered a correctness probe wrongly. */
    PROBE,
    /** The load was aborted, or ended with all samples failed. */
    LOAD,
    /** A process ended while the load ran. */
    PROCESS_DIED,
    /** A host could not be reached or served. */
    HOST,
    /** No sample fell into the measurement window. */
    NO_SAMPLES,
    /** The run was interrupted while the case ran. */
    INTERRUPTED,
    /** Something else; the detail says what. */
    OTHER
}
