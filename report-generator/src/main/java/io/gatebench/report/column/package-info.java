/* SPDX-License-Identifier: Apache-2.0 */
/** Columns: what the report knows of each figure, in one list that all its forms walk. */
@NullMarked
package io.gatebench.report.column;

import org.jspecify.annotations.NullMarked;
