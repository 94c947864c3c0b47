/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.kubernetes;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.AffinityBuilder;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.LocalObjectReference;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyBuilder;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPeerBuilder;
import org.jspecify.annotations.Nullable;

import io.gatebench.model.NodeRole;

/** The objects of one run; all carry its label, and all but the first are owned by its first one. */
final class RunObjects {

    static final String MANAGED_BY = "app.kubernetes.io/managed-by";
    static final String TOOL = "gatebench";
    static final String RUN = "gatebench.io/run";
    static final String ROLE = "gatebench.io/role";
    static final String DEADLINE = "gatebench.io/deadline";
    static final String OWNER = "owner";
    static final String CONTAINER = "role";
    /** Places where pods may write. */
    static final String DIRECTORY = "/gatebench";

    /** Number of a replica of the gateway, where there are several. */
    static final String REPLICA = "gatebench.io/replica";

    static final String INDEX = "batch.kubernetes.io/job-completion-index";

    private static final String LEASE = DIRECTORY + "/lease";
    private static final long USER = 10_001;
    /** Pods of load generators that may be lost before the job gives up, which is of no use to a run. */
    private static final int LOST_PODS = 10_000;

    private static final String HOST_NAME = "kubernetes.io/hostname";
    // Counts seconds without a renewal: a clock that is set does no harm.
    private static final String KEEP = """
            trap 'exit 143' TERM INT
            : >%1$s
            quiet=0 last=
            while [ "$quiet" -lt %2$d ]; do
                sleep 1
                now=$(stat -c %%y %1$s 2>/dev/null)
                if [ "$now" = "$last" ]; then quiet=$((quiet + 1)); else quiet=0; fi
                last=$now
            done
            """;
    // A pod of a job that ended with 0 would have done its work, and another one would not take its place.
    private static final String WAIT = "trap 'exit 143' TERM INT; while :; do sleep 3600 & wait $!; done";

    private final String run;
    private final KubernetesSettings settings;
    private final Instant deadline;

    RunObjects(String run, KubernetesSettings settings, Instant now) {
        this.run = run;
        this.settings = settings;
        this.deadline = now.plus(settings.deadline());
    }

    /** Returns the command by which the owner's lease is renewed. */
    static String renewal() {
        return "touch " + LEASE;
    }

    String namespace() {
        return settings.namespace().orElse(TOOL + "-" + run);
    }

