/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.ServicePortBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.gatewayapi.v1.GatewayBuilder;
import io.fabric8.kubernetes.api.model.gatewayapi.v1.GatewayStatusAddressBuilder;
import io.fabric8.kubernetes.api.model.gatewayapi.v1.HTTPRouteBuilder;
import io.fabric8.kubernetes.api.model.gatewayapi.v1.ParentReferenceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.gatebench.hosts.environment.ClusterProvider.Left;
import io.gatebench.hosts.environment.HostRequirements;
import io.gatebench.model.NodeRole;
import io.gatebench.settings.PlanException;
import io.gatebench.spi.EnvironmentException;
import io.gatebench.spi.host.Pause;

/** Against an API server that keeps objects and does nothing with them; the test does what controllers would do. */
@EnableKubernetesMockClient(crud = true)
class KubernetesObjectsIT {

    private static final Instant NOW = Instant.parse("2026-11-22T12:00:00Z");

    @TempDir
    private Path directory;

    // Set by the extension.
    private KubernetesClient client;

    private KubernetesSettings settings;

    @BeforeEach
    void read() throws Exception {
        settings = KubernetesSettingsFile.read(Files.writeString(directory.resolve("kubernetes.yaml"), """
                image: registry/roles:1
                patience: 2s
                gateway: {cpus: 0.5, memory: 1G, node-selector: {pool: gateway}}
                load-generator: {pods: 3}
                """));
    }

    private RunObjects objects(String run) {
        return new RunObjects(run, settings, NOW);
    }

    @Test
    void podsHaveNoPrivilegesAndNoNodeIsSharedByRoles() {
        RunObjects objects = objects("a1");
        var owner = objects.reference(client.resource(objects.owner()).create());
        PodSpec gateway = objects.deployment(NodeRole.GATEWAY, 0, owner)
                .getSpec()
                .getTemplate()
                .getSpec();
        assertThat(gateway.getAutomountServiceAccountToken()).isFalse();
        assertThat(gateway.getSecurityContext().getRunAsNonRoot()).isTrue();
        assertThat(gateway.getSecurityContext().getSeccompProfile().getType()).isEqualTo("RuntimeDefault");
        assertThat(gateway.getNodeSelector()).isEqualTo(Map.of("pool", "gateway"));
        assertThat(gateway.getContainers()).singleElement().satisfies(container -> {
            assertThat(container.getSecurityContext().getReadOnlyRootFilesystem())
                    .isTrue();
            assertThat(container.getSecurityContext().getAllowPrivilegeEscalation())
                    .isFalse();
            assertThat(container.getSecurityContext().getCapabilities().getDrop())
                    .containsExactly("ALL");
            assertThat(container.getResources().getLimits())
                    .isEqualTo(container.getResources().getRequests());
            assertThat(container.getResources().getLimits().get("cpu").getNumericalAmount())
                    .isEqualByComparingTo("0.5");
        });
        var apart = gateway.getAffinity()
                .getPodAntiAffinity()
                .getRequiredDuringSchedulingIgnoredDuringExecution()
                .get(0);
        assertThat(apart.getTopologyKey()).isEqualTo("kubernetes.io/hostname");
        assertThat(apart.getLabelSelector().getMatchLabels()).containsEntry(RunObjects.RUN, "a1");
        assertThat(apart.getLabelSelector().getMatchExpressions())
                .singleElement()
                .satisfies(expression -> assertThat(expression.getValues()).containsExactly("gateway", "owner"));
    }

    @Test
    void eachReplicaOfTheGatewayHasADeploymentAndAPodOfItsOwn() throws Exception {
        settings = settings.withGateways(List.of(1, 3));
        RunObjects objects = objects("a1");
        var owner = objects.reference(client.resource(objects.owner()).create());
        List<Deployment> replicas = IntStream.range(0, 3)
                .mapToObj(i -> objects.deployment(NodeRole.GATEWAY, i, owner))
                .toList();

        assertThat(replicas)
                .extracting(replica -> replica.getMetadata().getName())
                .containsExactly("gatebench-a1-gateway-1", "gatebench-a1-gateway-2", "gatebench-a1-gateway-3");
        for (int i = 0; i < replicas.size(); i++) {
            Map<String, String> labels = objects.labels(NodeRole.GATEWAY, i);
            assertThat(labels)
                    .containsEntry(RunObjects.ROLE, "gateway")
                    .containsEntry(RunObjects.REPLICA, "" + (i + 1));
            assertThat(replicas.get(i).getSpec().getSelector().getMatchLabels()).isEqualTo(labels);
            assertThat(replicas.get(i).getSpec().getTemplate().getMetadata().getLabels())
                    .isEqualTo(labels);
            assertThat(replicas.get(i).getSpec().getReplicas()).isOne();
        }
        client.resource(objects.owner()).delete();
        fails(
                any -> {},
                "only 0 of 8 pods were made within 2 s (patience): no event can be read that tells why, as"
                        + " where the cluster's controllers do not run");
    }

