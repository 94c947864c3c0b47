/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Conditions that the figures of a run must meet, such as {@code p99 < 50ms}. Entry type: {@link
 * io.gatebench.report.threshold.Thresholds}.
 */
@NullMarked
package io.gatebench.report.threshold;

import org.jspecify.annotations.NullMarked;
