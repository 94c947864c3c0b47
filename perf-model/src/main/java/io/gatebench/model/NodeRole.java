/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.model;

/**
 * Purpose of a process of a run; each runs in a JVM of its own.
 *
 * @since 0.1
 */
public enum NodeRole {
    /** The gateway under test. */
    GATEWAY,
    /** The echo service behind it. */
    BACKEND,
    /** The process that sends the load and measures. */
    LOAD_GENERATOR
}
