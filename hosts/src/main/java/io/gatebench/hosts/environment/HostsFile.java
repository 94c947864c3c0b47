/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.hosts.environment;

import static io.gatebench.settings.ConfigNode.value;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;

import io.gatebench.hosts.SshSettings;
import io.gatebench.hosts.SshTarget;
import io.gatebench.model.NodeRole;
import io.gatebench.settings.ConfigNode;
import io.gatebench.settings.JsonSchema;
import io.gatebench.settings.Key;
import io.gatebench.settings.PlanException;
import io.gatebench.settings.Shape;
import io.gatebench.settings.Suggestion;
import io.gatebench.spi.Distribution;

/**
 * Reads hosts files: which hosts there are, how they are reached, and which roles they play.
 *
 * <p>Unknown and repeated keys are errors, and all problems are reported together with file and line.
 */
public final class HostsFile {

    private static final Map<String, NodeRole> ROLES = Map.of(
            "gateway", NodeRole.GATEWAY,
            "backend", NodeRole.BACKEND,
            "load-generator", NodeRole.LOAD_GENERATOR);

    // What goes to the SSH client and into its configuration: never an option, never a second word.
    private static final String HOST =
            "(?:[A-Za-z0-9_][A-Za-z0-9._-]*|\\[?[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*(?:%[A-Za-z0-9._-]+)?\\]?)";
    private static final String LOGIN = "[A-Za-z0-9_][A-Za-z0-9._@\\\\$+-]*";
    private static final String JUMP = "(?:ssh://)?(?:" + LOGIN + "@)?" + HOST + "(?::\\d{1,5})?";
    private static final Shape.Scalar<String> ADDRESS =
            Shape.matching(Pattern.compile(HOST), "a host name, an IP address or an alias of the SSH configuration");
    private static final Shape.Scalar<String> USER = Shape.matching(Pattern.compile(LOGIN), "a login");
    private static final Shape.Scalar<Integer> PORT = Shape.number(1, 65535);
    private static final Shape.Scalar<String> WAY = Shape.matching(
            Pattern.compile("none|" + JUMP + "(?:\\s*,\\s*" + JUMP + ")*"), "[user@]host[:port], several with commas");
    private static final Shape.Scalar<String> ABSOLUTE = Shape.matching(Pattern.compile("/.+"), "an absolute path");
    private static final Shape.Scalar<Distribution> DISTRIBUTION = Shape.choice(Distribution.class);
    private static final Shape ONE_OR_SEVERAL = Shape.either(Shape.text(), Shape.filledList(Shape.text()));

    private static final Shape.Keys OF_HOST = Shape.keys(
            Key.of("address", ADDRESS, "Host name, address, or alias of the SSH configuration; else the host's name."),
            Key.of("user", USER, "Login of SSH."),
            Key.of("port", PORT, "Port of SSH."),
            Key.of("key", ONE_OR_SEVERAL, "Private key without pass-phrase, or a list; then no other is tried."),
            Key.of("jump", WAY, "Hosts to go through, as ssh -J takes them."),
            Key.of(
                    "role-address",
                    Shape.matching(Pattern.compile(HOST), "a host name or an IP address"),
                    "Address at which roles listen and the other hosts reach them; else the one of SSH."),
            Key.of("work-directory", ABSOLUTE, "Absolute path for all that is put there; else ~/.gatebench."),
            Key.of("java", ABSOLUTE, "Absolute path of the java command; else that of the login."),
            Key.of(
                    "install-java",
                    Shape.text(),
                    "A .tar.gz of a JDK here, which is unpacked in the work directory and used."));

