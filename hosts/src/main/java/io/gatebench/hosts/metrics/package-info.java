/* SPDX-License-Identifier: Apache-2.0 */
/** What a host did while a case ran: snapshots of {@code /proc}, and the published columns computed from them. */
@NullMarked
package io.gatebench.hosts.metrics;

import org.jspecify.annotations.NullMarked;
