/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.kubernetes;

import java.math.BigDecimal;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.gatebench.hosts.SshSettings;
import io.gatebench.hosts.SshTarget;
import io.gatebench.hosts.environment.CloudEnvironment;
import io.gatebench.hosts.environment.ClusterProvider.Left;
import io.gatebench.hosts.environment.HostRequirements;
import io.gatebench.hosts.environment.HostsEnvironment;
import io.gatebench.hosts.environment.HostsPlan;
import io.gatebench.model.NodeRole;
import io.gatebench.model.SystemInformation;
import io.gatebench.spi.Environment;
import io.gatebench.spi.EnvironmentException;
import io.gatebench.spi.host.Host;
import io.gatebench.spi.host.HostException;
import io.gatebench.spi.host.Pause;

/**
 * Roles in pods that are made for the run and removed after it.
 *
 * <p>A pod is a host whose shell is reached through the API server. All objects belong to one job, whose pod ends when it
 * has had no sign of life for the time of the lease; the cluster then removes everything by itself.
 */
final class KubernetesEnvironment implements Environment {

    private static final Logger LOG = LoggerFactory.getLogger(KubernetesEnvironment.class);
    private static final Duration QUICK = Duration.ofSeconds(30);
    private static final Duration POLL = Duration.ofMillis(500);
    private static final Duration REMOVAL = Duration.ofMinutes(2);

    private final KubernetesSettings settings;
    private final Cluster cluster;
    private final String run;
    private final RunObjects objects;
    private final Consumer<String> notes;
    private final ScheduledExecutorService renewal;
    private final List<PodConnection> connections = new ArrayList<>();
    private @Nullable HostsEnvironment hosts;
    private boolean incomplete;
    private boolean closed;

