/* SPDX-License-Identifier: Apache-2.0 */
/** Hosts by the role that they play, and what must be created and removed for them. */
@NullMarked
package io.gatebench.hosts.environment;

import org.jspecify.annotations.NullMarked;
