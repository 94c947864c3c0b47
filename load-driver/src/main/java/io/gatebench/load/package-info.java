/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Sends the load of one test case and says what it measured: {@link io.gatebench.load.engine.LoadRequest} in, {@link
 * io.gatebench.model.LoadResult} out.
 */
@NullMarked
package io.gatebench.load;

import org.jspecify.annotations.NullMarked;
