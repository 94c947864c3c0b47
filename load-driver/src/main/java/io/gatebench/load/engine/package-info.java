/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The load without JMeter: what is asked for, how often, with which tokens, and what is said of it. Requests, recording,
 * payloads and tokens are in the packages below.
 */
@NullMarked
package io.gatebench.load.engine;

import org.jspecify.annotations.NullMarked;
