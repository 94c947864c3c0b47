/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Says of each row whether its figures can be believed, and why not. Entry type: {@link
 * io.gatebench.report.verdict.Verdicts}.
 */
@NullMarked
package io.gatebench.report.verdict;

import org.jspecify.annotations.NullMarked;
