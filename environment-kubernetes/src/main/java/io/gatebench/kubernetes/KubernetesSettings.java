/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.kubernetes;

import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.gatebench.model.NodeRole;
import io.gatebench.settings.PlanException;

/**
 * Content of a settings file of this environment.
 *
 * @param kubeconfig the file with the ways to clusters; that of {@code kubectl} if absent
 * @param context the entry of that file; its current one if absent
 * @param namespace a namespace that is there already; one is made for each run if absent
 * @param pullPolicy when nodes fetch images, in the words of Kubernetes
 * @param pullSecrets names of secrets of the namespace with which nodes fetch images
 * @param direct whether pods are reached from here by their addresses
 * @param shareNodes whether pods of different roles may be on one node
 * @param lease how long pods go on without a sign of life from the orchestrator
 * @param patience how long pods may take to start, and may be silent
 * @param deadline when everything is removed at the latest, counted from the beginning
 * @param existing the gateway that runs in the cluster already and is measured in place of one of the run's own
 * @param roles the pods of each role
 */
record KubernetesSettings(
        Optional<Path> kubeconfig,
        Optional<String> context,
        Optional<String> namespace,
        String pullPolicy,
        List<String> pullSecrets,
        boolean direct,
        boolean shareNodes,
        Duration lease,
        Duration patience,
        Duration deadline,
        Optional<ExistingGateway> existing,
        Map<NodeRole, PodSettings> roles) {

    /** Copies the collections. */
    KubernetesSettings {
        pullSecrets = List.copyOf(pullSecrets);
        roles = Map.copyOf(roles);
    }

    /**
     * Returns the settings of a run that has so many gateways.
     *
     * @param replicas the numbers of gateways that test cases have
     * @throws PlanException if there are load generators that cannot be shared out evenly over them
     */
    KubernetesSettings withGateways(List<Integer> replicas) {
        int generators = roles.get(NodeRole.LOAD_GENERATOR).pods();
        replicas.stream().filter(number -> generators % number != 0).findFirst().ifPresent(number -> {
            throw new PlanException(List.of("--gateway-replicas " + number + ": each load generator sends to one"
                    + " replica, and " + generators + " cannot be shared out evenly; give the load-generator a"
                    + " multiple of " + number + " as pods in the Kubernetes settings"));
        });
        Map<NodeRole, PodSettings> own = new EnumMap<>(roles);
        own.computeIfPresent(
                NodeRole.GATEWAY,
                (role, gateway) -> gateway.withPods(
                        replicas.stream().mapToInt(Integer::intValue).max().orElse(1)));
        return new KubernetesSettings(
                kubeconfig,
                context,
                namespace,
                pullPolicy,
                pullSecrets,
                direct,
                shareNodes,
                lease,
                patience,
                deadline,
                existing,
                own);
    }
}
