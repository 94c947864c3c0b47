/* SPDX-License-Identifier: Apache-2.0 */
/** The published charts, drawn as PNG and SVG by one painter. */
@NullMarked
package io.gatebench.report.chart;

import org.jspecify.annotations.NullMarked;
