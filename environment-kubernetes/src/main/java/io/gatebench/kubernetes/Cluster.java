/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.kubernetes;

import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;

import io.gatebench.hosts.environment.ClusterProvider.Left;
import io.gatebench.spi.host.HostException;
import io.gatebench.spi.host.Pause;

/** Objects that runs have in a cluster. */
class Cluster implements AutoCloseable {

    private static final Duration POLL = Duration.ofMillis(500);

    private final KubernetesClient client;

    Cluster(KubernetesClient client) {
        this.client = client;
    }

    /** Returns a way to a cluster; whether anybody is there shows with the first question. */
    static Cluster connect(Optional<Path> kubeconfig, Optional<String> context) {
        Config config = kubeconfig
                .map(Path::toFile)
                .map((File file) -> Config.fromKubeconfig(context.orElse(null), file))
                .orElseGet(() -> Config.autoConfigure(context.orElse(null)));
        // Whether a silent cluster is waited for is decided above, where it is known what for.
        config.setRequestRetryBackoffLimit(3);
        config.setRequestTimeout(20_000);
        return new Cluster(new KubernetesClientBuilder().withConfig(config).build());
    }

    /** Returns what this program is not allowed to do but must, in words. */
    List<String> missingRights(Optional<String> namespace) {
        return Rights.missing(client, namespace);
    }

    KubernetesClient client() {
        return client;
    }

    /**
     * Returns what there is of runs.
     *
     * @param namespace where to look; everywhere if absent
     * @param run which run; all if absent
     */
    List<Left> list(Optional<String> namespace, Optional<String> run) {
        Map<String, String> labels = new TreeMap<>(Map.of(RunObjects.MANAGED_BY, RunObjects.TOOL));
        run.ifPresent(id -> labels.put(RunObjects.RUN, id));
        Map<List<String>, List<HasMetadata>> found = new TreeMap<>(Comparator.comparing(String::valueOf));
        all(namespace, labels)
                .forEach(object -> found.computeIfAbsent(
                                List.of(
                                        object.getMetadata().getLabels().getOrDefault(RunObjects.RUN, ""),
                                        object instanceof Namespace
                                                ? object.getMetadata().getName()
                                                : object.getMetadata().getNamespace()),
                                key -> new ArrayList<>())
                        .add(object));
        return found.entrySet().stream()
                .map(entry -> left(entry.getKey().get(0), entry.getKey().get(1), entry.getValue()))
                .toList();
    }

    private Stream<HasMetadata> all(Optional<String> namespace, Map<String, String> labels) {
        List<HasMetadata> objects = new ArrayList<>();
        if (namespace.isPresent()) {
            String only = namespace.get();
            objects.addAll(client.batch()
                    .v1()
                    .jobs()
                    .inNamespace(only)
                    .withLabels(labels)
                    .list()
                    .getItems());
            objects.addAll(client.apps()
                    .deployments()
                    .inNamespace(only)
                    .withLabels(labels)
                    .list()
                    .getItems());
            objects.addAll(client.network()
                    .v1()
                    .networkPolicies()
                    .inNamespace(only)
                    .withLabels(labels)
                    .list()
                    .getItems());
            objects.addAll(
                    client.pods().inNamespace(only).withLabels(labels).list().getItems());
        } else {
            objects.addAll(client.namespaces().withLabels(labels).list().getItems());
            objects.addAll(client.batch()
                    .v1()
                    .jobs()
                    .inAnyNamespace()
                    .withLabels(labels)
                    .list()
                    .getItems());
            objects.addAll(client.apps()
                    .deployments()
                    .inAnyNamespace()
                    .withLabels(labels)
                    .list()
                    .getItems());
            objects.addAll(client.network()
                    .v1()
                    .networkPolicies()
                    .inAnyNamespace()
                    .withLabels(labels)
                    .list()
                    .getItems());
            objects.addAll(
                    client.pods().inAnyNamespace().withLabels(labels).list().getItems());
        }
        return objects.stream();
    }

    private static Left left(String run, String place, List<HasMetadata> objects) {
        Map<String, Integer> counts = new TreeMap<>();
        objects.forEach(object -> counts.merge(object.getKind().toLowerCase(Locale.ROOT), 1, Integer::sum));
        boolean inUse = objects.stream()
                .anyMatch(object -> object instanceof Pod pod
                        && RunObjects.OWNER.equals(pod.getMetadata().getLabels().get(RunObjects.ROLE))
                        && Pods.isUsable(pod));
        Optional<Instant> deadline = objects.stream()
                .flatMap(object -> Stream.ofNullable(object.getMetadata().getAnnotations()))
                .flatMap(annotations -> Stream.ofNullable(annotations.get(RunObjects.DEADLINE)))
                .flatMap(Cluster::instant)
                .findFirst();
        return new Left(
                run,
                place,
                String.join(
                        ", ",
                        counts.entrySet().stream()
                                .map(entry -> entry.getValue() + " " + entry.getKey()
                                        + (entry.getValue() == 1
                                                ? ""
                                                : entry.getKey().endsWith("y") ? "(s)" : "s"))
                                .toList()),
                inUse,
                deadline);
    }

