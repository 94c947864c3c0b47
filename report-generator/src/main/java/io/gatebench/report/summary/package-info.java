/* SPDX-License-Identifier: Apache-2.0 */
/** The published columns and the rows that a run has in them. */
@NullMarked
package io.gatebench.report.summary;

import org.jspecify.annotations.NullMarked;
