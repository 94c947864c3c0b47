/* SPDX-License-Identifier: Apache-2.0 */
/** Bearer tokens: made, read, written and dealt out to load generators. */
@NullMarked
package io.gatebench.load.engine.token;

import org.jspecify.annotations.NullMarked;
