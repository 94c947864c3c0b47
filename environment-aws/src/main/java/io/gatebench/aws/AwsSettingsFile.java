/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.aws;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.CollectionEndEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

import io.gatebench.model.cloud.CloudException;

/**
 * Reads settings files: unknown keys are errors, and all problems are reported together with file and line.
 *
 * <p>Nested keys are called by their path, e.g. {@code instances.gateway}.
 */
final class AwsSettingsFile {

    /** Images whose login, root device and package of Java are known. */
    private enum KnownImage {
        AL2023(
                "al2023",
                "/aws/service/ami-amazon-linux-latest/al2023-ami-kernel-default-x86_64",
                "ec2-user",
                "/dev/xvda",
                "java-17-amazon-corretto-devel",
                "mariadb105"),
        UBUNTU(
                "ubuntu-24.04",
                "/aws/service/canonical/ubuntu/server/24.04/stable/current/amd64/hvm/ebs-gp3/ami-id",
                "ubuntu",
                "/dev/sda1",
                "openjdk-17-jdk-headless",
                "mysql-client");

        private final String alias;
        private final String parameter;
        private final String user;
        private final String device;
        private final String javaPackage;
        private final String mySqlPackage;

        KnownImage(
                String alias, String parameter, String user, String device, String javaPackage, String mySqlPackage) {
            this.alias = alias;
            this.parameter = parameter;
            this.user = user;
            this.device = device;
            this.javaPackage = javaPackage;
            this.mySqlPackage = mySqlPackage;
        }

        static Optional<KnownImage> of(String name) {
            for (KnownImage image : values()) {
                if (image.alias.equals(name)) {
                    return Optional.of(image);
                }
            }
            return Optional.empty();
        }
    }

    private static final List<String> KEYS = List.of(
            "region",
            "profile",
            "image",
            "user",
            "device",
            "instances.gateway",
            "instances.backend",
            "instances.load-generator",
            "load-generators",
            "disk",
            "packages",
            "java",
            "install-java",
            "address",
            "network",
            "caller",
            "known-hosts",
            "lease",
            "setup-time",
            "max-cost",
            "max-hours",
            "timer",
            "database.type",
            "database.storage",
            "database.version",
            "prices",
            "s3");
    private static final String TAGS = "tags.";
    private static final int LARGEST = 1 << 20;
    private static final int DEEPEST = 8;
    private static final int DEFAULT_DISK_GIB = 30;
    private static final int DEFAULT_STORAGE_GIB = 20;
    private static final int MAX_DISK_GIB = 16_000;
    private static final int MAX_LOAD_GENERATORS = 20;
    private static final int MAX_TAG_KEY = 128;
    private static final int MAX_TAG_VALUE = 256;
    private static final int NARROWEST_CALLER = 24;
    private static final int MAX_TAGS = 40;
    private static final Pattern TIME = Pattern.compile("([0-9]{1,6})(s|m|h)");
    private static final Pattern BLOCK = Pattern.compile("([0-9]{1,3}(?:\\.[0-9]{1,3}){3})/([0-9]{1,2})");
    private static final Duration DEFAULT_LEASE = Duration.ofMinutes(30);
    private static final Duration MIN_LEASE = Duration.ofMinutes(5);
    private static final Duration DEFAULT_SETUP = Duration.ofMinutes(20);

    private final Path file;
    private final Map<String, Value> values = new LinkedHashMap<>();
    private final Map<String, String> tags = new LinkedHashMap<>();
    private final List<String> problems = new ArrayList<>();

    private AwsSettingsFile(Path file) {
        this.file = file;
    }

    private record Value(List<String> texts, int line) {}

    /**
     * Reads a settings file.
     *
     * @throws CloudException with file and line of every problem
     */
    static AwsSettings read(Path file) {
        AwsSettingsFile reader = new AwsSettingsFile(file);
        reader.collect("", reader.root());
        AwsSettings settings = reader.settings();
        if (!reader.problems.isEmpty()) {
            throw CloudException.usage(reader.problems);
        }
        return settings;
    }

