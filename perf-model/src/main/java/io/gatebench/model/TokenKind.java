/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.model;

/**
 * The kind of bearer token that a scenario sends.
 *
 * @since 0.1
 */
public enum TokenKind {
    /** None: the scenario is not secured by token. */
    NONE,
    /** A signed JWT, verified by the gateway itself. */
    JWT,
    /** An opaque token, which the gateway introspects. */
    OPAQUE
}
