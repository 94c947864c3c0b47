/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.verdict;

/**
 * Finding of one rule on one row.
 *
 * @param rule the rule
 * @param level how much it matters; {@link Level#VALID} for a remark on one figure that leaves the row valid
 * @param text the figure and what it means, as part of a sentence
 * @since 0.1
 */
public record Finding(Rule rule, Level level, String text) {}