    private static Stream<Instant> instant(String text) {
        try {
            return Stream.of(Instant.parse(text));
        } catch (DateTimeParseException e) {
            return Stream.empty();
        }
    }

    /** Removes a run at a place, without waiting for the end. */
    void remove(String run, String place) {
        Map<String, String> labels = Map.of(RunObjects.MANAGED_BY, RunObjects.TOOL, RunObjects.RUN, run);
        if (client.namespaces().withLabels(labels).list().getItems().stream()
                .anyMatch(namespace -> namespace.getMetadata().getName().equals(place))) {
            client.namespaces().withName(place).delete();
            return;
        }
        removeIn(run, place);
    }

    /** Removes a run in a namespace that is not its own: the owner, whose end is that of all others. */
    void removeIn(String run, String place) {
        Map<String, String> labels = Map.of(RunObjects.MANAGED_BY, RunObjects.TOOL, RunObjects.RUN, run);
        for (Job job : client.batch()
                .v1()
                .jobs()
                .inNamespace(place)
                .withLabels(labels)
                .list()
                .getItems()) {
            client.batch()
                    .v1()
                    .jobs()
                    .inNamespace(place)
                    .withName(job.getMetadata().getName())
                    .withPropagationPolicy(DeletionPropagation.BACKGROUND)
                    .delete();
        }
    }

    private List<Left> namespaces(String run) {
        return client
                .namespaces()
                .withLabels(Map.of(RunObjects.MANAGED_BY, RunObjects.TOOL, RunObjects.RUN, run))
                .list()
                .getItems()
                .stream()
                .map(namespace -> left(run, namespace.getMetadata().getName(), List.of(namespace)))
                .toList();
    }

    /** Removes namespaces of runs whose deadline is over: their pods have ended by themselves. */
    void sweep(Instant now) {
        client.namespaces().withLabels(Map.of(RunObjects.MANAGED_BY, RunObjects.TOOL)).list().getItems().stream()
                .filter(namespace -> left("", "", List.of(namespace))
                        .deadline()
                        .filter(now::isAfter)
                        .isPresent())
                .forEach(namespace -> client.namespaces()
                        .withName(namespace.getMetadata().getName())
                        .delete());
    }

    /**
     * Waits until nothing of a run is there any more, or the time is over.
     *
     * @param namespace the namespace that is not its own, if it is in one
     * @return what is still there
     * @throws HostException if the thread is interrupted, which it remains
     */
    List<Left> awaitGone(Optional<String> namespace, String run, Duration patience) {
        long end = System.nanoTime() + patience.toNanos();
        while (true) {
            List<Left> left = List.of();
            try {
                left = namespace.isPresent() ? list(namespace, Optional.of(run)) : namespaces(run);
                if (left.isEmpty()) {
                    return left;
                }
            } catch (KubernetesClientException e) {
                if (System.nanoTime() > end) {
                    throw e;
                }
            }
            if (System.nanoTime() > end) {
                return left;
            }
            Pause.of(POLL, "while the cluster removed what was left");
        }
    }

    /** Returns what the events of a namespace warn of; nothing where they may not be read. */
    List<String> warnings(String namespace, String namePrefix) {
        return List.copyOf(new TreeSet<>(events(namespace, namePrefix)
                .filter(event -> "Warning".equals(event.getType()) && "FailedCreate".equals(event.getReason()))
                .map(event -> String.valueOf(event.getMessage()))
                .toList()));
    }

    /** Returns what the newest event of a namespace tells; empty where there is none, or it may not be read. */
    Optional<String> lastEvent(String namespace, String namePrefix) {
        return events(namespace, namePrefix)
                .max(Comparator.comparing(event -> Stream.of(
                                event.getLastTimestamp(), event.getMetadata().getCreationTimestamp())
                        .flatMap(Stream::ofNullable)
                        .findFirst()
                        .orElse("")))
                .map(event -> event.getReason() + ": " + event.getMessage());
    }

    private Stream<Event> events(String namespace, String namePrefix) {
        try {
            return client.v1().events().inNamespace(namespace).list().getItems().stream()
                    .filter(event -> event.getInvolvedObject().getName() != null
                            && event.getInvolvedObject().getName().startsWith(namePrefix));
        } catch (KubernetesClientException e) {
            return Stream.empty();
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
