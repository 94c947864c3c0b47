/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The echo back end: an HTTP service that is never what limits a measurement, and exact in its delay.
 *
 * <p>Start one with {@link io.gatebench.echo.EchoServer#start(EchoServerConfig)}, or from a shell with {@link
 * io.gatebench.echo.EchoCommand}.
 */
@NullMarked
package io.gatebench.echo;

import org.jspecify.annotations.NullMarked;
