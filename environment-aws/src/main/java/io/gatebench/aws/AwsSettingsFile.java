/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.aws;

import static io.gatebench.settings.ConfigNode.value;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.gatebench.model.cloud.CloudException;
import io.gatebench.settings.ConfigNode;
import io.gatebench.settings.Key;
import io.gatebench.settings.PlanException;
import io.gatebench.settings.Shape;

/** Reads settings files; all problems are reported together with file and line. */
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

    static final String TITLE = "Settings of Gatebench for runs in AWS";

    private static final String TYPE = "c5.xlarge";
    private static final String NETWORK = "10.80.0.0/24";
    private static final String PUBLIC = "public";
    private static final String PRIVATE = "private";
    private static final String SCHEDULE = "schedule";
    private static final int DISK_GIB = 30;
    private static final int STORAGE_GIB = 20;
    private static final int MAX_DISK_GIB = 16_000;
    private static final int MAX_LOAD_GENERATORS = 20;
    private static final int MAX_TAG_KEY = 128;
    private static final int MAX_TAG_VALUE = 256;
    private static final int NARROWEST_CALLER = 24;
    private static final int MAX_TAGS = 40;
    private static final Pattern BLOCK = Pattern.compile("([0-9]{1,3}(?:\\.[0-9]{1,3}){3})/([0-9]{1,2})");
    private static final Duration LEASE = Duration.ofMinutes(30);
    private static final Duration MIN_LEASE = Duration.ofMinutes(5);
    private static final Duration SETUP = Duration.ofMinutes(20);

    private static final Shape.Scalar<String> IMAGE_NAME = matching(
            "al2023|ubuntu-24\\.04|ami-[0-9a-f]{8,17}|/[A-Za-z0-9_./-]+|[0-9a-z-]+:[^:]+",
            "al2023, ubuntu-24.04, ami-..., the name of an SSM parameter (/aws/...) or owner:name-pattern");
    private static final Shape.Scalar<String> INSTANCE_TYPE =
            matching("[a-z][a-z0-9-]*\\.[a-z0-9-]+", "an instance type like c5.xlarge");
    private static final Shape.Scalar<String> PACKAGE = matching("[a-z0-9][a-z0-9.+_-]*", "a package's name");
    private static final Shape.Scalar<String> PLACE =
            Shape.matching(ObjectPlace.URI, "a place in S3 like s3://bucket/name, of letters, digits and !_.*'()/-,");
    private static final Shape.Scalar<String> ACCESS = Shape.choice(PUBLIC, PRIVATE);
    private static final Shape.Scalar<String> TIMER = Shape.choice(SCHEDULE, "none");
    private static final Shape.Scalar<Integer> LOAD_GENERATORS = Shape.number(1, MAX_LOAD_GENERATORS);
    private static final Shape.Scalar<Integer> DISK = Shape.number(8, MAX_DISK_GIB);
    private static final Shape.Scalar<Integer> STORAGE = Shape.number(20, MAX_DISK_GIB);
    private static final Shape.Scalar<Double> POSITIVE = Shape.decimal(0.0001, 999_999, "a number above 0");
    private static final Shape.Scalar<Duration> TIME = Shape.duration("s");
    private static final Shape.Scalar<String> DATABASE_TYPE =
            matching("db\\.[a-z0-9-]+\\.[a-z0-9]+", "a class of RDS like db.m5.large");
    private static final Shape.Scalar<String> DATABASE_VERSION =
            matching("[0-9]+(\\.[0-9]+){0,2}", "a version of MySQL");

    /** Everything that may stand in a settings file. */
    static final Shape.Keys KEYS = Shape.keys(
            Key.of(
                    "region",
                    matching("[a-z]{2}(-[a-z]+)+-[0-9]", "a region like eu-west-1"),
                    "Where everything is created; else the region of the AWS configuration."),
            Key.of("profile", Shape.text(), "Profile of the AWS configuration files."),
            Key.of("image", IMAGE_NAME, "al2023, ubuntu-24.04, ami-..., an SSM parameter, or owner:name pattern.")
                    .otherwise(KnownImage.AL2023.alias),
            Key.of("user", matching("[a-z_][a-z0-9_-]{0,31}", "a login name"), "Login of the image."),
            Key.of("device", matching("/dev/[a-z0-9]+", "a device like /dev/xvda"), "Root device of the image."),
            Key.of(
                    "instances",
                    Shape.keys(
                            Key.of("gateway", INSTANCE_TYPE, "Instance type of the gateway.")
                                    .otherwise(TYPE),
                            Key.of("backend", INSTANCE_TYPE, "Instance type of the back end.")
                                    .otherwise(TYPE),
                            Key.of("load-generator", INSTANCE_TYPE, "Instance type of the load generators.")
                                    .otherwise(TYPE)),
                    "Instance types."),
            Key.of("load-generators", LOAD_GENERATORS, "How many load generators.")
                    .otherwise(1),
            Key.of("disk", DISK, "GiB of each root volume.").otherwise(DISK_GIB),
            Key.of(
                    "packages",
                    Shape.either(PACKAGE, Shape.list(PACKAGE)),
                    "What the machines install when they start; else a JDK 17, and with a database its command."),
            Key.of("java", Shape.text(), "Path of the java command of the image; else that of the login."),
            Key.of("install-java", Shape.text(), "Archive of a JDK here that is put on the machines."),
            Key.of("address", ACCESS, "private where the private addresses are reached, e.g. through a VPN.")
                    .otherwise(PUBLIC),
            Key.of("network", Shape.read(AwsSettingsFile::network), "Private network of stack 1.")
                    .otherwise(NETWORK),
            Key.of(
                    "caller",
                    Shape.read(AwsSettingsFile::caller),
                    "Who may reach port 22, a block of at least 24 bits; auto: this machine, as the internet sees it."),
            Key.of("known-hosts", Shape.text(), "Host keys of the image, where it must keep its own."),
            Key.of(
                            "lease",
                            new Shape.Scalar<>(AwsSettingsFile::lease, TIME.schema()),
                            "How long a machine goes on without the program, at least 5m.")
                    .otherwise(LEASE.toMinutes() + "m"),
            Key.of("setup-time", TIME, "Expected for creating and installing, for the estimate.")
                    .otherwise(SETUP.toMinutes() + "m"),
            Key.of("max-cost", POSITIVE, "Most dollars that the run may cost by the estimate."),
            Key.of("max-hours", POSITIVE, "Most hours that the run may take."),
            Key.of("timer", TIMER, "none: no schedule and no role in AWS.").otherwise(SCHEDULE),
            Key.of(
                    "database",
                    Shape.keys(
                            Key.of("type", DATABASE_TYPE, "Class of RDS.").otherwise("db.m5.large"),
                            Key.of("storage", STORAGE, "GiB of storage.").otherwise(STORAGE_GIB),
                            Key.of("version", DATABASE_VERSION, "Version of MySQL.")
                                    .otherwise("8.4.6")),
                    "A MySQL of RDS in the same network."),
            Key.of("tags", new Shape.Names(Shape.text()), "Further tags of everything."),
            Key.of("prices", Shape.text(), "A price list that goes before the built-in one."),
            Key.of("s3", PLACE, "s3://bucket/name: results are put below it when a run has ended."));

    private final Path file;
    private final List<String> problems = new ArrayList<>();

    private AwsSettingsFile(Path file) {
        this.file = file;
    }

    /**
     * Reads a settings file.
     *
     * @throws CloudException with file and line of every problem
     */
    static AwsSettings read(Path file) {
        AwsSettingsFile reader = new AwsSettingsFile(file);
        try {
            AwsSettings settings = reader.settings();
            if (reader.problems.isEmpty()) {
                return settings;
            }
        } catch (PlanException e) {
            throw CloudException.usage(e.problems());
        }
        throw CloudException.usage(reader.problems);
    }

    private AwsSettings settings() {
        Map<String, ConfigNode> top =
                ConfigNode.read(file, "settings file", KEYS, problems).mapping();
        String image = value(top, "image", IMAGE_NAME).orElse(KnownImage.AL2023.alias);
        Optional<KnownImage> known = KnownImage.of(image);
        Optional<String> user = text(top, "user").or(() -> known.map(k -> k.user));
        if (user.isEmpty() && top.containsKey("image") && !top.containsKey("user")) {
            top.get("image").problem("is '" + image + "', whose login is not known; name it as user");
        }
        Optional<Path> installJava = value(top, "install-java", this::existing);
        Optional<String> java = text(top, "java");
        Map<String, ConfigNode> database = nested(top, "database");
        boolean timer = value(top, "timer", TIMER).orElse(SCHEDULE).equals(SCHEDULE);
        if (!database.isEmpty() && !timer) {
            top.get("timer")
                    .problem("is none, but a database does not end itself as the machines do: it needs timer:"
                            + " schedule");
        }
        Map<String, ConfigNode> instances = nested(top, "instances");
        return new AwsSettings(
                text(top, "region"),
                text(top, "profile"),
                known.map(k -> k.parameter).orElse(image),
                user.orElse(""),
                text(instances, "gateway").orElse(TYPE),
                text(instances, "backend").orElse(TYPE),
                text(instances, "load-generator").orElse(TYPE),
                value(top, "load-generators", LOAD_GENERATORS).orElse(1),
                value(top, "disk", DISK).orElse(DISK_GIB),
                text(top, "device").or(() -> known.map(k -> k.device)).orElse("/dev/xvda"),
                Optional.ofNullable(top.get("packages"))
                        .map(AwsSettingsFile::named)
                        .orElseGet(() -> packages(known, installJava.isEmpty() && java.isEmpty(), !database.isEmpty())),
                java,
                installJava,
                value(top, "address", ACCESS).orElse(PUBLIC).equals(PRIVATE),
                text(top, "network").orElse(NETWORK),
                text(top, "caller").filter(caller -> !caller.equals("auto")),
                value(top, "known-hosts", this::existing),
                value(top, "lease", TIME).orElse(LEASE),
                value(top, "setup-time", TIME).orElse(SETUP),
                value(top, "max-cost", POSITIVE),
                value(top, "max-hours", POSITIVE).map(hours -> Duration.ofSeconds(Math.round(hours * 3600))),
                timer,
                database.isEmpty()
                        ? Optional.empty()
                        : Optional.of(new AwsSettings.Database(
                                text(database, "type").orElse("db.m5.large"),
                                value(database, "storage", STORAGE).orElse(STORAGE_GIB),
                                text(database, "version").orElse("8.4.6"))),
                tags(top),
                value(top, "prices", this::existing),
                value(top, "s3", PLACE).map(ObjectPlace::of));
    }

    private static List<String> named(ConfigNode packages) {
        List<ConfigNode> all = packages.isList() ? packages.items() : List.of(packages);
        return all.stream().flatMap(node -> node.text().stream()).toList();
    }

    private static Map<String, String> tags(Map<String, ConfigNode> top) {
        Map<String, String> tags = new LinkedHashMap<>();
        if (top.containsKey("tags")) {
            top.get("tags")
                    .freeMapping()
                    .forEach((key, node) -> node.text().ifPresent(value -> {
                        if (key.isBlank()
                                || key.length() > MAX_TAG_KEY
                                || value.length() > MAX_TAG_VALUE
                                || key.startsWith("aws:")
                                || key.startsWith("gatebench:")) {
                            node.problem("is no tag: it must not begin with 'aws:' or 'gatebench:' and has at most "
                                    + MAX_TAG_KEY + " characters, its value " + MAX_TAG_VALUE);
                        } else {
                            tags.put(key, value);
                        }
                    }));
            if (tags.size() > MAX_TAGS) {
                top.get("tags").problem("has " + tags.size() + " but there must be at most " + MAX_TAGS);
            }
        }
        return tags;
    }

    private static List<String> packages(Optional<KnownImage> image, boolean java, boolean database) {
        List<String> packages = new ArrayList<>();
        if (java) {
            image.ifPresent(known -> packages.add(known.javaPackage));
        }
        if (database) {
            // By the command mysql the gateway's host makes the tables.
            image.ifPresent(known -> packages.add(known.mySqlPackage));
        }
        return packages;
    }

    private static Map<String, ConfigNode> nested(Map<String, ConfigNode> top, String key) {
        return top.containsKey(key) ? top.get(key).mapping() : Map.of();
    }

    private static Optional<String> text(Map<String, ConfigNode> of, String key) {
        return value(of, key, Function.identity());
    }

    private static Shape.Scalar<String> matching(String pattern, String words) {
        return Shape.matching(Pattern.compile(pattern), words);
    }

    private Path existing(String text) {
        Path path = file.toAbsolutePath().resolveSibling(text).normalize();
        if (!Files.isRegularFile(path)) {
            throw new IllegalArgumentException("must be a file but " + path + " is none");
        }
        return path;
    }

    private static Duration lease(String text) {
        Duration lease = TIME.apply(text);
        if (lease.compareTo(MIN_LEASE) < 0) {
            throw new IllegalArgumentException("must be at least 5m, so that a short disturbance does not end the"
                    + " machines, but was '" + text + "'");
        }
        return lease;
    }

    private static String network(String text) {
        if (bits(text) != 24 || !text.endsWith(".0/24")) {
            throw new IllegalArgumentException("must be a block a.b.c.0/24 but was '" + text + "'");
        }
        return text;
    }

    private static String caller(String text) {
        if (!text.equals("auto") && bits(text) < NARROWEST_CALLER) {
            throw new IllegalArgumentException("must be an address or a block of at least 24 bits, so that the machines"
                    + " are not open to the world, but was '" + text + "'");
        }
        return text;
    }

    private static int bits(String block) {
        Matcher matcher = BLOCK.matcher(block);
        if (matcher.matches()
                && Integer.parseInt(matcher.group(2)) <= 32
                && Arrays.stream(matcher.group(1).split("\\.")).allMatch(part -> Integer.parseInt(part) <= 255)) {
            return Integer.parseInt(matcher.group(2));
        }
        throw new IllegalArgumentException("must be an IPv4 block like 203.0.113.7/32 but was '" + block + "'");
    }
}
