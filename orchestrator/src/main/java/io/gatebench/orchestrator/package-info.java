/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The entry points of the library: {@link io.gatebench.orchestrator.Product} says what a gateway is, the sub-packages
 * plan a run, find its hosts, start its roles and measure its cells.
 */
@NullMarked
package io.gatebench.orchestrator;

import org.jspecify.annotations.NullMarked;