    private KubernetesEnvironment(
            KubernetesSettings settings, Cluster cluster, String run, RunObjects objects, Consumer<String> notes) {
        this.settings = settings;
        this.cluster = cluster;
        this.run = run;
        this.objects = objects;
        this.notes = notes;
        this.renewal = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "gatebench-cluster-lease");
            thread.setDaemon(true);
            return thread;
        });
    }

    /**
     * Creates the pods and takes them for this run.
     *
     * @throws EnvironmentException if that fails; what was created is removed then
     */
    static KubernetesEnvironment open(
            KubernetesSettings settings,
            Cluster cluster,
            HostRequirements demands,
            String run,
            Clock clock,
            Consumer<String> notes) {
        return CloudEnvironment.guarded(unwanted -> {
            KubernetesEnvironment environment = new KubernetesEnvironment(
                    settings, cluster, run, new RunObjects(run, settings, clock.instant()), notes);
            try {
                environment.create(clock, unwanted);
                environment.take(demands, clock);
                if (unwanted.getAsBoolean()) {
                    throw new EnvironmentException(List.of("interrupted when the pods could be used"));
                }
                return environment;
            } catch (KubernetesClientException e) {
                Thread.interrupted();
                environment.close();
                throw KubernetesProvider.failed(e);
            } catch (EnvironmentException | HostException e) {
                // What interrupted the wait must not interrupt the removal.
                Thread.interrupted();
                environment.close();
                throw e instanceof EnvironmentException
                        ? e
                        : new EnvironmentException(List.of(String.valueOf(e.getMessage())));
            }
        });
    }

    private void create(Clock clock, BooleanSupplier unwanted) {
        KubernetesClient client = cluster.client();
        String namespace = objects.namespace();
        List<String> missing = cluster.missingRights(settings.namespace());
        if (!missing.isEmpty()) {
            throw new EnvironmentException(List.of("the cluster does not let this program "
                    + String.join(", ", missing)
                    + settings.namespace()
                            .map(name -> " in the namespace " + name)
                            .orElse("")
                    + "; docs/reference/kubernetes.md has the role that it needs"));
        }
        if (settings.namespace().isEmpty()) {
            cluster.sweep(clock.instant());
            client.resource(objects.ownNamespace()).create();
        }
        OwnerReference owner =
                objects.reference(client.resource(objects.owner()).create());
        client.resource(objects.policy(owner)).create();
        client.resource(objects.deployment(NodeRole.BACKEND, 0, owner)).create();
        int gateways = settings.roles().get(NodeRole.GATEWAY).pods();
        for (int i = 0; i < gateways; i++) {
            client.resource(objects.deployment(NodeRole.GATEWAY, i, owner)).create();
        }
        client.resource(objects.loadGenerators(owner)).create();
        notes.accept("run " + run + " in the namespace " + namespace + ": waiting for " + wantedPods() + " pods");
        awaitPods(wantedPods(), unwanted);
        PodConnection keeper = connection(objects.labels(RunObjects.OWNER), "the lease of the run", "java");
        long period = Math.max(1, settings.lease().toSeconds() / 6);
        renewal.scheduleWithFixedDelay(() -> renew(keeper), 0, period, TimeUnit.SECONDS);
    }

    private void renew(PodConnection keeper) {
        try {
            keeper.exec(RunObjects.renewal(), QUICK);
        } catch (HostException e) {
            // The next turn tries again; whether the cluster may be silent for so long is for its users to say.
            LOG.debug("{}", e.getMessage());
        }
    }

    private PodConnection connection(Map<String, String> labels, String name, String java) {
        return new PodConnection(cluster.client(), objects.namespace(), labels, name, settings.direct(), java);
    }

    /** Those of the roles and the owner's. */
    private int wantedPods() {
        return 1
                + settings.roles().values().stream().mapToInt(PodSettings::pods).sum();
    }

    private List<Pod> pods() {
        return cluster.client()
                .pods()
                .inNamespace(objects.namespace())
                .withLabels(objects.labels())
                .list()
                .getItems();
    }

    private void awaitPods(int wanted, BooleanSupplier unwanted) {
        long end = System.nanoTime() + settings.patience().toNanos();
        String named = RunObjects.TOOL + "-" + run;
        while (true) {
            List<Pod> pods = pods();
            if (pods.stream().filter(Pods::isUsable).count() >= wanted) {
                return;
            }
            List<String> problems = new ArrayList<>();
            pods.forEach(pod -> Pods.hopeless(pod)
                    .ifPresent(
                            why -> problems.add("the pod " + pod.getMetadata().getName() + " cannot start: " + why)));
            boolean over = System.nanoTime() > end;
            if (pods.size() < wanted) {
                cluster.warnings(objects.namespace(), named).stream()
                        // The account of a namespace that was just made is made by a controller, a moment later.
                        .filter(warning ->
                                over || warning.contains("forbidden") && !warning.contains("service account"))
                        .map(warning -> "the cluster makes no pod: " + warning)
                        .forEach(problems::add);
            }
            if (over && problems.isEmpty()) {
                pods.stream()
                        .filter(pod -> !Pods.isUsable(pod))
                        .forEach(pod -> problems.add("the pod "
                                + pod.getMetadata().getName() + " did not start within "
                                + settings.patience().toSeconds() + " s (patience): "
                                + Pods.unscheduled(pod)
                                        .orElseGet(() -> "it is "
                                                + (pod.getStatus() == null
                                                        ? "unknown"
                                                        : pod.getStatus().getPhase()))));
                if (pods.size() < wanted) {
                    problems.add(
                            "only " + pods.size() + " of " + wanted + " pods were made within "
                                    + settings.patience().toSeconds() + " s (patience): "
                                    + cluster.lastEvent(objects.namespace(), named)
                                            .map(event -> "the last event is " + event)
                                            .orElse(
                                                    "no event can be read that tells why, as where the cluster's controllers do not run"));
                }
            }
            if (unwanted.getAsBoolean()) {
                problems.add("interrupted while waiting for the pods");
            }
            if (!problems.isEmpty()) {
                throw new EnvironmentException(problems);
            }
            Pause.of(POLL, "while waiting for the pods");
        }
    }

    /** Makes hosts of the pods. */
    private void take(HostRequirements demands, Clock clock) {
        Map<String, SshTarget> targets = new LinkedHashMap<>();
        Map<String, PodConnection> ways = new LinkedHashMap<>();
        Map<NodeRole, List<String>> roles = new EnumMap<>(NodeRole.class);
        for (NodeRole role : List.of(NodeRole.GATEWAY, NodeRole.BACKEND, NodeRole.LOAD_GENERATOR)) {
            PodSettings own = settings.roles().get(role);
            for (int i = 0; i < own.pods(); i++) {
                String name = objects.name(role, i);
                targets.put(
                        name,
                        new SshTarget(
                                name,
                                name,
                                Optional.empty(),
                                OptionalInt.empty(),
                                List.of(),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.of(RunObjects.DIRECTORY + "/work"),
                                own.java(),
                                own.installJava()));
                PodConnection way = connection(
                        objects.labels(role, i),
                        name,
                        own.installJava().isPresent()
                                ? "\"$(ls -d " + RunObjects.DIRECTORY + "/work/jdk/*/*/bin/java | head -n 1)\""
                                : own.java().orElse("java"));
                ways.put(name, way);
                connections.add(way);
                roles.computeIfAbsent(role, key -> new ArrayList<>()).add(name);
            }
        }
        SshSettings leases = new SshSettings(
                Optional.empty(), SshSettings.defaults().knownHosts(), false, settings.lease(), settings.patience());
        hosts = HostsEnvironment.open(
                new HostsPlan(targets, roles, leases), target -> ways.get(target.name()), demands, run, clock, notes);
    }

    private HostsEnvironment hosts() {
        HostsEnvironment taken = hosts;
        if (taken == null) {
            throw new IllegalStateException("the pods were not taken");
        }
        return taken;
    }

    @Override
    public String name() {
        return KubernetesProvider.NAME;
    }

    @Override
    public List<Host> hosts(NodeRole role) {
        return hosts().hosts(role);
    }

    @Override
    public Duration clockOffset(Host host) {
        return hosts().clockOffset(host);
    }

    @Override
    public Map<String, String> facts() {
        return hosts().facts();
    }

    /** Waits for the pods that take the place of lost ones: a case that began before would fail, too. */
    @Override
    public void recover() {
        // Once given up, pods are asked for once per case: the patience is not spent anew for each.
        long end = System.nanoTime() + (incomplete ? 0 : settings.patience().toNanos());
        try {
            do {
                incomplete = pods().stream().filter(Pods::isUsable).count() < wantedPods();
            } while (incomplete && System.nanoTime() < end && Pause.passed(POLL));
        } catch (KubernetesClientException e) {
            // Whether the cluster may be silent for so long is for the users of the pods to say.
            LOG.debug("{}", e.getMessage());
        }
        connections.forEach(PodConnection::lookAgain);
        hosts().recover();
    }

    @Override
    public boolean takesLimits() {
        return true;
    }

    @Override
    public void limitGateway(OptionalDouble cpus) {
        Optional<BigDecimal> made = settings.roles().get(NodeRole.GATEWAY).cpus();
        if (made.isEmpty() && cpus.isPresent()) {
            // Kubernetes changes a limit, but puts none on a pod that was made without.
            throw new HostException("the gateway's pod has no limit of processors that could be changed to "
                    + cpus.getAsDouble() + "; give the gateway a number of cpus in the Kubernetes settings");
        }
        made.map(first -> cpus.isPresent() ? BigDecimal.valueOf(cpus.getAsDouble()) : first)
                .ifPresent(wanted -> {
                    for (int i = 0; i < settings.roles().get(NodeRole.GATEWAY).pods(); i++) {
                        new PodLimit(cluster.client(), objects.namespace(), objects.labels(NodeRole.GATEWAY, i))
                                .set(wanted, settings.patience());
                    }
                });
    }

    @Override
    public SystemInformation systemInformation() {
        SystemInformation ofPod = hosts().systemInformation();
        List<SystemInformation.Row> rows = new ArrayList<>(new Facts(cluster.client(), objects, settings).rows());
        rows.addAll(ofPod.rows());
        return new SystemInformation(ofPod.host(), rows);
    }

    @Override
    public List<String> notes() {
        List<String> notes = new ArrayList<>(hosts().notes());
        notes.add("The environment kubernetes is experimental: it was tried on clusters on one machine only.");
        settings.existing()
                .ifPresent(gateway ->
                        notes.add("The gateway is that of the " + gateway.kind().key() + " "
                                + gateway.namespace() + "/" + gateway.name()
                                + ", which runs outside of this run: no limits, metrics and GC log of it. Such gateways were"
                                + " never tried in a real cluster."));
        return notes;
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        renewal.shutdownNow();
        try (cluster) {
            if (hosts != null) {
                hosts.close();
            }
            remove();
        }
    }

    private void remove() {
        String way = "; 'kubernetes clean --run " + run + "' removes it, and the cluster does so by itself "
                + settings.lease().toSeconds() + " s after the last sign of life, all but the namespace";
        try {
            if (settings.namespace().isPresent()) {
                cluster.removeIn(run, objects.namespace());
            } else {
                cluster.client().namespaces().withName(objects.namespace()).delete();
            }
            List<Left> left = cluster.awaitGone(settings.namespace(), run, REMOVAL);
            if (!left.isEmpty()) {
                notes.accept("still there in the namespace " + objects.namespace() + ": "
                        + left.get(0).objects() + way);
            }
        } catch (KubernetesClientException e) {
            notes.accept("what run " + run + " has in the namespace " + objects.namespace() + " could not be removed ("
                    + Pods.reason(e) + ")" + way);
        } catch (HostException e) {
            notes.accept("the removal of run " + run + " was interrupted" + way);
        }
    }
}
