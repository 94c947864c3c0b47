/* SPDX-License-Identifier: Apache-2.0 */
/** Running the test cases of a plan one after the other and keeping what was measured. */
@NullMarked
package io.gatebench.runner.run;

import org.jspecify.annotations.NullMarked;
