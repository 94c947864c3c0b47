/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Says of each row whether its figures can be believed, and why not. Entry type: {@link
 * io.gatebench.report.judge.Verdicts}.
 */
@NullMarked
package io.gatebench.report.judge;

import org.jspecify.annotations.NullMarked;
