/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.model;

import java.util.Optional;

/**
 * Answer of a gateway to a probe.
 *
 * @param name the probe's name
 * @param status the status code, if there was an answer
 * @param passed whether the answer was the one that the probe demands
 * @param detail what was expected and what came, in words
 * @since 0.1
 */
public record ProbeOutcome(String name, Optional<Integer> status, boolean passed, String detail) {}
