/* SPDX-License-Identifier: Apache-2.0 */
/** Contribution of a product, so that its gateway can be measured: the product, its gateway, and what these are told of a run. */
@NullMarked
package io.gatebench.spi;

import org.jspecify.annotations.NullMarked;
