/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.model.cloud;

import java.util.List;

/** Checked machines at an estimated price, of which nothing exists yet. */
public interface CloudOffer {

    /** Returns what would be created, how long, at what estimated price and within which limits, for the eye. */
    List<String> lines();

    /** Returns the estimated price of an hour, in US dollars. */
    double usdPerHour();

    /**
     * Creates the machines and waits until they run. What was created is removed when this fails.
     *
     * @throws CloudException with the reasons that the provider gave, and with what could not be removed
     */
    CloudDeployment create();
}
