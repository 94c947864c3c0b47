/* SPDX-License-Identifier: Apache-2.0 */
/** Machines that run roles: one interface, one class for each way to reach a machine. */
@NullMarked
package io.gatebench.hosts;

import org.jspecify.annotations.NullMarked;
