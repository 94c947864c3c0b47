/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.hosts.environment;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Pattern;

import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

import io.gatebench.hosts.SshSettings;
import io.gatebench.hosts.SshTarget;
import io.gatebench.model.NodeRole;
import io.gatebench.settings.Durations;
import io.gatebench.settings.PlanException;
import io.gatebench.settings.Suggestion;
import io.gatebench.settings.YamlDocument;

/**
 * Reads hosts files: which hosts there are, how they are reached, and which roles they play.
 *
 * <p>Unknown and repeated keys are errors, and all problems are reported together with file and line.
 */
public final class HostsFile {

    private static final List<String> TOP =
            List.of("hosts", "roles", "defaults", "known-hosts", "ssh-config", "lease", "patience");
    private static final List<String> OF_HOST =
            List.of("address", "user", "port", "key", "jump", "role-address", "work-directory", "java", "install-java");
    private static final Map<String, NodeRole> ROLES = Map.of(
            "gateway", NodeRole.GATEWAY,
            "backend", NodeRole.BACKEND,
            "load-generator", NodeRole.LOAD_GENERATOR);
    private static final List<String> ROLE_NAMES = List.of("gateway", "backend", "load-generator");

    // What goes to the SSH client and into its configuration: never an option, never a second word.
    private static final String HOST =
            "(?:[A-Za-z0-9_][A-Za-z0-9._-]*|\\[?[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*(?:%[A-Za-z0-9._-]+)?]?)";
    private static final String LOGIN = "[A-Za-z0-9_][A-Za-z0-9._@\\\\$+-]*";
    private static final String JUMP = "(?:ssh://)?(?:" + LOGIN + "@)?" + HOST + "(?::\\d{1,5})?";
    private static final Map<String, Pattern> REACHED_BY = Map.of(
            "address", Pattern.compile(HOST),
            "role-address", Pattern.compile(HOST),
            "user", Pattern.compile(LOGIN),
            "jump", Pattern.compile("none|" + JUMP + "(?:\\s*,\\s*" + JUMP + ")*"));
    private static final Map<String, String> REACHED_AS = Map.of(
            "address", "a host name, an IP address or an alias of the SSH configuration",
            "role-address", "a host name or an IP address",
            "user", "a login",
            "jump", "[user@]host[:port], several with commas");

    private final Path file;
    private final Optional<Path> installJava;
    private final List<String> problems = new ArrayList<>();

    private HostsFile(Path file, Optional<Path> installJava) {
        this.file = file;
        this.installJava = installJava;
        installJava
                .filter(archive -> !Files.isReadable(archive))
                .ifPresent(archive -> problems.add("the archive " + archive + " cannot be read"));
    }

    /** Values of one mapping with the lines on which they stand. */
    private record Entry(List<String> values, int line) {

        String value() {
            return values.get(0);
        }
    }

    /**
     * Reads a hosts file.
     *
     * @param acceptNewHostKeys whether keys of unknown hosts are accepted; a file cannot say that
     * @param installJava an archive for the hosts that name neither a {@code java} nor an archive
     * @throws PlanException with file and line of every problem
     */
    public static HostsPlan read(Path file, boolean acceptNewHostKeys, Optional<Path> installJava) {
        HostsFile reader = new HostsFile(file, installJava);
        HostsPlan plan = reader.plan(reader.root(), acceptNewHostKeys);
        if (!reader.problems.isEmpty() || plan == null) {
            throw new PlanException(reader.problems);
        }
        return plan;
    }

    private MappingNode root() {
        Optional<Node> root = YamlDocument.root(file, "hosts file");
        if (root.isPresent() && root.get() instanceof MappingNode mapping) {
            return mapping;
        }
        throw new PlanException(List.of(file + ":1: a hosts file is a mapping with the keys hosts and roles"));
    }

    private @org.jspecify.annotations.Nullable HostsPlan plan(MappingNode root, boolean acceptNewHostKeys) {
        Map<String, NodeTuple> top = tuples(root, TOP);
        Map<String, Entry> defaults = top.containsKey("defaults")
                ? scalars(top.get("defaults").getValueNode(), OF_HOST, "defaults")
                : Map.of();
        Map<String, SshTarget> hosts = new LinkedHashMap<>();
        if (top.containsKey("hosts") && top.get("hosts").getValueNode() instanceof MappingNode mapping) {
            for (NodeTuple tuple : mapping.getValue()) {
                String name = text(tuple.getKeyNode());
                if (!name.matches("[A-Za-z0-9][A-Za-z0-9._-]*")) {
                    problem(
                            tuple.getKeyNode(),
                            "a host's name has letters, digits, dots and dashes but was '" + name + "'");
                } else if (hosts.containsKey(name)) {
                    problem(tuple.getKeyNode(), "the host '" + name + "' is there twice");
                } else {
                    target(name, tuple.getValueNode(), defaults).ifPresent(target -> hosts.put(name, target));
                }
            }
        } else {
            problems.add(file + ":1: the key 'hosts' must be a mapping of names to hosts, e.g. hosts: {product:"
                    + " {address: 10.0.0.5}}");
        }
        Map<NodeRole, List<String>> roles = roles(root, top, hosts.keySet());
        Optional<SshSettings> settings = settings(top, acceptNewHostKeys);
        if (!problems.isEmpty() || settings.isEmpty()) {
            return null;
        }
        return new HostsPlan(hosts, roles, settings.get());
    }