    private static final Shape.Keys KEYS = Shape.keys(
            Key.required(
                    "hosts",
                    new Shape.Names(Shape.either(ADDRESS, OF_HOST, new Shape.Nothing())),
                    "Names to hosts; a host is a mapping or just its address."),
            Key.required(
                    "roles",
                    Shape.keys(
                            Key.required("gateway", ONE_OR_SEVERAL, "The host of the gateway."),
                            Key.required("backend", ONE_OR_SEVERAL, "The host of the back end."),
                            Key.required(
                                    "load-generator",
                                    ONE_OR_SEVERAL,
                                    "The hosts of the load generators, one or a list.")),
                    "Which host plays which role; a host may play several."),
            Key.of("defaults", OF_HOST, "The keys of a host, for all hosts."),
            Key.of("known-hosts", Shape.text(), "File of known host keys.").otherwise("~/.ssh/known_hosts"),
            Key.of("ssh-config", Shape.text(), "SSH configuration with aliases.")
                    .otherwise("~/.ssh/config"),
            Key.of(
                            "lease",
                            Shape.duration("s"),
                            "Time without a sign of life after which a host stops its processes, at least 5s.")
                    .otherwise(SshSettings.DEFAULT_LEASE.toSeconds() + "s"),
            Key.of("patience", Shape.duration("s"), "Time for which an unreachable host is waited for.")
                    .otherwise(SshSettings.DEFAULT_PATIENCE.toSeconds() + "s"),
            Key.of("distribution", DISTRIBUTION, "How load generators come to their shares of a load.")
                    .otherwise("processes"));

    private final Path file;
    private final Optional<Path> installJava;
    private final int gateways;
    private final List<String> problems = new ArrayList<>();

    private HostsFile(Path file, Optional<Path> installJava, int gateways) {
        this.gateways = gateways;
        this.file = file;
        this.installJava = installJava;
        installJava
                .filter(archive -> !Files.isReadable(archive))
                .ifPresent(archive -> problems.add("the archive " + archive + " cannot be read"));
    }

    /** Returns the JSON Schema of hosts files. */
    public static String schema() {
        return JsonSchema.of("Hosts of a run of Gatebench", KEYS);
    }

    /**
     * Reads a hosts file.
     *
     * @param acceptNewHostKeys whether keys of unknown hosts are accepted; a file cannot say that
     * @param installJava an archive for the hosts that name neither a {@code java} nor an archive
     * @throws PlanException with file and line of every problem
     */
    public static HostsPlan read(Path file, boolean acceptNewHostKeys, Optional<Path> installJava) {
        return read(file, acceptNewHostKeys, installJava, 1);
    }

    /**
     * Reads a hosts file.
     *
     * @param gateways how many hosts there may be for the gateway
     * @throws PlanException with file and line of every problem
     */
    public static HostsPlan read(Path file, boolean acceptNewHostKeys, Optional<Path> installJava, int gateways) {
        HostsFile reader = new HostsFile(file, installJava, gateways);
        Optional<HostsPlan> plan = reader.plan(acceptNewHostKeys);
        if (!reader.problems.isEmpty() || plan.isEmpty()) {
            throw new PlanException(reader.problems);
        }
        return plan.get();
    }

    private Optional<HostsPlan> plan(boolean acceptNewHostKeys) {
        Map<String, ConfigNode> top =
                ConfigNode.read(file, "hosts file", KEYS, problems).mapping();
        Map<String, ConfigNode> defaults =
                top.containsKey("defaults") ? top.get("defaults").mapping() : Map.of();
        Map<String, SshTarget> hosts = new LinkedHashMap<>();
        if (top.containsKey("hosts")) {
            top.get("hosts").freeMapping().forEach((name, host) -> {
                if (name.matches("[A-Za-z0-9][A-Za-z0-9._-]*")) {
                    hosts.put(name, target(name, host, defaults));
                } else {
                    host.problem("is no name of a host, which has letters, digits, dots and dashes");
                }
            });
        }
        Map<NodeRole, List<String>> roles =
                top.containsKey("roles") ? roles(top.get("roles"), hosts.keySet()) : Map.of();
        Distribution distribution = value(top, "distribution", DISTRIBUTION).orElse(Distribution.PROCESSES);
        return settings(top, acceptNewHostKeys).map(settings -> new HostsPlan(hosts, roles, settings, distribution));
    }