    private MappingNode root() {
        Optional<Node> root;
        try (InputStream in = Files.newInputStream(file)) {
            if (Files.size(file) > LARGEST) {
                throw CloudException.usage(List.of(file + ": a settings file has at most 1 MiB"));
            }
            LoadSettings reading = LoadSettings.builder()
                    .setLabel(file.toString())
                    .setMaxAliasesForCollections(10)
                    .setAllowDuplicateKeys(false)
                    .build();
            refuseDepth(reading);
            root = new Compose(reading).composeInputStream(in);
        } catch (NoSuchFileException e) {
            throw CloudException.usage(List.of("the settings file " + file + " does not exist"));
        } catch (MarkedYamlEngineException e) {
            int line = e.getProblemMark().map(mark -> mark.getLine() + 1).orElse(1);
            throw CloudException.usage(List.of(file + ":" + line + ": not valid YAML: " + e.getProblem()));
        } catch (IllegalArgumentException e) {
            // The library's scanner lets these through at an escape such as \xZZ.
            throw CloudException.usage(List.of(file + ": not valid YAML: an escape in double quotes is cut or names no"
                    + " character; double the backslash, or use single quotes"));
        } catch (YamlEngineException | IOException e) {
            throw CloudException.usage(List.of("the settings file " + file + " cannot be read: " + e.getMessage()));
        }
        if (root.isPresent() && root.get() instanceof MappingNode mapping) {
            return mapping;
        }
        throw CloudException.usage(List.of(file + ":1: a settings file is a mapping, e.g. region: eu-west-1"));
    }

    /** Composing calls itself for each level, so that the depth is looked at in the events before. */
    private void refuseDepth(LoadSettings reading) throws IOException {
        int depth = 0;
        try (InputStream in = Files.newInputStream(file)) {
            for (Event event : new Parse(reading).parseInputStream(in)) {
                depth += event instanceof CollectionStartEvent ? 1 : event instanceof CollectionEndEvent ? -1 : 0;
                if (depth > DEEPEST) {
                    int line =
                            event.getStartMark().map(mark -> mark.getLine() + 1).orElse(1);
                    throw CloudException.usage(List.of(file + ":" + line + ": a settings file is nested at most "
                            + DEEPEST + " deep; take a level out"));
                }
            }
        }
    }

    private void collect(String prefix, MappingNode mapping) {
        for (NodeTuple tuple : mapping.getValue()) {
            String key = prefix + (tuple.getKeyNode() instanceof ScalarNode scalar ? scalar.getValue() : "?");
            int line = tuple.getKeyNode()
                    .getStartMark()
                    .map(mark -> mark.getLine() + 1)
                    .orElse(1);
            if (tuple.getValueNode() instanceof MappingNode nested
                    && prefix.isEmpty()
                    && ((key + ".").equals(TAGS) || KEYS.stream().anyMatch(known -> known.startsWith(key + ".")))) {
                collect(key + ".", nested);
            } else if (key.startsWith(TAGS) && tuple.getValueNode() instanceof ScalarNode scalar) {
                tag(key.substring(TAGS.length()), scalar.getValue(), line);
            } else if (!KEYS.contains(key)) {
                problem(line, "unknown key '" + key + "'; the keys are " + String.join(", ", KEYS) + " and tags");
            } else if (values.containsKey(key)) {
                problem(line, "the key '" + key + "' is there twice");
            } else if (tuple.getValueNode() instanceof ScalarNode scalar) {
                values.put(key, new Value(List.of(scalar.getValue()), line));
            } else if (key.equals("packages")
                    && tuple.getValueNode() instanceof SequenceNode sequence
                    && sequence.getValue().stream().allMatch(ScalarNode.class::isInstance)) {
                values.put(
                        key,
                        new Value(
                                sequence.getValue().stream()
                                        .map(node -> ((ScalarNode) node).getValue())
                                        .toList(),
                                line));
            } else {
                problem(line, key + " must be a value" + (key.equals("packages") ? " or a list of values" : ""));
            }
        }
    }

    private void tag(String key, String value, int line) {
        if (key.isBlank()
                || key.length() > MAX_TAG_KEY
                || value.length() > MAX_TAG_VALUE
                || key.startsWith("aws:")
                || key.startsWith("gatebench:")) {
            problem(
                    line,
                    "a tag must not begin with 'aws:' or 'gatebench:' and has at most 128 characters, its value"
                            + " 256, but was '" + key + "'");
        } else {
            tags.put(key, value);
        }
        if (tags.size() > MAX_TAGS) {
            problem(line, "there must be at most " + MAX_TAGS + " tags");
        }
    }

