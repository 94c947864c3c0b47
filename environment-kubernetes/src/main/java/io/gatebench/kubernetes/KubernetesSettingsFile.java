/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.kubernetes;

import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.gatebench.hosts.SshSettings;
import io.gatebench.model.DataSize;
import io.gatebench.model.NodeRole;
import io.gatebench.settings.ConfigNode;
import io.gatebench.settings.Durations;
import io.gatebench.settings.Key;
import io.gatebench.settings.PlanException;
import io.gatebench.settings.Shape;

/** Reads settings files; all problems are reported together with file and line. */
final class KubernetesSettingsFile {

    static final int MAX_PODS = 100;

    private static final Map<String, NodeRole> ROLES = Map.of(
            "gateway", NodeRole.GATEWAY,
            "backend", NodeRole.BACKEND,
            "load-generator", NodeRole.LOAD_GENERATOR);
    private static final DataSize DISK = DataSize.parse("4G");
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration DEADLINE = Duration.ofHours(12);
    private static final Duration MAX_DEADLINE = Duration.ofDays(7);

    private static final Shape.Scalar<String> NAME = Shape.matching(
            Pattern.compile("[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?"),
            "a name of Kubernetes (small letters, digits and dashes)");
    private static final Shape.Scalar<Duration> LEASE = new Shape.Scalar<>(
            KubernetesSettingsFile::lease, Shape.duration("s").schema());
    private static final Shape.Scalar<String> PULL_POLICY = Shape.choice("IfNotPresent", "Always", "Never");
    private static final Shape.Scalar<String> REACH = Shape.choice("relay", "direct");
    private static final Shape.Scalar<Integer> PODS = Shape.number(1, MAX_PODS);
    private static final Shape.Scalar<Double> CPUS =
            Shape.decimal(0.001, 9999, "a number of processors with at most three decimals, e.g. 0.5,");
    private static final Shape.Scalar<String> ABSOLUTE =
            Shape.matching(Pattern.compile("/.*"), "an absolute path in the image");

    private static final Key JAVA =
            Key.of("java", ABSOLUTE, "Absolute path of the java command in the image; else java of the path.");
    private static final Key INSTALL_JAVA =
            Key.of("install-java", Shape.text(), "A .tar.gz of a JDK here, which is unpacked in the pods.");
    private static final Key[] OF_ROLE = {
        Key.of("image", Shape.text(), "Image of this role's pods; else that of all."),
        Key.of("pods", PODS, "How many pods; more than one for the load generator alone.")
                .otherwise(1),
        Key.of("cpus", CPUS, "Processors of each pod, requested and as limit."),
        Key.of("memory", Shape.size(), "Memory of each pod, requested and as limit."),
        Key.of("disk", Shape.size(), "Disk of each pod.").otherwise(DISK.toString()),
        Key.of("node-selector", new Shape.Names(Shape.text()), "Labels of the nodes that the pods may run on."),
        JAVA,
        INSTALL_JAVA
    };
    private static final Shape.Scalar<ExistingGateway> SERVICE = existing(ExistingGateway.Kind.SERVICE);
    private static final Shape.Scalar<ExistingGateway> HTTP_ROUTE = existing(ExistingGateway.Kind.HTTP_ROUTE);
    private static final Shape.Keys OF_GATEWAY = Shape.keys(Stream.concat(
                    Stream.of(OF_ROLE),
                    Stream.of(
                            Key.of(
                                    ExistingGateway.Kind.SERVICE.key(),
                                    SERVICE,
                                    "Service of a gateway that runs already, <namespace>/<name> or"
                                            + " <namespace>/<name>:<port>, which is measured. Experimental."),
                            Key.of(
                                    ExistingGateway.Kind.HTTP_ROUTE.key(),
                                    HTTP_ROUTE,
                                    "HTTPRoute of the Gateway API, <namespace>/<name>, whose gateway is measured."
                                            + " Experimental.")))
            .toArray(Key[]::new));

