/* SPDX-License-Identifier: Apache-2.0 */
/** Start of gateway, back end and load generator as JVMs of their own. */
@NullMarked
package io.gatebench.spi.role;

import org.jspecify.annotations.NullMarked;
