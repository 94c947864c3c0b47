/* SPDX-License-Identifier: Apache-2.0 */
/** Records samples while they happen, without a lock, and makes statistics of them afterwards. */
@NullMarked
package io.gatebench.load.engine.stats;

import org.jspecify.annotations.NullMarked;
