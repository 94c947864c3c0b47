/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.engine.http;

import java.time.Duration;

/**
 * Time-outs of one exchange.
 *
 * @param connect longest time to connect, TLS handshake included
 * @param response longest time from the first byte sent to the last byte received
 * @since 0.1
 */
public record HttpTimeouts(Duration connect, Duration response) {}
