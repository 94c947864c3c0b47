/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Judges two gateways that were measured in turns, while the measurement goes on. Entry type: {@link
 * io.gatebench.report.ab.AbJudge}.
 */
@NullMarked
package io.gatebench.report.ab;

import org.jspecify.annotations.NullMarked;
