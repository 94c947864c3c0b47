/* SPDX-License-Identifier: Apache-2.0 */
/** What may be chosen of a report. */
@NullMarked
package io.gatebench.report.options;

import org.jspecify.annotations.NullMarked;
