/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.model;

/**
 * What a process of a run is there for; each runs in a JVM of its own.
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