    private Map<NodeRole, List<String>> roles(ConfigNode node, Set<String> hosts) {
        Map<NodeRole, List<String>> roles = new LinkedHashMap<>();
        node.mapping().forEach((name, of) -> {
            NodeRole role = ROLES.get(name);
            Set<String> seen = new LinkedHashSet<>();
            List<ConfigNode> named = severalOf(of);
            named.forEach(one -> one.text().ifPresent(host -> {
                if (!hosts.contains(host)) {
                    one.problem("names the unknown host '" + host + "'" + Suggestion.among(host, hosts));
                } else if (!seen.add(host)) {
                    one.problem("names the host '" + host + "' twice");
                }
            }));
            int most = role == NodeRole.LOAD_GENERATOR ? Integer.MAX_VALUE : role == NodeRole.GATEWAY ? gateways : 1;
            if (named.size() > most) {
                of.problem("is " + (most == 1 ? "one host" : "at most " + most + " hosts") + " but there are "
                        + named.size());
            }
            roles.put(role, List.copyOf(seen));
        });
        return roles;
    }

    private static List<ConfigNode> severalOf(ConfigNode node) {
        return node.isList() ? node.items() : List.of(node);
    }

    private Optional<SshSettings> settings(Map<String, ConfigNode> top, boolean acceptNewHostKeys) {
        SshSettings defaults = SshSettings.defaults();
        try {
            return Optional.of(new SshSettings(
                    value(top, "ssh-config", this::readable).or(defaults::configFile),
                    value(top, "known-hosts", this::path).orElse(defaults.knownHosts()),
                    acceptNewHostKeys,
                    value(top, "lease", Shape.duration("s")).orElse(defaults.lease()),
                    value(top, "patience", Shape.duration("s")).orElse(defaults.patience())));
        } catch (IllegalArgumentException e) {
            problems.add(file + ": " + e.getMessage());
            return Optional.empty();
        }
    }

    /** Relative paths are relative to the hosts file; a leading tilde is the home directory. */
    private Path path(String text) {
        if (text.startsWith("~/")) {
            return Path.of(System.getProperty("user.home"), text.substring(2));
        }
        Path directory = file.toAbsolutePath().getParent();
        return directory == null ? Path.of(text) : directory.resolve(text).normalize();
    }

    private Path readable(String text) {
        Path path = path(text);
        if (!Files.isReadable(path)) {
            throw new IllegalArgumentException("names " + path + ", which cannot be read");
        }
        return path;
    }

    private SshTarget target(String name, ConfigNode node, Map<String, ConfigNode> defaults) {
        Map<String, ConfigNode> entries = new LinkedHashMap<>(defaults);
        Optional<String> address = Optional.empty();
        if (node.isMapping()) {
            entries.putAll(node.mapping());
        } else if (!node.isEmpty()) {
            // The short form: product: 10.0.0.5
            address = node.text();
        }
        Optional<Path> jdk = value(entries, "install-java", this::readable);
        Optional<String> java = value(entries, "java", ABSOLUTE);
        return new SshTarget(
                name,
                address.or(() -> value(entries, "address", ADDRESS)).orElse(name),
                value(entries, "user", USER),
                value(entries, "port", PORT).map(OptionalInt::of).orElseGet(OptionalInt::empty),
                entries.containsKey("key")
                        ? severalOf(entries.get("key")).stream()
                                .flatMap(key -> key.parsed(this::readable).stream())
                                .toList()
                        : List.of(),
                value(entries, "jump", WAY),
                value(entries, "role-address", Function.identity()),
                value(entries, "work-directory", ABSOLUTE),
                java,
                jdk.isEmpty() && java.isEmpty() ? installJava : jdk);
    }
}
