/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.spi;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

import io.gatebench.model.RunManifest;
import io.gatebench.model.TestScenario;

/**
 * A gateway product: its scenarios, its default matrices, and how an instance of it comes to run.
 *
 * <p>Products are found by {@link java.util.ServiceLoader}; {@code --product} matches {@link #name()}. Implementations
 * have no state: what lasts for a run lives in the {@link Gateway} they create.
 *
 * @since 0.1
 */
public interface Product {

    /** Returns the name used in options and paths, in lower case. */
    String name();

    /** Returns what it is, in one line. */
    String description();

    /** Returns the name that a report of the real product carries. */
    String applicationName();

    /** Returns which published form its report has. */
    RunManifest.Variant variant();

    /**
     * Returns the product that a configuration file describes.
     *
     * @throws io.gatebench.settings.PlanException with file and line of every problem of the file
     * @throws IllegalArgumentException if this product is complete without a file
     */
    default Product withConfiguration(Path file) {
        throw new IllegalArgumentException("product " + name() + " takes no --gateway-config; product http does");
    }

    /** Returns the JSON Schema of files for {@link #withConfiguration}, if this product takes one. */
    default Optional<String> configurationSchema() {
        return Optional.empty();
    }

    /** Returns whether nothing can be run before {@link #withConfiguration}. */
    default boolean needsConfiguration() {
        return false;
    }

    /** Returns whether the heap sizes of a plan reach its gateway. */
    default boolean usesHeap() {
        return true;
    }

    /**
     * Returns this product with a limit on the processors that its gateway may use.
     *
     * @param cpus number of processors, e.g. 1.5
     * @throws IllegalArgumentException if its gateway cannot be limited
     */
    default Product withCpuLimit(double cpus) {
        throw new IllegalArgumentException(
                "--cpus goes with a product that is started from a pack (--gateway-home), not with " + name());
    }

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
