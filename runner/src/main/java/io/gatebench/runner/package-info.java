/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The entry points of the library: a benchmark is planned, run on its hosts, and gives its results. The sub-packages hold
 * the plan, the run and runs that are left to machines in a cloud.
 */
@NullMarked
package io.gatebench.runner;

import org.jspecify.annotations.NullMarked;
