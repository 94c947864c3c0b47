/* SPDX-License-Identifier: Apache-2.0 */

/** Gateways in containers, by any engine whose command line is that of Docker; {@link ContainerEngine} is the entry. */
@NullMarked
package io.gatebench.gateways.container;

import org.jspecify.annotations.NullMarked;
