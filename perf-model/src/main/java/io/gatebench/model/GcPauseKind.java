/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.model;

/**
 * The stop-the-world pauses of one kind.
 *
 * @param kind the kind: {@code young}, {@code mixed}, {@code full}, {@code remark}, {@code cleanup}, {@code mark start},
 *     {@code degenerated} and so on; collectors differ
 * @param totalSeconds their sum
 * @param pauses their distribution in milliseconds
 * @since 0.1
 */
public record GcPauseKind(String kind, double totalSeconds, ResponseTimes pauses) {}
