/* SPDX-License-Identifier: Apache-2.0 */
/** Pages: templates, escaping, and what all of them have in common. */
@NullMarked
package io.gatebench.report.page;

import org.jspecify.annotations.NullMarked;
