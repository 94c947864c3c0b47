/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateway;

/** Role that the program plays. */
enum ProgramMode {
    /** The gateway. */
    GATEWAY,
    /** The introspection endpoint that a gateway asks about opaque tokens; meant to run as a process of its own. */
    INTROSPECTION
}
