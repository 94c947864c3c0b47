/* SPDX-License-Identifier: Apache-2.0 */
/** Keys and certificates that sign themselves, and clients of servers that have one. */
@NullMarked
package io.gatebench.certificate;

import org.jspecify.annotations.NullMarked;
