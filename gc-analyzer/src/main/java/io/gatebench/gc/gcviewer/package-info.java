/* SPDX-License-Identifier: Apache-2.0 */
/** The adapter to GCViewer; loaded by name, since GCViewer may lie in a jar inside the program's jar. */
@NullMarked
package io.gatebench.gc.gcviewer;

import org.jspecify.annotations.NullMarked;
