/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.engine;

/**
 * HTTP client that sends the requests.
 *
 * @since 0.1
 */
public enum HttpClientKind {
    /** The sampler of this module: HTTP/1.1 on kept connections, at a fraction of the CPU time. */
    FAST,
    /** JMeter's HttpClient 4 sampler, as the control. */
    JMETER
}
