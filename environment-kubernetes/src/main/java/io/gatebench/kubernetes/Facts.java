/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.kubernetes;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeSystemInfo;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;

import io.gatebench.model.NodeRole;
import io.gatebench.model.SystemInformation.Row;

/** Description of the gateway's pod and its node by the cluster, for the published table. */
final class Facts {

    private static final String CLASS = "Kubernetes";

    private final KubernetesClient client;
    private final RunObjects objects;
    private final KubernetesSettings settings;

    Facts(KubernetesClient client, RunObjects objects, KubernetesSettings settings) {
        this.client = client;
        this.objects = objects;
        this.settings = settings;
    }

    List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        try {
            List<Pod> pods = client.pods()
                    .inNamespace(objects.namespace())
                    .withLabels(objects.labels())
                    .list()
                    .getItems();
            of(NodeRole.GATEWAY, pods).ifPresent(pod -> gateway(pod, rows));
            int replicas = settings.roles().get(NodeRole.GATEWAY).pods();
            if (replicas > 1) {
                long nodes = usable(NodeRole.GATEWAY, pods)
                        .map(pod -> pod.getSpec().getNodeName())
                        .distinct()
                        .count();
                rows.add(new Row(CLASS, "Gateway", "Pods", replicas + " on " + nodes + " node(s)"));
            }
            of(NodeRole.BACKEND, pods).ifPresent(pod -> image(pod, "Back end", rows));
            of(NodeRole.LOAD_GENERATOR, pods).ifPresent(pod -> image(pod, "Load generators", rows));
            rows.add(new Row(
                    CLASS,
                    "Load generators",
                    "Pods",
                    String.valueOf(settings.roles().get(NodeRole.LOAD_GENERATOR).pods())));
            rows.add(new Row(
                    CLASS,
                    "Nodes",
                    "Nodes of the run",
                    String.valueOf(pods.stream()
                            .filter(pod -> !RunObjects.OWNER.equals(
                                    pod.getMetadata().getLabels().get(RunObjects.ROLE)))
                            .map(pod -> pod.getSpec().getNodeName())
                            .distinct()
                            .count())));
        } catch (KubernetesClientException e) {
            rows.add(new Row(CLASS, "Pod", "Facts", "unknown: " + Pods.reason(e)));
        }
        return rows;
    }

    private static Optional<Pod> of(NodeRole role, List<Pod> pods) {
        return usable(role, pods).findFirst();
    }

    private static Stream<Pod> usable(NodeRole role, List<Pod> pods) {
        return pods.stream()
                .filter(pod -> RunObjects.name(role)
                        .equals(pod.getMetadata().getLabels().get(RunObjects.ROLE)))
                .filter(Pods::isUsable);
    }

    /** The name says what was asked for, the digest what the node has: a tag can be moved. */
    private static void image(Pod pod, String type, List<Row> rows) {
        pod.getSpec().getContainers().stream()
                .findFirst()
                .ifPresent(container -> rows.add(new Row(CLASS, type, "Image", container.getImage())));
        Optional.ofNullable(pod.getStatus().getContainerStatuses()).stream()
                .flatMap(List::stream)
                .filter(status ->
                        status.getImageID() != null && !status.getImageID().isBlank())
                .findFirst()
                .ifPresent(status -> rows.add(new Row(CLASS, type, "Digest of the image", status.getImageID())));
    }

    private void gateway(Pod pod, List<Row> rows) {
        image(pod, "Pod", rows);
        pod.getSpec().getContainers().stream().findFirst().ifPresent(container -> {
            Map<String, Quantity> limits =
                    container.getResources() == null || container.getResources().getLimits() == null
                            ? Map.of()
                            : new TreeMap<>(container.getResources().getLimits());
            limits.forEach((what, limit) -> rows.add(new Row(CLASS, "Pod", "Limit of " + what, limit.toString())));
        });
        node(pod.getSpec().getNodeName(), rows);
    }

    /** Nodes are no part of a namespace: where they may not be read, the pod's own view is all there is. */
    private void node(String name, List<Row> rows) {
        rows.add(new Row(CLASS, "Node", "Name", name));
        try {
            Node node = client.nodes().withName(name).get();
            if (node == null || node.getStatus() == null || node.getStatus().getNodeInfo() == null) {
                return;
            }
            NodeSystemInfo info = node.getStatus().getNodeInfo();
            rows.add(new Row(CLASS, "Node", "Kubelet", info.getKubeletVersion()));
            rows.add(new Row(CLASS, "Node", "Container runtime", info.getContainerRuntimeVersion()));
            rows.add(new Row(CLASS, "Node", "Kernel", info.getKernelVersion()));
            Optional.ofNullable(node.getMetadata().getLabels())
                    .map(labels -> labels.get("node.kubernetes.io/instance-type"))
                    .ifPresent(type -> rows.add(new Row(CLASS, "Node", "Instance type", type)));
            for (String what : List.of("cpu", "memory")) {
                Optional.ofNullable(node.getStatus().getAllocatable())
                        .map(all -> all.get(what))
                        .ifPresent(all -> rows.add(new Row(CLASS, "Node", "Allocatable " + what, all.toString())));
            }
        } catch (KubernetesClientException e) {
            rows.add(new Row(CLASS, "Node", "Facts", "unknown: this program may not read nodes"));
        }
    }
}
