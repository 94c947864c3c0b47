/* SPDX-License-Identifier: Apache-2.0 */
/** Request payloads of the established shapes, exact to the byte. */
@NullMarked
package io.gatebench.load.engine.payload;

import org.jspecify.annotations.NullMarked;
