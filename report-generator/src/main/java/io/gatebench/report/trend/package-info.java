/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Finds the runs at which a figure changed its level. Entry type: {@link io.gatebench.report.trend.TrendAnalyzer}.
 */
@NullMarked
package io.gatebench.report.trend;

import org.jspecify.annotations.NullMarked;