    @Test
    void loadGeneratorsThatCannotBeSharedOutAreRefused() {
        assertThat(settings.withGateways(List.of(1)).roles()).isEqualTo(settings.roles());
        assertThatThrownBy(() -> settings.withGateways(List.of(1, 2)))
                .isInstanceOf(PlanException.class)
                .hasMessage("--gateway-replicas 2: each load generator sends to one replica, and 3 cannot be shared out"
                        + " evenly; give the load-generator a multiple of 2 as pods in the Kubernetes settings");
    }

    @Test
    void allBelongsToAnOwnerThatEndsByItself() {
        RunObjects objects = objects("a1");
        Job owner = client.resource(objects.owner()).create();
        assertThat(owner.getSpec().getTtlSecondsAfterFinished()).isZero();
        assertThat(owner.getSpec().getActiveDeadlineSeconds())
                .isEqualTo(Duration.ofHours(12).toSeconds());
        var reference = objects.reference(owner);
        Job load = objects.loadGenerators(reference);
        assertThat(load.getSpec().getCompletionMode()).isEqualTo("Indexed");
        assertThat(load.getSpec().getCompletions()).isEqualTo(3);
        // A pod that is deleted must not look as if it had done its work: its place would stay empty.
        assertThat(List.of(owner.getSpec().getTemplate(), load.getSpec().getTemplate()))
                .allSatisfy(pod -> assertThat(pod.getSpec()
                                .getContainers()
                                .get(0)
                                .getCommand()
                                .get(2))
                        .contains("trap 'exit 143' TERM INT"));
        assertThat(load.getSpec().getBackoffLimit()).isEqualTo(10_000);
        assertThat(List.<HasMetadata>of(
                        load,
                        objects.policy(reference),
                        objects.deployment(NodeRole.GATEWAY, 0, reference),
                        objects.deployment(NodeRole.BACKEND, 0, reference)))
                .allSatisfy(object -> {
                    assertThat(object.getMetadata().getOwnerReferences()).containsExactly(reference);
                    assertThat(object.getMetadata().getLabels())
                            .containsEntry(RunObjects.RUN, "a1")
                            .containsEntry(RunObjects.MANAGED_BY, "gatebench");
                });
        assertThat(objects.policy(reference).getSpec().getIngress())
                .singleElement()
                .satisfies(ingress -> assertThat(ingress.getFrom())
                        .singleElement()
                        .satisfies(peer -> assertThat(peer.getPodSelector().getMatchLabels())
                                .containsEntry(RunObjects.RUN, "a1")));
    }

    /** The server here keeps no account of rights; closing the environment closes its own client. */
    private Cluster allowing() {
        return new Cluster(new KubernetesClientBuilder()
                .withConfig(client.getConfiguration())
                .build()) {
            @Override
            List<String> missingRights(Optional<String> namespace) {
                return List.of();
            }
        };
    }

    /** Opens a run while a thread does to its namespace, again and again, what a controller would do. */
    private void fails(Consumer<RunObjects> controller, String... words) throws Exception {
        RunObjects objects = objects("a1");
        AtomicBoolean over = new AtomicBoolean();
        Thread thread = new Thread(() -> {
            while (!over.get()) {
                if (!client.batch()
                        .v1()
                        .jobs()
                        .inNamespace(objects.namespace())
                        .list()
                        .getItems()
                        .isEmpty()) {
                    controller.accept(objects);
                    return;
                }
            }
        });
        thread.start();
        try {
            assertThatThrownBy(() -> KubernetesEnvironment.open(
                            settings, allowing(), HostRequirements.none(), "a1", Clock.systemUTC(), note -> {}))
                    .isInstanceOf(EnvironmentException.class)
                    .hasMessageContainingAll(words);
        } finally {
            over.set(true);
            thread.join();
        }
        assertThat(client.namespaces().withName("gatebench-a1").get()).isNull();
    }

