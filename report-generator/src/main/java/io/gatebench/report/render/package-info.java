/* SPDX-License-Identifier: Apache-2.0 */
/** The forms in which a run is published: documents, charts and pages. */
@NullMarked
package io.gatebench.report.render;

import org.jspecify.annotations.NullMarked;
