/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import java.util.Optional;
import java.util.ServiceLoader;

import io.gatebench.hosts.environment.ClusterProvider;
import io.gatebench.model.cloud.CloudProvider;

/** The environments whose libraries are too large for everybody: jars of their own, which are there or not. */
public final class PlugIns {

    /** The name of the environment of machines in AWS. */
    public static final String AWS = "aws";

    /** The name of the environment of pods. */
    public static final String KUBERNETES = "kubernetes";

    private PlugIns() {}

    /** Returns what rents machines in AWS, if its jar is there. */
    public static Optional<CloudProvider> aws() {
        return ServiceLoader.load(CloudProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(provider -> provider.name().equals(AWS))
                .findFirst();
    }

    /** Returns what runs roles in a Kubernetes cluster, if its jar is there. */
    public static Optional<ClusterProvider> kubernetes() {
        return ServiceLoader.load(ClusterProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(provider -> provider.name().equals(KUBERNETES))
                .findFirst();
    }
}
