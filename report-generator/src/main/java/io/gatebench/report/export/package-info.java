/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Writes figures in the forms of tools that keep or draw them. Entry type: {@link
 * io.gatebench.report.export.FigureExport}.
 */
@NullMarked
package io.gatebench.report.export;

import org.jspecify.annotations.NullMarked;