    private AwsSettings settings() {
        String image = text("image").orElse(KnownImage.AL2023.alias);
        Optional<KnownImage> known = KnownImage.of(image);
        if (known.isEmpty() && !image.matches("ami-[0-9a-f]{8,17}|/[A-Za-z0-9_./-]+|[0-9a-z-]+:[^:]+")) {
            problem(
                    "image",
                    "image must be al2023, ubuntu-24.04, ami-..., the name of an SSM parameter (/aws/...) or"
                            + " owner:name-pattern but was '" + image + "'");
        }
        Optional<String> user = text("user").or(() -> known.map(k -> k.user));
        if (user.isEmpty()) {
            problem("image", "the login of the image '" + image + "' is not known; name it as user");
        }
        user.ifPresent(name -> matching("user", name, "[a-z_][a-z0-9_-]{0,31}", "a login name"));
        Optional<Path> installJava = path("install-java");
        List<String> packages = Optional.ofNullable(values.get("packages"))
                .map(Value::texts)
                .orElseGet(() ->
                        packages(known, installJava.isEmpty() && text("java").isEmpty()));
        packages.forEach(name -> matching("packages", name, "[a-z0-9][a-z0-9.+_-]*", "a package's name"));
        text("device").ifPresent(name -> matching("device", name, "/dev/[a-z0-9]+", "a device like /dev/xvda"));
        text("region").ifPresent(r -> matching("region", r, "[a-z]{2}(-[a-z]+)+-[0-9]", "a region like eu-west-1"));
        String type = "c5.xlarge";
        String network = text("network").orElse("10.80.0.0/24");
        if (prefix("network", network).orElse(24) != 24 || !network.endsWith(".0/24")) {
            problem("network", "network must be a block a.b.c.0/24 but was '" + network + "'");
        }
        Optional<String> caller = text("caller").filter(c -> !c.equals("auto"));
        caller.flatMap(c -> prefix("caller", c)).ifPresent(bits -> {
            if (bits < NARROWEST_CALLER) {
                problem(
                        "caller",
                        "caller must be an address or a block of at least 24 bits, so that the machines are"
                                + " not open to the world, but was '" + caller.get() + "'");
            }
        });
        Duration lease = time("lease").orElse(DEFAULT_LEASE);
        if (lease.compareTo(MIN_LEASE) < 0) {
            problem(
                    "lease",
                    "lease must be at least 5m, so that a short disturbance does not end the machines, but" + " was "
                            + lease.toSeconds() + "s");
        }
        return new AwsSettings(
                text("region"),
                text("profile"),
                known.map(k -> k.parameter).orElse(image),
                user.orElse(""),
                type("instances.gateway", type),
                type("instances.backend", type),
                type("instances.load-generator", type),
                number("load-generators", 1, 1, MAX_LOAD_GENERATORS),
                number("disk", DEFAULT_DISK_GIB, 8, MAX_DISK_GIB),
                text("device").or(() -> known.map(k -> k.device)).orElse("/dev/xvda"),
                packages,
                text("java"),
                installJava,
                choice("address", "public", "private").equals("private"),
                network,
                caller,
                path("known-hosts"),
                lease,
                time("setup-time").orElse(DEFAULT_SETUP),
                positive("max-cost"),
                positive("max-hours").map(hours -> Duration.ofSeconds(Math.round(hours * 3600))),
                choice("timer", "schedule", "none").equals("schedule"),
                database(),
                tags,
                path("prices"),
                place("s3"));
    }

    private List<String> packages(Optional<KnownImage> image, boolean java) {
        List<String> packages = new ArrayList<>();
        if (java) {
            image.ifPresent(known -> packages.add(known.javaPackage));
        }
        if (hasDatabase()) {
            // By the command mysql the gateway's host makes the tables.
            image.ifPresent(known -> packages.add(known.mySqlPackage));
        }
        return packages;
    }

    private boolean hasDatabase() {
        return values.keySet().stream().anyMatch(key -> key.startsWith("database."));
    }

