/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.kubernetes;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;

import io.gatebench.spi.host.HostException;

/** Readings of the state of pods. */
final class Pods {

    /** A node that has found out one of these tries again in vain. */
    private static final Set<String> HOPELESS = Set.of(
            "ErrImageNeverPull",
            "ImagePullBackOff",
            "InvalidImageName",
            "CreateContainerConfigError",
            "CreateContainerError",
            "RunContainerError",
            "CrashLoopBackOff");

    private Pods() {}

    /** Returns whether commands can be run in a pod. */
    static boolean isUsable(Pod pod) {
        return pod.getMetadata().getDeletionTimestamp() == null
                && pod.getStatus() != null
                && "Running".equals(pod.getStatus().getPhase())
                && pod.getStatus().getPodIP() != null
                && statuses(pod).allMatch(status -> Boolean.TRUE.equals(status.getReady()));
    }

    private static Stream<ContainerStatus> statuses(Pod pod) {
        List<ContainerStatus> statuses =
                pod.getStatus() == null ? null : pod.getStatus().getContainerStatuses();
        return statuses == null ? Stream.empty() : statuses.stream();
    }

    /** Returns why a pod will never be usable as it is, if so. */
    static Optional<String> hopeless(Pod pod) {
        return statuses(pod)
                .map(status ->
                        status.getState() == null ? null : status.getState().getWaiting())
                .filter(waiting -> waiting != null && HOPELESS.contains(waiting.getReason()))
                .map(waiting -> waiting.getReason()
                        + (waiting.getMessage() == null
                                ? ""
                                : ": "
                                        + waiting.getMessage()
                                                .lines()
                                                .findFirst()
                                                .orElse("")))
                .findFirst();
    }

    /** Returns why no node takes a pod, if none does. */
    static Optional<String> unscheduled(Pod pod) {
        return pod.getStatus() == null
                ? Optional.empty()
                : Stream.ofNullable(pod.getStatus().getConditions())
                        .flatMap(List::stream)
                        .filter(condition -> "PodScheduled".equals(condition.getType())
                                && "False".equals(condition.getStatus())
                                && condition.getMessage() != null)
                        .map(condition -> condition.getMessage())
                        .findFirst();
    }

    /** Returns what the API server says, without the words of the client around it. */
    static String reason(KubernetesClientException e) {
        return e.getStatus() != null && e.getStatus().getMessage() != null
                ? e.getStatus().getMessage()
                : HostException.reason(e);
    }
}