    private Map<NodeRole, List<String>> roles(MappingNode root, Map<String, NodeTuple> top, Set<String> hosts) {
        Map<NodeRole, List<String>> roles = new LinkedHashMap<>();
        if (!top.containsKey("roles")) {
            problem(root, "the key 'roles' is missing: it says which host plays " + String.join(", ", ROLE_NAMES));
            return roles;
        }
        Map<String, Entry> entries = scalars(top.get("roles").getValueNode(), ROLE_NAMES, "roles");
        entries.forEach((name, entry) -> {
            NodeRole role = ROLES.get(name);
            Set<String> seen = new LinkedHashSet<>();
            for (String host : entry.values()) {
                if (!hosts.contains(host)) {
                    problems.add(place(entry) + name + ": unknown host '" + host + "'" + Suggestion.among(host, hosts));
                } else if (!seen.add(host)) {
                    problems.add(place(entry) + name + ": the host '" + host + "' is there twice");
                }
            }
            if (role != NodeRole.LOAD_GENERATOR && entry.values().size() > 1) {
                problems.add(place(entry) + name + " is one host but there are "
                        + entry.values().size());
            }
            roles.put(role, List.copyOf(seen));
        });
        for (String name : ROLE_NAMES) {
            if (!entries.containsKey(name)) {
                problem(top.get("roles").getKeyNode(), "no host plays the role '" + name + "'");
            }
        }
        return roles;
    }

    private Optional<SshSettings> settings(Map<String, NodeTuple> top, boolean acceptNewHostKeys) {
        SshSettings defaults = SshSettings.defaults();
        Path knownHosts = path(top, "known-hosts").orElse(defaults.knownHosts());
        Optional<Path> config = path(top, "ssh-config").or(defaults::configFile);
        path(top, "ssh-config")
                .filter(given -> !Files.isReadable(given))
                .ifPresent(given ->
                        problem(top.get("ssh-config").getKeyNode(), "ssh-config: " + given + " cannot be read"));
        Duration lease = duration(top, "lease").orElse(defaults.lease());
        Duration patience = duration(top, "patience").orElse(defaults.patience());
        try {
            return Optional.of(new SshSettings(config, knownHosts, acceptNewHostKeys, lease, patience));
        } catch (IllegalArgumentException e) {
            problems.add(file + ": " + e.getMessage());
            return Optional.empty();
        }
    }

    private Optional<Path> path(Map<String, NodeTuple> top, String key) {
        return scalar(top, key).map(this::path);
    }

    /** Relative paths are relative to the hosts file; a leading tilde is the home directory. */
    private Path path(String text) {
        if (text.startsWith("~/")) {
            return Path.of(System.getProperty("user.home"), text.substring(2));
        }
        Path directory = file.toAbsolutePath().getParent();
        return directory == null ? Path.of(text) : directory.resolve(text).normalize();
    }

    private Optional<Duration> duration(Map<String, NodeTuple> top, String key) {
        return scalar(top, key).flatMap(text -> {
            try {
                return Optional.of(Durations.parse(text, "s"));
            } catch (IllegalArgumentException e) {
                problem(top.get(key).getKeyNode(), key + ": " + e.getMessage());
                return Optional.empty();
            }
        });
    }

    private Optional<String> scalar(Map<String, NodeTuple> top, String key) {
        NodeTuple tuple = top.get(key);
        if (tuple == null) {
            return Optional.empty();
        }
        if (tuple.getValueNode() instanceof ScalarNode scalar) {
            return Optional.of(scalar.getValue());
        }
        problem(tuple.getKeyNode(), key + " must be a value");
        return Optional.empty();
    }

