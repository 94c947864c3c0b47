/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator;

import java.util.List;

import io.gatebench.model.RunInfo;
import io.gatebench.model.TestScenario;

/**
 * A gateway product: its scenarios, its default matrices, and how an instance of it comes to run.
 *
 * <p>Products are found by {@link java.util.ServiceLoader}; {@code --product} matches {@link #name()}. Implementations
 * have no state: what lasts for a run lives in the {@link Gateway} they create.
 */
public interface Product {

    /** Returns the name used in options and paths, in lower case. */
    String name();

    /** Returns what it is, in one line. */
    String description();

    /** Returns the name that a report of the real product carries. */
    String applicationName();

    /** Returns which published form its report has. */
    RunInfo.Variant variant();

    /** Returns every scenario, those of the default plan or not, in published order. */
    List<TestScenario> scenarios();

    /** Returns matrix and timing of a profile. */
    ProductDefaults defaults(Profile profile);

    /**
     * Returns the gateway that a run of this product measures.
     *
     * @throws IllegalArgumentException if the product cannot be had from that source
     */
    Gateway gateway(GatewaySource source);
}
