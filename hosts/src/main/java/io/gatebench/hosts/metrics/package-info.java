/* SPDX-License-Identifier: Apache-2.0 */
/** Activity of a host while a case ran: snapshots of {@code /proc}, and the published columns computed from them. */
@NullMarked
package io.gatebench.hosts.metrics;

import org.jspecify.annotations.NullMarked;