    /** Everything that may stand in a settings file. */
    static final Shape.Keys KEYS = Shape.keys(
            Key.of("kubeconfig", Shape.text(), "File with the ways to clusters; else that of kubectl."),
            Key.of("context", Shape.text(), "Entry of that file; else the current one."),
            Key.of("namespace", NAME, "Namespace that is there already; else one is made for each run."),
            Key.of("pull-policy", PULL_POLICY, "When images are pulled.").otherwise("IfNotPresent"),
            Key.of("pull-secrets", Shape.list(NAME), "Names of secrets of the namespace by which images are pulled."),
            Key.of(
                    "reach",
                    REACH,
                    "How servers in pods are reached: relay, through a small JVM in a pod; direct, by their addresses."),
            Key.of("share-nodes", Shape.flag(), "true: pods of different roles may be on one node.")
                    .otherwise(false),
            Key.of("lease", LEASE, "How long pods go on without a sign of life, at least 10s.")
                    .otherwise(SshSettings.DEFAULT_LEASE.toSeconds() + "s"),
            Key.of("patience", Shape.duration("s"), "How long pods may take to start, and may be silent.")
                    .otherwise(PATIENCE.toSeconds() + "s"),
            Key.of("deadline", Shape.duration("s"), "When everything is removed at the latest, at most 168h.")
                    .otherwise(DEADLINE.toHours() + "h"),
            Key.of("image", Shape.text(), "Image, with Java 17 and a shell, of every role that names none."),
            JAVA,
            INSTALL_JAVA,
            Key.of("gateway", OF_GATEWAY, "The pod of the gateway."),
            Key.of("backend", Shape.keys(OF_ROLE), "The pod of the back end."),
            Key.of("load-generator", Shape.keys(OF_ROLE), "The pods of the load generator."));

    private final Path file;
    private final List<String> problems = new ArrayList<>();

    private KubernetesSettingsFile(Path file) {
        this.file = file;
    }

    /**
     * Reads a file.
     *
     * @throws PlanException with every problem of the file
     */
    static KubernetesSettings read(Path file) {
        KubernetesSettingsFile reader = new KubernetesSettingsFile(file);
        KubernetesSettings settings = reader.settings();
        if (!reader.problems.isEmpty()) {
            throw new PlanException(reader.problems);
        }
        return settings;
    }

    private KubernetesSettings settings() {
        Map<String, ConfigNode> top = ConfigNode.read(file, "file of Kubernetes settings", KEYS, problems)
                .mapping();
        Duration lease = value(top, "lease", LEASE).orElse(SshSettings.DEFAULT_LEASE);
        Duration deadline = value(top, "deadline", text -> {
                    Duration read = Durations.parse(text, "s");
                    if (read.compareTo(lease) < 0 || read.compareTo(MAX_DEADLINE) > 0) {
                        throw new IllegalArgumentException(
                                "must be from the lease (" + lease.toSeconds() + " s) to 168 h but was '" + text + "'");
                    }
                    return read;
                })
                .orElse(DEADLINE);
        return new KubernetesSettings(
                value(top, "kubeconfig", this::readable),
                value(top, "context", Function.identity()),
                value(top, "namespace", NAME),
                value(top, "pull-policy", PULL_POLICY).orElse("IfNotPresent"),
                top.containsKey("pull-secrets")
                        ? top.get("pull-secrets").items().stream()
                                .flatMap(item -> item.parsed(NAME).stream())
                                .toList()
                        : List.of(),
                value(top, "reach", REACH)
                        .map("direct"::equals)
                        // A program that runs in the cluster itself is in the network of the pods.
                        .orElse(System.getenv("KUBERNETES_SERVICE_HOST") != null),
                value(top, "share-nodes", Shape.flag()).orElse(false),
                lease,
                value(top, "patience", Shape.duration("s")).orElse(PATIENCE),
                deadline,
                existing(top),
                roles(top));
    }

