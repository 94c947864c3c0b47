/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The results directory: what a run leaves on disk and everything after it is made from.
 *
 * <p>Begin with {@link io.gatebench.report.results.ResultsDirectory}.
 */
@NullMarked
package io.gatebench.report.results;

import org.jspecify.annotations.NullMarked;
