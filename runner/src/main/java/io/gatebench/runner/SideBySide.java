/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Result of measuring two gateways in turns.
 *
 * @param directory the results directory
 * @param slower whether the one that was judged is slower in a figure
 * @param lossRuledOut whether a loss above the limit is ruled out, in throughput and CPU time per request of every case
 * @param table the figures with their intervals, for people
 * @param failure why it could not be measured, if it could not
 * @since 0.1
 */
public record SideBySide(
        Path directory, boolean slower, boolean lossRuledOut, String table, Optional<String> failure) {}
