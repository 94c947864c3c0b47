/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Everything that is published about a run, made from its results directory alone.
 *
 * <p>Begin with {@link io.gatebench.report.ReportGenerator}.
 */
@NullMarked
package io.gatebench.report;

import org.jspecify.annotations.NullMarked;
