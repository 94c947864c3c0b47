/* SPDX-License-Identifier: Apache-2.0 */
/** Leaves a run to machines in a cloud and comes back for its results. */
@NullMarked
package io.gatebench.runner.detached;

import org.jspecify.annotations.NullMarked;
