/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Checks a report against the measured data it was made from. Entry type: {@link io.gatebench.report.verify.Verification}.
 */
@NullMarked
package io.gatebench.report.verify;

import org.jspecify.annotations.NullMarked;
