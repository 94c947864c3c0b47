/* SPDX-License-Identifier: Apache-2.0 */
/** Reads settings in YAML, and collects every problem with its file, line and key. */
@NullMarked
package io.gatebench.settings;

import org.jspecify.annotations.NullMarked;
