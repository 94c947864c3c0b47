/* SPDX-License-Identifier: Apache-2.0 */
/** Choices of a report. */
@NullMarked
package io.gatebench.report.options;

import org.jspecify.annotations.NullMarked;
