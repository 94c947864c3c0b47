/* SPDX-License-Identifier: Apache-2.0 */
/** The built-in products and their scenario catalogues. */
@NullMarked
package io.gatebench.gateways;

import org.jspecify.annotations.NullMarked;
