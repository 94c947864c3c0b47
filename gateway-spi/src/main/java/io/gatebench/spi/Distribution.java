/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.spi;

/**
 * Way in which the load generators of a run come to their shares of a load.
 *
 * @since 0.1
 */
public enum Distribution {
    /** Each is given its share as a file. */
    PROCESSES,
    /** JMeter's distributed mode: a controller here sends the plan to JMeter's engines there and is told what they measured. */
    JMETER
}
