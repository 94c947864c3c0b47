/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.kubernetes;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReviewBuilder;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReviewStatus;
import io.fabric8.kubernetes.client.KubernetesClient;

/**
 * Permission that this program needs in a cluster.
 *
 * @param group the group of the resource, empty for the core
 * @param resource the resource
 * @param subresource the part of it, or empty
 * @param verb what is done to it
 */
record Rights(String group, String resource, String subresource, String verb) {

    /** In the namespace of the run. */
    static final List<Rights> IN_NAMESPACE = List.of(
            new Rights("", "pods", "", "list"),
            new Rights("", "pods", "exec", "get"),
            new Rights("apps", "deployments", "", "create"),
            new Rights("apps", "deployments", "", "list"),
            new Rights("batch", "jobs", "", "create"),
            new Rights("batch", "jobs", "", "list"),
            new Rights("batch", "jobs", "", "delete"),
            new Rights("networking.k8s.io", "networkpolicies", "", "create"),
            new Rights("networking.k8s.io", "networkpolicies", "", "list"));

    /** Beside them where each run has a namespace of its own. */
    static final List<Rights> OF_NAMESPACES = List.of(
            new Rights("", "namespaces", "", "create"),
            new Rights("", "namespaces", "", "list"),
            new Rights("", "namespaces", "", "delete"));

    /** Returns what the cluster does not allow, in words. */
    static List<String> missing(KubernetesClient client, Optional<String> namespace) {
        List<Rights> needed = namespace.isPresent()
                ? IN_NAMESPACE
                : Stream.concat(OF_NAMESPACES.stream(), IN_NAMESPACE.stream()).toList();
        return needed.stream()
                .filter(right -> !right.isGranted(client, namespace))
                .map(right -> right.verb + " " + right.resource
                        + (right.subresource.isEmpty() ? "" : "/" + right.subresource)
                        + (right.group.isEmpty() ? "" : " of " + right.group))
                .toList();
    }

    private boolean isGranted(KubernetesClient client, Optional<String> namespace) {
        SubjectAccessReviewStatus answer = client.authorization()
                .v1()
                .selfSubjectAccessReview()
                .create(new SelfSubjectAccessReviewBuilder()
                        .withNewSpec()
                        .withNewResourceAttributes()
                        .withGroup(group)
                        .withResource(resource)
                        .withSubresource(subresource)
                        .withVerb(verb)
                        .withNamespace(resource.equals("namespaces") ? null : namespace.orElse(null))
                        .endResourceAttributes()
                        .endSpec()
                        .build())
                .getStatus();
        return answer != null && Boolean.TRUE.equals(answer.getAllowed());
    }
}
