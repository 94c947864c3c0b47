/* SPDX-License-Identifier: Apache-2.0 */
/** The one door to GCViewer; not for callers outside this module. */
@NullMarked
package io.gatebench.gc.internal;

import org.jspecify.annotations.NullMarked;
