/* SPDX-License-Identifier: Apache-2.0 */
/** A machine that runs roles, and the processes on it. */
@NullMarked
package io.gatebench.spi.host;

import org.jspecify.annotations.NullMarked;
