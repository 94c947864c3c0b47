/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.kubernetes;

import java.math.BigDecimal;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;

import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.http.HttpResponse;

import io.gatebench.spi.host.HostException;
import io.gatebench.spi.host.Pause;

/** The limit of processors of a pod that runs, which Kubernetes 1.33 and later change in place. */
final class PodLimit {

    private static final Duration POLL = Duration.ofMillis(300);

    private final KubernetesClient client;
    private final String namespace;
    private final Map<String, String> labels;

    /**
     * Creates it.
     *
     * @param labels the labels that the pod alone has
     */
    PodLimit(KubernetesClient client, String namespace, Map<String, String> labels) {
        this.client = client;
        this.namespace = namespace;
        this.labels = Map.copyOf(labels);
    }

    /**
     * Sets it, and waits until the node has done so.
     *
     * @throws HostException if the cluster does not, or not in time
     */
    void set(BigDecimal cpus, Duration patience) {
        try {
            Pod pod = pod();
            if (isIn(pod, cpus)) {
                return;
            }
            ask(pod.getMetadata().getName(), cpus);
            long end = System.nanoTime() + patience.toNanos();
            while (!isIn(pod, cpus)) {
                Optional<String> refused = pending(pod);
                if (refused.isPresent() && refused.get().startsWith("Infeasible") || System.nanoTime() > end) {
                    throw new HostException("the gateway's pod was not given " + cpus.toPlainString()
                            + " processor(s) within " + patience.toSeconds() + " s (patience)"
                            + refused.map(why -> ": " + why).orElse(""));
                }
                Pause.of(POLL, "while the limit of the gateway's pod was changed");
                pod = pod();
            }
        } catch (KubernetesClientException e) {
            throw new HostException("the limit of the gateway's pod cannot be changed: " + Pods.reason(e), e);
        }
    }

    private Pod pod() {
        return client.pods().inNamespace(namespace).withLabels(labels).list().getItems().stream()
                .filter(Pods::isUsable)
                .findFirst()
                .orElseThrow(() -> new HostException("there is no running pod of the gateway"));
    }

    private void ask(String name, BigDecimal cpus) {
        URI uri = URI.create(client.getMasterUrl().toString().replaceFirst("/*$", "/") + "api/v1/namespaces/"
                + namespace + "/pods/" + name + "/resize");
        String amount = "{\"cpu\": \"" + cpus.toPlainString() + "\"}";
        String patch = "{\"spec\": {\"containers\": [{\"name\": \"" + RunObjects.CONTAINER
                + "\", \"resources\": {\"requests\": " + amount + ", \"limits\": " + amount + "}}]}}";
        try {
            HttpResponse<String> answer = client.getHttpClient()
                    .sendAsync(
                            client.getHttpClient()
                                    .newHttpRequestBuilder()
                                    .uri(uri)
                                    .patch("application/strategic-merge-patch+json", patch)
                                    .build(),
                            String.class)
                    .join();
            if (!answer.isSuccessful()) {
                throw new HostException("the cluster does not change the limit of the gateway's pod to "
                        + cpus.toPlainString() + " processor(s), which needs Kubernetes 1.33 and the right to patch"
                        + " pods/resize: " + message(answer.body()));
            }
        } catch (CompletionException e) {
            throw new HostException("the limit of the gateway's pod cannot be changed: " + HostException.reason(e), e);
        }
    }

    private String message(String body) {
        return body.contains("\"message\":")
                ? client.getKubernetesSerialization()
                        .unmarshal(body, io.fabric8.kubernetes.api.model.Status.class)
                        .getMessage()
                : body.strip();
    }

    /** Returns whether a node has given a pod the limit. */
    static boolean isIn(Pod pod, BigDecimal cpus) {
        return pending(pod).isEmpty()
                && Stream.ofNullable(pod.getStatus().getContainerStatuses())
                        .flatMap(List::stream)
                        .map(ContainerStatus::getResources)
                        .filter(given -> given != null && given.getLimits() != null)
                        .map(given -> given.getLimits().getOrDefault("cpu", new Quantity("0")))
                        .anyMatch(limit -> limit.getNumericalAmount().compareTo(cpus) == 0);
    }

    private static Optional<String> pending(Pod pod) {
        return Stream.ofNullable(pod.getStatus().getConditions())
                .flatMap(List::stream)
                .filter(condition ->
                        condition.getType().startsWith("PodResize") && "True".equals(condition.getStatus()))
                .map(condition -> (condition.getReason() == null ? "" : condition.getReason() + " ")
                        + (condition.getMessage() == null ? condition.getType() : condition.getMessage()))
                .findFirst();
    }
}
