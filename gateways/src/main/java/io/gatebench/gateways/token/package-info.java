/* SPDX-License-Identifier: Apache-2.0 */
/** Tokens of the suite's own for gateways that are told to trust it. */
@NullMarked
package io.gatebench.gateways.token;

import org.jspecify.annotations.NullMarked;
