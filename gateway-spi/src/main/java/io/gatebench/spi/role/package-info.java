/* SPDX-License-Identifier: Apache-2.0 */
/** How gateway, back end and load generator are started as JVMs of their own. */
@NullMarked
package io.gatebench.spi.role;

import org.jspecify.annotations.NullMarked;
