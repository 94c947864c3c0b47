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

import io.gatebench.hosts.SshSettings;
import io.gatebench.model.DataSize;
import io.gatebench.model.NodeRole;
import io.gatebench.settings.ConfigNode;
import io.gatebench.settings.Durations;
import io.gatebench.settings.PlanException;

/** Reads settings files; all problems are reported together with file and line. */
final class KubernetesSettingsFile {

    static final int MAX_PODS = 100;

    private static final List<String> TOP = List.of(
            "kubeconfig",
            "context",
            "namespace",
            "pull-policy",
            "pull-secrets",
            "reach",
            "share-nodes",
            "lease",
            "patience",
            "deadline",
            "image",
            "java",
            "install-java",
            "gateway",
            "backend",
            "load-generator");
    private static final List<String> OF_ROLE =
            List.of("image", "pods", "cpus", "memory", "disk", "node-selector", "java", "install-java");
    private static final Map<String, NodeRole> ROLES = Map.of(
            "gateway", NodeRole.GATEWAY,
            "backend", NodeRole.BACKEND,
            "load-generator", NodeRole.LOAD_GENERATOR);
    private static final DataSize DISK = DataSize.parse("4G");
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration DEADLINE = Duration.ofHours(12);
    private static final Duration MAX_DEADLINE = Duration.ofDays(7);
    private static final String NAME = "[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?";

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
        Map<String, ConfigNode> top =
                ConfigNode.read(file, "file of Kubernetes settings", problems).mapping(TOP);
        Duration lease = value(top, "lease", KubernetesSettingsFile::lease).orElse(SshSettings.DEFAULT_LEASE);
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
                value(top, "namespace", KubernetesSettingsFile::name),
                value(top, "pull-policy", text -> oneOf(text, List.of("IfNotPresent", "Always", "Never")))
                        .orElse("IfNotPresent"),
                top.containsKey("pull-secrets")
                        ? top.get("pull-secrets").items().stream()
                                .flatMap(item -> item.parsed(KubernetesSettingsFile::name).stream())
                                .toList()
                        : List.of(),
                value(top, "reach", text -> oneOf(text, List.of("relay", "direct")))
                        .map("direct"::equals)
                        // A program that runs in the cluster itself is in the network of the pods.
                        .orElse(System.getenv("KUBERNETES_SERVICE_HOST") != null),
                value(top, "share-nodes", text -> oneOf(text, List.of("true", "false")))
                        .map("true"::equals)
                        .orElse(false),
                lease,
                value(top, "patience", text -> Durations.parse(text, "s")).orElse(PATIENCE),
                deadline,
                roles(top));
    }

    private Map<NodeRole, PodSettings> roles(Map<String, ConfigNode> top) {
        Map<NodeRole, PodSettings> roles = new EnumMap<>(NodeRole.class);
        List.of("gateway", "backend", "load-generator").forEach(name -> {
            Map<String, ConfigNode> own =
                    new LinkedHashMap<>(top.containsKey(name) ? top.get(name).mapping(OF_ROLE) : Map.of());
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
        int pods = value(own, "pods", KubernetesSettingsFile::count).orElse(1);
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
                        value(own, "memory", DataSize::parse),
                        value(own, "disk", DataSize::parse).orElse(DISK),
                        selector,
                        value(own, "java", KubernetesSettingsFile::absolute),
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

    private static String name(String text) {
        if (!text.matches(NAME)) {
            throw new IllegalArgumentException(
                    "must be a name of Kubernetes (small letters, digits and dashes) but was '" + text + "'");
        }
        return text;
    }

    private static String oneOf(String text, List<String> known) {
        if (!known.contains(text)) {
            throw new IllegalArgumentException(
                    "must be one of " + String.join(", ", known) + " but was '" + text + "'");
        }
        return text;
    }

    private static int count(String text) {
        if (text.matches("\\d{1,3}") && Integer.parseInt(text) >= 1 && Integer.parseInt(text) <= MAX_PODS) {
            return Integer.parseInt(text);
        }
        throw new IllegalArgumentException("must be a whole number from 1 to " + MAX_PODS + " but was '" + text + "'");
    }

    private static BigDecimal cpus(String text) {
        if (text.matches("\\d{1,4}(\\.\\d{1,3})?") && new BigDecimal(text).signum() > 0) {
            return new BigDecimal(text);
        }
        throw new IllegalArgumentException(
                "must be a number of processors with at most three decimals, e.g. 0.5, but was '" + text + "'");
    }

    private static String absolute(String text) {
        if (!text.startsWith("/")) {
            throw new IllegalArgumentException("must be an absolute path in the image but was '" + text + "'");
        }
        return text;
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
