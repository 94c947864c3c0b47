/* SPDX-License-Identifier: Apache-2.0 */
/** An HTTP/1.1 client for one user: one kept connection, no object per header, microsecond times. */
@NullMarked
package io.gatebench.load.engine.http;

import org.jspecify.annotations.NullMarked;
