/* SPDX-License-Identifier: Apache-2.0 */
/** The command line: strings become values here and only here; entry type {@code Main}. */
@NullMarked
package io.gatebench.orchestrator.cli;

import org.jspecify.annotations.NullMarked;