    static String name(NodeRole role) {
        return role.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    Map<String, String> labels() {
        return Map.of(MANAGED_BY, TOOL, RUN, run);
    }

    Map<String, String> labels(String part) {
        Map<String, String> labels = new HashMap<>(labels());
        labels.put(ROLE, part);
        return labels;
    }

    /** Returns the labels that one pod alone has. */
    Map<String, String> labels(NodeRole role, int index) {
        Map<String, String> labels = labels(name(role));
        if (role == NodeRole.LOAD_GENERATOR) {
            labels.put(INDEX, String.valueOf(index));
        } else if (isOneOfSeveral(role)) {
            labels.put(REPLICA, String.valueOf(index + 1));
        }
        return labels;
    }

    private boolean isOneOfSeveral(NodeRole role) {
        return settings.roles().get(role).pods() > 1;
    }

    /** Returns the name of one pod as a host. */
    String name(NodeRole role, int index) {
        return name(role) + (isOneOfSeveral(role) ? "-" + (index + 1) : "");
    }

    private ObjectMeta metadata(String part, Optional<OwnerReference> owner) {
        return new ObjectMetaBuilder()
                .withName(part.equals(OWNER) ? TOOL + "-" + run : TOOL + "-" + run + "-" + part)
                .withNamespace(namespace())
                .withLabels(labels(part))
                .withAnnotations(Map.of(DEADLINE, deadline.toString()))
                .withOwnerReferences(owner.stream().toList())
                .build();
    }

    Namespace ownNamespace() {
        return new NamespaceBuilder()
                .withNewMetadata()
                .withName(namespace())
                .withLabels(labels())
                .addToAnnotations(DEADLINE, deadline.toString())
                .endMetadata()
                .build();
    }

    /**
     * Returns the object that owns all others: a job that ends when its lease is not renewed, or its deadline is over. The
     * cluster removes an ended job, and all that it owns, by itself.
     */
    Job owner() {
        PodSettings any = settings.roles().get(NodeRole.BACKEND);
        Container keeper = container(
                        any.image(),
                        String.format(Locale.ROOT, KEEP, LEASE, settings.lease().toSeconds()))
                .withNewResources()
                .addToRequests(Map.of("cpu", new Quantity("10m"), "memory", new Quantity("32Mi")))
                .addToLimits(Map.of("cpu", new Quantity("100m"), "memory", new Quantity("32Mi")))
                .endResources()
                .build();
        return new JobBuilder()
                .withMetadata(metadata(OWNER, Optional.empty()))
                .withNewSpec()
                .withActiveDeadlineSeconds(settings.deadline().toSeconds())
                .withTtlSecondsAfterFinished(0)
                .withTemplate(template(OWNER, keeper, new Quantity("1Mi"), any.nodeSelector(), "Never", null))
                .endSpec()
                .build();
    }

    OwnerReference reference(Job owner) {
        return new OwnerReferenceBuilder()
                .withApiVersion("batch/v1")
                .withKind("Job")
                .withName(owner.getMetadata().getName())
                .withUid(owner.getMetadata().getUid())
                .build();
    }

    /**
     * Returns what lets the pods of the run be reached by each other alone, or by all where this program does so, too, or a
     * gateway that is none of them asks the back end.
     */
    NetworkPolicy policy(OwnerReference owner) {
        return new NetworkPolicyBuilder()
                .withMetadata(metadata("network", Optional.of(owner)))
                .withNewSpec()
                .withNewPodSelector()
                .withMatchLabels(labels())
                .endPodSelector()
                .withPolicyTypes("Ingress")
                .addNewIngress()
                .withFrom(
                        settings.direct() || settings.existing().isPresent()
                                ? List.of()
                                : List.of(new NetworkPolicyPeerBuilder()
                                        .withNewPodSelector()
                                        .withMatchLabels(labels())
                                        .endPodSelector()
                                        .build()))
                .endIngress()
                .endSpec()
                .build();
    }

    /** Returns the back end, or a replica of the gateway: each has a deployment, and so a name and a pod that stay its own. */
    Deployment deployment(NodeRole role, int index, OwnerReference owner) {
        return new DeploymentBuilder()
                .withMetadata(new ObjectMetaBuilder(metadata(name(role, index), Optional.of(owner)))
                        .withLabels(labels(role, index))
                        .build())
                .withNewSpec()
                .withReplicas(1)
                .withNewStrategy()
                .withType("Recreate")
                .endStrategy()
                .withNewSelector()
                .withMatchLabels(labels(role, index))
                .endSelector()
                .withTemplate(new PodTemplateSpecBuilder(template(role, "Always"))
                        .editMetadata()
                        .withLabels(labels(role, index))
                        .endMetadata()
                        .build())
                .endSpec()
                .build();
    }

    /** Returns the load generators, each of which has a number. */
    Job loadGenerators(OwnerReference owner) {
        int pods = settings.roles().get(NodeRole.LOAD_GENERATOR).pods();
        return new JobBuilder()
                .withMetadata(metadata(name(NodeRole.LOAD_GENERATOR), Optional.of(owner)))
                .withNewSpec()
                .withCompletionMode("Indexed")
                .withCompletions(pods)
                .withParallelism(pods)
                .withBackoffLimit(LOST_PODS)
                .withActiveDeadlineSeconds(settings.deadline().toSeconds())
                .withTtlSecondsAfterFinished((int) Duration.ofMinutes(5).toSeconds())
                .withTemplate(template(NodeRole.LOAD_GENERATOR, "Never"))
                .endSpec()
                .build();
    }

    private PodTemplateSpec template(NodeRole role, String restart) {
        PodSettings own = settings.roles().get(role);
        Map<String, Quantity> resources = new HashMap<>();
        own.cpus().ifPresent(cpus -> resources.put("cpu", new Quantity(cpus.toPlainString())));
        own.memory().ifPresent(memory -> resources.put("memory", new Quantity(String.valueOf(memory.bytes()))));
        Container container = container(own.image(), WAIT)
                .withNewResources()
                .withRequests(resources)
                .withLimits(resources)
                .endResources()
                // A limit that changes while the pod runs must not start its container anew.
                .addNewResizePolicy("cpu", "NotRequired")
                .build();
        return template(
                name(role),
                container,
                new Quantity(String.valueOf(own.disk().bytes())),
                own.nodeSelector(),
                restart,
                settings.shareNodes() ? null : apart(name(role)));
    }

    /** No pod of another role of the run on the same node. */
    private Affinity apart(String part) {
        return new AffinityBuilder()
                .withNewPodAntiAffinity()
                .addNewRequiredDuringSchedulingIgnoredDuringExecution()
                .withTopologyKey(HOST_NAME)
                .withNewLabelSelector()
                .withMatchLabels(labels())
                .addNewMatchExpression()
                .withKey(ROLE)
                .withOperator("NotIn")
                .withValues(part, OWNER)
                .endMatchExpression()
                .endLabelSelector()
                .endRequiredDuringSchedulingIgnoredDuringExecution()
                .endPodAntiAffinity()
                .build();
    }

    private ContainerBuilder container(String image, String script) {
        return new ContainerBuilder()
                .withName(CONTAINER)
                .withImage(image)
                .withImagePullPolicy(settings.pullPolicy())
                .withCommand("/bin/sh", "-c", script)
                .withWorkingDir(DIRECTORY)
                .addNewEnv()
                .withName("HOME")
                .withValue(DIRECTORY)
                .endEnv()
                .addNewVolumeMount()
                .withName("work")
                .withMountPath(DIRECTORY)
                .endVolumeMount()
                .addNewVolumeMount()
                .withName("tmp")
                .withMountPath("/tmp")
                .endVolumeMount()
                .withNewSecurityContext()
                .withAllowPrivilegeEscalation(false)
                .withReadOnlyRootFilesystem(true)
                .withNewCapabilities()
                .withDrop("ALL")
                .endCapabilities()
                .endSecurityContext();
    }

    private PodTemplateSpec template(
            String part,
            Container container,
            Quantity disk,
            Map<String, String> nodeSelector,
            String restart,
            @Nullable Affinity affinity) {
        return new PodTemplateSpecBuilder()
                .withNewMetadata()
                .withLabels(labels(part))
                .endMetadata()
                .withNewSpec()
                .withContainers(container)
                .withRestartPolicy(restart)
                .withNodeSelector(nodeSelector)
                .withAffinity(affinity)
                .withAutomountServiceAccountToken(false)
                .withEnableServiceLinks(false)
                .withTerminationGracePeriodSeconds(5L)
                .withImagePullSecrets(settings.pullSecrets().stream()
                        .map(LocalObjectReference::new)
                        .toList())
                .withNewSecurityContext()
                .withRunAsNonRoot(true)
                .withRunAsUser(USER)
                .withRunAsGroup(USER)
                .withFsGroup(USER)
                .withNewSeccompProfile()
                .withType("RuntimeDefault")
                .endSeccompProfile()
                .endSecurityContext()
                .addNewVolume()
                .withName("work")
                .withNewEmptyDir()
                .withSizeLimit(disk)
                .endEmptyDir()
                .endVolume()
                .addNewVolume()
                .withName("tmp")
                .withNewEmptyDir()
                .withSizeLimit(disk)
                .endEmptyDir()
                .endVolume()
                .endSpec()
                .build();
    }
}