    private Optional<SshTarget> target(String name, Node node, Map<String, Entry> defaults) {
        Map<String, Entry> entries = new LinkedHashMap<>(defaults);
        if (node instanceof ScalarNode scalar) {
            // The short form: product: 10.0.0.5
            if (!scalar.getValue().isBlank()) {
                entries.put("address", new Entry(List.of(scalar.getValue()), YamlDocument.line(node)));
            }
        } else {
            entries.putAll(scalars(node, OF_HOST, name));
        }
        OptionalInt port = OptionalInt.empty();
        if (entries.containsKey("port")) {
            String text = entries.get("port").value();
            if (text.matches("\\d{1,5}") && Integer.parseInt(text) >= 1 && Integer.parseInt(text) <= 65535) {
                port = OptionalInt.of(Integer.parseInt(text));
            } else {
                problems.add(place(entries.get("port")) + "port must be a whole number from 1 to 65535 but was '" + text
                        + "'");
            }
        }
        List<Path> keys = new ArrayList<>();
        if (entries.containsKey("key")) {
            for (String text : entries.get("key").values()) {
                Path key = path(text);
                keys.add(key);
                if (!Files.isReadable(key)) {
                    problems.add(place(entries.get("key")) + "the key " + key + " cannot be read");
                }
            }
        }
        Optional<Path> jdk = value(entries, "install-java").map(this::path);
        if (jdk.isPresent() && !Files.isReadable(jdk.get())) {
            problems.add(place(entries.get("install-java")) + "the archive " + jdk.get() + " cannot be read");
        }
        if (jdk.isEmpty() && value(entries, "java").isEmpty()) {
            jdk = installJava;
        }
        REACHED_BY.forEach((key, rule) -> {
            Optional<String> value = value(entries, key);
            if (value.isPresent() && !rule.matcher(value.get()).matches()) {
                problems.add(place(entries.get(key)) + key + " must be " + REACHED_AS.get(key) + " but was '"
                        + value.get() + "'");
            }
        });
        for (String key : List.of("work-directory", "java")) {
            Optional<String> value = value(entries, key);
            if (value.isPresent()
                    && (!value.get().startsWith("/") || value.get().equals("/"))) {
                problems.add(place(entries.get(key)) + key + " must be an absolute path but was '" + value.get() + "'");
            }
        }
        return Optional.of(new SshTarget(
                name,
                value(entries, "address").orElse(name),
                value(entries, "user"),
                port,
                keys,
                value(entries, "jump"),
                value(entries, "role-address"),
                value(entries, "work-directory"),
                value(entries, "java"),
                jdk));
    }

    private static Optional<String> value(Map<String, Entry> entries, String key) {
        return Optional.ofNullable(entries.get(key)).map(Entry::value).filter(text -> !text.isBlank());
    }

    private Map<String, NodeTuple> tuples(MappingNode node, List<String> known) {
        Map<String, NodeTuple> result = new LinkedHashMap<>();
        for (NodeTuple tuple : node.getValue()) {
            String key = text(tuple.getKeyNode());
            if (!known.contains(key)) {
                problem(tuple.getKeyNode(), "unknown key '" + key + "'" + Suggestion.among(key, known));
            } else if (result.put(key, tuple) != null) {
                problem(tuple.getKeyNode(), "the key '" + key + "' is there twice");
            }
        }
        return result;
    }

    private Map<String, Entry> scalars(Node node, List<String> known, String what) {
        if (!(node instanceof MappingNode mapping)) {
            problem(node, what + " must be a mapping with keys of: " + String.join(", ", known));
            return Map.of();
        }
        Map<String, Entry> result = new LinkedHashMap<>();
        tuples(mapping, known).forEach((key, tuple) -> {
            if (tuple.getValueNode() instanceof ScalarNode scalar) {
                result.put(key, new Entry(List.of(scalar.getValue()), YamlDocument.line(tuple.getKeyNode())));
            } else if (tuple.getValueNode() instanceof SequenceNode sequence
                    && (key.equals("key") || ROLES.containsKey(key))
                    && !sequence.getValue().isEmpty()
                    && sequence.getValue().stream().allMatch(ScalarNode.class::isInstance)) {
                result.put(
                        key,
                        new Entry(
                                sequence.getValue().stream()
                                        .map(HostsFile::text)
                                        .toList(),
                                YamlDocument.line(tuple.getKeyNode())));
            } else {
                problem(tuple.getKeyNode(), key + " must be a value");
            }
        });
        return result;
    }

    private static String text(Node node) {
        return node instanceof ScalarNode scalar ? scalar.getValue() : "(not a text)";
    }

    private String place(Entry entry) {
        return file + ":" + entry.line() + ": ";
    }

    private void problem(Node node, String text) {
        problems.add(file + ":" + YamlDocument.line(node) + ": " + text);
    }
}