    private Optional<AwsSettings.Database> database() {
        if (!hasDatabase()) {
            return Optional.empty();
        }
        if (choice("timer", "schedule", "none").equals("none")) {
            problem("timer", "a database does not end itself as the machines do: it needs timer: schedule");
        }
        String type = text("database.type").orElse("db.m5.large");
        matching("database.type", type, "db\\.[a-z0-9-]+\\.[a-z0-9]+", "a class of RDS like db.m5.large");
        String version = text("database.version").orElse("8.4.6");
        matching("database.version", version, "[0-9]+(\\.[0-9]+){0,2}", "a version of MySQL");
        return Optional.of(new AwsSettings.Database(
                type, number("database.storage", DEFAULT_STORAGE_GIB, 20, MAX_DISK_GIB), version));
    }

    private String type(String key, String otherwise) {
        String type = text(key).orElse(otherwise);
        matching(key, type, "[a-z][a-z0-9-]*\\.[a-z0-9-]+", "an instance type like c5.xlarge");
        return type;
    }

    private Optional<String> text(String key) {
        return Optional.ofNullable(values.get(key))
                .map(value -> value.texts().isEmpty() ? "" : value.texts().get(0))
                .filter(text -> !text.isBlank());
    }

    private void matching(String key, String text, String pattern, String what) {
        if (!text.matches(pattern)) {
            problem(key, key + " must be " + what + " but was '" + text + "'");
        }
    }

    private String choice(String key, String first, String second) {
        String text = text(key).orElse(first);
        if (!text.equals(first) && !text.equals(second)) {
            problem(key, key + " must be " + first + " or " + second + " but was '" + text + "'");
        }
        return text;
    }

    private Optional<Path> path(String key) {
        Path directory = file.toAbsolutePath().getParent();
        Optional<Path> path = text(key).map(text -> directory.resolve(text).normalize());
        if (path.isPresent() && !Files.isRegularFile(path.get())) {
            problem(key, key + " must be a file but " + path.get() + " is none");
        }
        return path;
    }

    private Optional<ObjectPlace> place(String key) {
        try {
            return text(key).map(ObjectPlace::of);
        } catch (CloudException e) {
            problem(key, key + ": " + e.getMessage());
            return Optional.empty();
        }
    }

    private int number(String key, int otherwise, int least, int most) {
        String text = text(key).orElse(String.valueOf(otherwise));
        if (text.matches("[0-9]{1,6}") && Integer.parseInt(text) >= least && Integer.parseInt(text) <= most) {
            return Integer.parseInt(text);
        }
        problem(key, key + " must be a number from " + least + " to " + most + " but was '" + text + "'");
        return otherwise;
    }

    private Optional<Double> positive(String key) {
        return text(key).flatMap(text -> {
            if (text.matches("[0-9]{1,6}(\\.[0-9]{1,4})?") && Double.parseDouble(text) > 0) {
                return Optional.of(Double.parseDouble(text));
            }
            problem(key, key + " must be a number above 0 but was '" + text + "'");
            return Optional.empty();
        });
    }

    private Optional<Duration> time(String key) {
        return text(key).flatMap(text -> {
            Matcher matcher = TIME.matcher(text);
            if (!matcher.matches()) {
                problem(key, key + " must be a time like 30m but was '" + text + "'");
                return Optional.empty();
            }
            long count = Long.parseLong(matcher.group(1));
            return Optional.of(
                    switch (matcher.group(2)) {
                        case "s" -> Duration.ofSeconds(count);
                        case "m" -> Duration.ofMinutes(count);
                        default -> Duration.ofHours(count);
                    });
        });
    }

    private Optional<Integer> prefix(String key, String block) {
        Matcher matcher = BLOCK.matcher(block);
        if (matcher.matches()) {
            boolean valid = Integer.parseInt(matcher.group(2)) <= 32;
            for (String part : matcher.group(1).split("\\.")) {
                valid &= Integer.parseInt(part) <= 255;
            }
            if (valid) {
                return Optional.of(Integer.parseInt(matcher.group(2)));
            }
        }
        problem(key, key + " must be an IPv4 block like 203.0.113.7/32 but was '" + block + "'");
        return Optional.empty();
    }

    private void problem(String key, String text) {
        problem(values.containsKey(key) ? values.get(key).line() : 1, text);
    }

    private void problem(int line, String text) {
        problems.add(file + ":" + line + ": " + text);
    }
}
