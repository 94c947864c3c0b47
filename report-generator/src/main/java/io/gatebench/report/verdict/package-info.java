/* SPDX-License-Identifier: Apache-2.0 */
/** The rules by which figures are judged, and what those say that need a whole run result. */
@NullMarked
package io.gatebench.report.verdict;

import org.jspecify.annotations.NullMarked;