    private static PodBuilder pod(RunObjects objects, String name, String role) {
        return new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace(objects.namespace())
                .withLabels(objects.labels(role))
                .endMetadata();
    }

    @Test
    void anImageThatIsNotThereIsNamedAtOnceAndNothingStays() throws Exception {
        fails(
                objects -> client.resource(pod(objects, "gatebench-a1-gateway-x", "gateway")
                                .withNewStatus()
                                .withPhase("Pending")
                                .addNewContainerStatus()
                                .withName("role")
                                .withNewState()
                                .withNewWaiting()
                                .withReason("ErrImageNeverPull")
                                .withMessage("Container image \"registry/roles:1\" is not present")
                                .endWaiting()
                                .endState()
                                .endContainerStatus()
                                .endStatus()
                                .build())
                        .create(),
                "gatebench-a1-gateway-x cannot start: ErrImageNeverPull",
                "registry/roles:1");
    }

    @Test
    void aPodThatNoNodeTakesIsNamedAfterThePatience() throws Exception {
        fails(
                objects -> client.resource(pod(objects, "gatebench-a1-backend-x", "backend")
                                .withNewStatus()
                                .withPhase("Pending")
                                .addNewCondition()
                                .withType("PodScheduled")
                                .withStatus("False")
                                .withMessage("0/1 nodes are available: 1 Insufficient cpu.")
                                .endCondition()
                                .endStatus()
                                .build())
                        .create(),
                "gatebench-a1-backend-x did not start within 2 s (patience): 0/1 nodes are available: 1 Insufficient cpu");
    }

    private void forbids(RunObjects objects, String why) {
        happens(objects, "Warning", "FailedCreate", "pods \"gatebench-a1-backend-x\" is forbidden: " + why, "");
    }

    private void happens(RunObjects objects, String type, String reason, String message, String at) {
        client.resource(new EventBuilder()
                        .withNewMetadata()
                        .withName("e" + message.hashCode())
                        .withNamespace(objects.namespace())
                        .endMetadata()
                        .withType(type)
                        .withReason(reason)
                        .withMessage(message)
                        .withLastTimestamp(at.isEmpty() ? null : at)
                        .withNewInvolvedObject()
                        .withName("gatebench-a1-backend-x")
                        .endInvolvedObject()
                        .build())
                .create();
    }

    @Test
    void whereNoPodIsMadeTheNewestEventIsTold() throws Exception {
        fails(
                objects -> {
                    happens(objects, "Normal", "ScalingReplicaSet", "scaled up to 1", "2026-01-31T12:00:07Z");
                    happens(objects, "Normal", "ScalingReplicaSet", "scaled up to 2", "2026-01-31T12:00:06Z");
                },
                "pods were made within 2 s (patience): the last event is ScalingReplicaSet: scaled up to 1");
    }

    @Test
    void aQuotaThatForbidsPodsIsNamed() throws Exception {
        fails(
                objects -> forbids(objects, "exceeded quota: small"),
                "the cluster makes no pod:",
                "exceeded quota: small");
    }

    @Test
    void theAccountOfANewNamespaceIsWaitedFor() throws Exception {
        fails(
                objects -> {
                    forbids(
                            objects,
                            "error looking up service account gatebench-a1/default: serviceaccount \"default\" not found");
                    // Longer than the wait between two questions.
                    Pause.of(Duration.ofSeconds(1), "in a test");
                    forbids(objects, "exceeded quota: small");
                },
                "exceeded quota: small");
    }

    private Pod keeper(RunObjects objects) {
        return pod(objects, objects.namespace() + "-keeper", RunObjects.OWNER)
                .withNewStatus()
                .withPhase("Running")
                .withPodIP("10.0.0.9")
                .endStatus()
                .build();
    }

