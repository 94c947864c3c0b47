/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Ties a report to the measured data it was made from. Entry type: {@link io.gatebench.report.verify.Checksums}.
 */
@NullMarked
package io.gatebench.report.verify;

import org.jspecify.annotations.NullMarked;
