/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.spi.host;

/**
 * End of a command.
 *
 * @param exitCode its exit code
 * @param output what it wrote to standard output
 * @param errorOutput what it wrote to standard error
 * @since 0.1
 */
public record CommandResult(int exitCode, String output, String errorOutput) {}
