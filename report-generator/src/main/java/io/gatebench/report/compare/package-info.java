/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Compares runs test case by test case, with the noise that each difference was judged by. Entry type: {@link
 * io.gatebench.report.compare.RunComparator}.
 */
@NullMarked
package io.gatebench.report.compare;

import org.jspecify.annotations.NullMarked;
