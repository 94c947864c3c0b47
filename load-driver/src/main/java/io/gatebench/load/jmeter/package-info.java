/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The test plan and the engine: elements of jmeter-java-dsl, samplers and timers that JMeter runs.
 *
 * <p>Classes are public where JMeter creates or clones them by reflection; they are no interface for callers.
 */
@NullMarked
package io.gatebench.load.jmeter;

import org.jspecify.annotations.NullMarked;