    @Test
    void whatARunUsesStaysAndWhatAnotherLeftGoes() {
        Cluster cluster = new Cluster(client);
        for (String run : List.of("a1", "b2")) {
            client.resource(objects(run).ownNamespace()).create();
            client.resource(objects(run).owner()).create();
        }
        client.resource(keeper(objects("b2"))).create();
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName("theirs")
                        .endMetadata()
                        .build())
                .create();
        List<Left> found = cluster.list(Optional.empty(), Optional.empty());
        assertThat(found).extracting(Left::run).containsExactly("a1", "b2");
        assertThat(found).extracting(Left::inUse).containsExactly(false, true);
        assertThat(found.get(0).objects()).isEqualTo("1 job, 1 namespace");
        assertThat(found.get(0).deadline()).contains(NOW.plus(Duration.ofHours(12)));

        cluster.remove("a1", "gatebench-a1");
        assertThat(client.namespaces().withName("gatebench-a1").get()).isNull();
        assertThat(client.namespaces().withName("gatebench-b2").get()).isNotNull();
    }

    @Test
    void namespacesWhoseDeadlineIsOverAreSweptAndNoOthers() {
        client.resource(objects("a1").ownNamespace()).create();
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName("theirs")
                        .endMetadata()
                        .build())
                .create();
        Cluster cluster = new Cluster(client);
        cluster.sweep(NOW.plus(Duration.ofHours(11)));
        assertThat(client.namespaces().withName("gatebench-a1").get()).isNotNull();
        cluster.sweep(NOW.plus(Duration.ofHours(13)));
        assertThat(client.namespaces().withName("gatebench-a1").get()).isNull();
        assertThat(client.namespaces().withName("theirs").get()).isNotNull();
    }

    private String service(String text, String address, int... ports) {
        client.resource(new ServiceBuilder()
                        .withNewMetadata()
                        .withNamespace("perf")
                        .withName("gateway")
                        .endMetadata()
                        .withNewSpec()
                        .withClusterIP(address)
                        .withPorts(IntStream.of(ports)
                                .mapToObj(port -> new ServicePortBuilder()
                                        .withName("port-" + port)
                                        .withAppProtocol(port == 8243 ? "https" : null)
                                        .withPort(port)
                                        .build())
                                .toList())
                        .endSpec()
                        .build())
                .createOr(existing -> existing.update());
        return ExistingGateway.parse(ExistingGateway.Kind.SERVICE, text)
                .url(client)
                .toString();
    }

    @Test
    void aServiceIsReachedByItsAddress() {
        assertThat(service("perf/gateway", "10.97.0.7", 8080)).isEqualTo("http://10.97.0.7:8080");
        assertThat(service("perf/gateway:8243", "10.97.0.7", 8080, 8243)).isEqualTo("https://10.97.0.7:8243");
        assertThat(service("perf/gateway", "fd00::7", 8080)).isEqualTo("http://[fd00::7]:8080");
        assertThatThrownBy(() -> service("perf/gateway", "10.97.0.7", 8080, 8243))
                .hasMessage("service perf/gateway has 2 ports, so that none is meant; name one of its ports:"
                        + " perf/gateway:<port>");
        assertThatThrownBy(() -> service("perf/gateway:1", "10.97.0.7", 8080))
                .hasMessageStartingWith("service perf/gateway has 0 ports 1;");
        assertThatThrownBy(() -> service("perf/gateway", "None", 8080))
                .hasMessageContaining("has no address of its own; give that of a gateway as --gateway-url");
        assertThatThrownBy(() -> service("perf/other", "10.97.0.7", 8080))
                .isInstanceOf(EnvironmentException.class)
                .hasMessage("service perf/other is not there");
    }

    private void gateway(String... addresses) {
        client.resource(new GatewayBuilder()
                        .withNewMetadata()
                        .withNamespace("edge")
                        .withName("shared")
                        .endMetadata()
                        .withNewSpec()
                        .addNewListener()
                        .withName("raw")
                        .withProtocol("TCP")
                        .withPort(9000)
                        .endListener()
                        .addNewListener()
                        .withName("plain")
                        .withProtocol("HTTP")
                        .withPort(80)
                        .endListener()
                        .addNewListener()
                        .withName("secure")
                        .withProtocol("HTTPS")
                        .withPort(443)
                        .endListener()
                        .endSpec()
                        .withNewStatus()
                        .withAddresses(Stream.of(addresses)
                                .map(address -> new GatewayStatusAddressBuilder()
                                        .withValue(address)
                                        .build())
                                .toList())
                        .endStatus()
                        .build())
                .createOr(existing -> existing.update());
    }

    /** Makes a route as its controller leaves it; returns where load is sent. */
    private String route(Map<String, String> conditions, @Nullable String section, String... hostNames) {
        var parent = new ParentReferenceBuilder()
                .withNamespace("edge")
                .withName("shared")
                .withSectionName(section)
                .build();
        client.resource(new HTTPRouteBuilder()
                        .withNewMetadata()
                        .withNamespace("perf")
                        .withName("orders")
                        .endMetadata()
                        .withNewSpec()
                        .withParentRefs(parent)
                        .withHostnames(hostNames)
                        .endSpec()
                        .withNewStatus()
                        .addNewParent()
                        .withParentRef(parent)
                        .withConditions(conditions.entrySet().stream()
                                .map(condition -> new ConditionBuilder()
                                        .withType(condition.getKey())
                                        .withStatus(condition.getValue())
                                        .withReason("Seen")
                                        .withMessage("by a controller")
                                        .build())
                                .toList())
                        .endParent()
                        .endStatus()
                        .build())
                .createOr(existing -> existing.update());
        return ExistingGateway.parse(ExistingGateway.Kind.HTTP_ROUTE, "perf/orders")
                .url(client)
                .toString();
    }

    @Test
    void aRouteLeadsToTheListenerOfTheGatewayThatServesIt() {
        Map<String, String> served = Map.of("Accepted", "True", "ResolvedRefs", "True");
        gateway("10.0.0.80");
        assertThat(route(served, null)).isEqualTo("http://10.0.0.80:80");
        assertThat(route(served, "secure")).isEqualTo("https://10.0.0.80:443");
        assertThat(route(served, "secure", "*.example", "orders.example")).isEqualTo("https://orders.example:443");

        assertThatThrownBy(() -> route(served, "raw"))
                .hasMessageEndingWith("edge/shared, which has no such listener for HTTP or HTTPS");
        assertThatThrownBy(() -> route(Map.of(), null))
                .hasMessage("http-route perf/orders is served by no Gateway: Accepted is not said");
        assertThatThrownBy(() -> route(Map.of("Accepted", "True", "ResolvedRefs", "False"), null))
                .hasMessage("http-route perf/orders is served by no Gateway: ResolvedRefs is False, Seen (by a"
                        + " controller)");
        gateway();
        assertThatThrownBy(() -> route(served, null)).hasMessageEndingWith("edge/shared, which has no address yet");
    }

    @Test
    void aGatewayOutsideOfTheRunReachesTheBackEnd() throws Exception {
        settings = KubernetesSettingsFile.read(Files.writeString(
                directory.resolve("existing.yaml"), "image: registry/roles:1\ngateway: {http-route: perf/orders}\n"));
        RunObjects objects = objects("a1");
        assertThat(objects.policy(objects.reference(objects.owner())).getSpec().getIngress())
                .singleElement()
                .satisfies(ingress -> assertThat(ingress.getFrom()).isEmpty());
    }

    @Test
    void theImageOfEachRoleIsToldByItsDigest() {
        RunObjects objects = objects("a1");
        for (NodeRole role : List.of(NodeRole.GATEWAY, NodeRole.BACKEND, NodeRole.LOAD_GENERATOR)) {
            String name = RunObjects.name(role);
            client.resource(pod(objects, "gatebench-a1-" + name, name)
                            .withNewSpec()
                            .withNodeName("node-of-" + name)
                            .addNewContainer()
                            .withImage("registry/" + name + ":1")
                            .endContainer()
                            .endSpec()
                            .withNewStatus()
                            .withPhase("Running")
                            .withPodIP("10.0.0.9")
                            .addNewContainerStatus()
                            .withReady(true)
                            .withImageID("registry/" + name + "@sha256:" + name)
                            .endContainerStatus()
                            .endStatus()
                            .build())
                    .create();
        }
        assertThat(new Facts(client, objects, settings)
                        .rows().stream()
                                .filter(row -> row.description().startsWith("Digest"))
                                .map(row -> row.subclass() + " " + row.value()))
                .containsExactly(
                        "Pod registry/gateway@sha256:gateway",
                        "Back end registry/backend@sha256:backend",
                        "Load generators registry/load-generator@sha256:load-generator");
    }
}
