/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.model;

import java.util.Locale;

/**
 * Choice of when the gateway of a run is started anew.
 *
 * @since 0.1
 */
public enum GatewayRestart {
    /** For each case, as published results do. */
    CASE,
    /** Each time that the scenario changes. */
    SCENARIO,
    /** Only where it must be: another heap, or a scenario that a running instance cannot serve. */
    NEVER;

    /** Returns the name used in options and reports. */
    public String optionName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
