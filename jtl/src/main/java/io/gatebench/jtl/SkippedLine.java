/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.jtl;

/**
 * A line that is not counted.
 *
 * @param file the file's name
 * @param line number of its first line in the file, from 1, the header included
 * @param reason why
 */
public record SkippedLine(String file, long line, String reason) {}