    private static Shape.Scalar<ExistingGateway> existing(ExistingGateway.Kind kind) {
        return Shape.read(text -> ExistingGateway.parse(kind, text));
    }

    private Optional<ExistingGateway> existing(Map<String, ConfigNode> top) {
        Map<String, ConfigNode> gateway =
                top.containsKey("gateway") ? top.get("gateway").mapping() : Map.of();
        Optional<ExistingGateway> service = value(gateway, ExistingGateway.Kind.SERVICE.key(), SERVICE);
        Optional<ExistingGateway> route = value(gateway, ExistingGateway.Kind.HTTP_ROUTE.key(), HTTP_ROUTE);
        if (service.isPresent() && route.isPresent()) {
            gateway.get(ExistingGateway.Kind.HTTP_ROUTE.key()).problem("and service exclude each other; drop one");
        }
        return service.or(() -> route);
    }

    private Map<NodeRole, PodSettings> roles(Map<String, ConfigNode> top) {
        Map<NodeRole, PodSettings> roles = new EnumMap<>(NodeRole.class);
        List.of("gateway", "backend", "load-generator").forEach(name -> {
            Map<String, ConfigNode> own =
                    new LinkedHashMap<>(top.containsKey(name) ? top.get(name).mapping() : Map.of());
            List.of("image", "java", "install-java").stream()
                    .filter(top::containsKey)
                    .forEach(key -> own.putIfAbsent(key, top.get(key)));
            role(name, own).ifPresent(settings -> roles.put(ROLES.get(name), settings));
        });
        return roles;
    }

    private Optional<PodSettings> role(String name, Map<String, ConfigNode> own) {
        if (!own.containsKey("image")) {
            problems.add(file + ":1: " + name
                    + " has no image; name one with Java 17 and a shell as image, for this role" + " or for all");
            return Optional.empty();
        }
        int pods = value(own, "pods", PODS).orElse(1);
        if (pods > 1 && !name.equals("load-generator")) {
            own.get("pods").problem("must be 1 for the " + name + " but was " + pods);
        }
        Map<String, String> selector = new LinkedHashMap<>();
        if (own.containsKey("node-selector")) {
            own.get("node-selector")
                    .freeMapping()
                    .forEach((key, value) -> value.text().ifPresent(text -> selector.put(key, text)));
        }
        Optional<Path> installJava = value(own, "install-java", this::readable);
        return value(own, "image", Function.identity())
                .map(image -> new PodSettings(
                        image,
                        pods,
                        value(own, "cpus", KubernetesSettingsFile::cpus),
                        value(own, "memory", Shape.size()),
                        value(own, "disk", Shape.size()).orElse(DISK),
                        selector,
                        value(own, "java", ABSOLUTE),
                        installJava));
    }

    private static <T> Optional<T> value(Map<String, ConfigNode> nodes, String key, Function<String, T> parser) {
        return Optional.ofNullable(nodes.get(key)).flatMap(node -> node.parsed(parser));
    }

    private static Duration lease(String text) {
        Duration lease = Durations.parse(text, "s");
        if (lease.toSeconds() < 10) {
            throw new IllegalArgumentException("must be at least 10 s but was '" + text + "'");
        }
        return lease;
    }

    private static BigDecimal cpus(String text) {
        if (text.matches("\\d{1,4}(\\.\\d{1,3})?") && new BigDecimal(text).signum() > 0) {
            return new BigDecimal(text);
        }
        throw new IllegalArgumentException(
                "must be a number of processors with at most three decimals, e.g. 0.5, but was '" + text + "'");
    }

    /** Relative paths are relative to the file; a leading tilde is the home directory. */
    private Path readable(String text) {
        Path path = text.startsWith("~/")
                ? Path.of(System.getProperty("user.home"), text.substring(2))
                : file.toAbsolutePath().resolveSibling(text).normalize();
        if (!Files.isReadable(path)) {
            throw new IllegalArgumentException("names " + path + ", which cannot be read");
        }
        return path;
    }
}
