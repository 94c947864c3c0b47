/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Reads the GC logs of every HotSpot collector and says what they mean: {@link io.gatebench.gc.GcLogAnalyzer}.
 */
@NullMarked
package io.gatebench.gc;

import org.jspecify.annotations.NullMarked;
