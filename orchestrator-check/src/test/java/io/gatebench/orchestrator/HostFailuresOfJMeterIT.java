/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator;

import org.junit.jupiter.api.Tag;

/** Breaks the same where JMeter's distributed mode has shared the load out. */
@Tag("full")
class HostFailuresOfJMeterIT extends HostFailuresIT {}
