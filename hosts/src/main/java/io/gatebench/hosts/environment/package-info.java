/* SPDX-License-Identifier: Apache-2.0 */
/** Which host plays which role, and what must be created and removed for it. */
@NullMarked
package io.gatebench.hosts.environment;

import org.jspecify.annotations.NullMarked;
