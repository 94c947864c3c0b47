/* SPDX-License-Identifier: Apache-2.0 */
/** Goals of a Maven build: {@code run}, {@code compare} and {@code report}, over the same code as the commands. */
@NullMarked
package io.gatebench.maven;

import org.jspecify.annotations.NullMarked;
