/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.aws;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

import io.gatebench.model.NodeRole;

/**
 * The CloudFormation templates {@code machines.yaml} and {@code guard.yaml}, filled in from the settings.
 *
 * <p>No template holds a secret: host keys come as parameters that AWS does not show, the password of a database is
 * made and kept by RDS.
 */
final class StackTemplate {

    /** The tag that says to which run a resource belongs. */
    static final String RUN_TAG = "gatebench:run";

    /** The tag that says when a resource is to be gone at the latest. */
    static final String EXPIRY_TAG = "gatebench:expires";

    /** The tag of an instance with the name of its machine. */
    static final String MACHINE_TAG = "gatebench:machine";

    /** The command on a machine that sets the minutes until it ends itself. */
    static final String LEASE_COMMAND = "/usr/local/sbin/gatebench-lease";

    /** The parameter of the machines and the output of the guard with the profile of the machine that archives. */
    static final String PROFILE = "Profile";

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int FIRST_ADDRESS = 11;
    private static final String ARCHIVER = "LoadGenerator1";
    private static final Set<String> OF_THE_DATABASE =
            Set.of("SecondSubnet", "DatabaseSubnets", "DatabaseAccess", "Database");

    private StackTemplate() {}

    /**
     * One machine of a stack.
     *
     * @param name e.g. {@code load-generator-1}
     * @param resource its name in the template
     * @param role what it is there for
     * @param type its instance type
     * @param address its private address
     */
    record Machine(String name, String resource, NodeRole role, String type, String address) {

        String hostKeyParameter() {
            return resource + "HostKey";
        }
    }

    /** Returns the machines of a stack in a fixed order with fixed private addresses. */
    static List<Machine> machines(AwsSettings settings) {
        List<Machine> machines = new ArrayList<>();
        String base = settings.network().substring(0, settings.network().lastIndexOf('.') + 1);
        machines.add(new Machine("gateway", "Gateway", NodeRole.GATEWAY, settings.gatewayType(), base + FIRST_ADDRESS));
        machines.add(new Machine(
                "backend", "Backend", NodeRole.BACKEND, settings.backendType(), base + (FIRST_ADDRESS + 1)));
        for (int i = 1; i <= settings.loadGenerators(); i++) {
            machines.add(new Machine(
                    "load-generator-" + i,
                    "LoadGenerator" + i,
                    NodeRole.LOAD_GENERATOR,
                    settings.loadGeneratorType(),
                    base + (FIRST_ADDRESS + 1 + i)));
        }
        return machines;
    }

    /**
     * Returns the template of the machines.
     *
     * @param stack the name of the stack, which the database carries too
     * @param login the public key that may log in
     * @param hostPublicKeys public host key by name of machine; empty if the image has its own
     * @param writesArchive whether the first load generator has the profile of the guard
     */
    static String machines(
            AwsSettings settings,
            String run,
            String stack,
            String login,
            Map<String, String> hostPublicKeys,
            boolean writesArchive) {
        Map<String, Object> template = read("machines.yaml");
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("NetworkRange", settings.network());
        values.put("SubnetRange", half(settings, 0));
        values.put("SecondSubnetRange", half(settings, 1));
        values.put("Device", settings.device());
        values.put("DiskGib", settings.diskGib());
        values.put("Run", run);
        values.put("Stack", stack);
        settings.database().ifPresent(database -> {
            values.put("DatabaseType", database.type());
            values.put("DatabaseVersion", database.version());
            values.put("DatabaseGib", String.valueOf(database.storageGib()));
        });
        Map<String, Object> pattern = part(template, "Parameters");
        Map<String, Object> parameters = new LinkedHashMap<>();
        parameters.put("Image", pattern.get("Image"));
        parameters.put("Caller", pattern.get("Caller"));
        Map<String, Object> resources = new LinkedHashMap<>();
        part(template, "Resources").forEach((name, resource) -> {
            if (name.equals("Machine")) {
                for (Machine machine : machines(settings)) {
                    boolean keyed = hostPublicKeys.containsKey(machine.name());
                    if (keyed) {
                        Map<String, Object> key = new LinkedHashMap<>(part(pattern, "HostKey"));
                        key.put("Description", "Private host key of " + machine.name());
                        parameters.put(machine.hostKeyParameter(), key);
                    }
                    values.put("InstanceType", machine.type());
                    values.put("Address", machine.address());
                    values.put("MachineName", machine.name());
                    Map<String, Object> instance = filled(resource, values);
                    Map<String, Object> properties = part(instance, "Properties");
                    String userData = userData(settings, machine, login, hostPublicKeys);
                    properties.put("UserData", Map.of("Fn::Base64", keyed ? Map.of("Fn::Sub", userData) : userData));
                    if (!writesArchive || !machine.resource().equals(ARCHIVER)) {
                        properties.remove("IamInstanceProfile");
                    }
                    resources.put(machine.resource(), instance);
                }
            } else if (settings.database().isPresent() || !OF_THE_DATABASE.contains(name)) {
                resources.put(name, filled(resource, values));
            }
        });
        if (writesArchive) {
            parameters.put(PROFILE, pattern.get(PROFILE));
        }
        template.put("Parameters", parameters);
        template.put("Resources", resources);
        return text(template);
    }

    /** A cloud-config; what is written as {@code ${...}} is filled in by CloudFormation. */
    private static String userData(
            AwsSettings settings, Machine machine, String login, Map<String, String> hostPublicKeys) {
        long minutes = settings.lease().toMinutes();
        StringBuilder text = new StringBuilder("#cloud-config\n");
        if (hostPublicKeys.containsKey(machine.name())) {
            text.append("ssh_deletekeys: true\nssh_keys:\n")
                    .append("  ed25519_private: \"${")
                    .append(machine.hostKeyParameter())
                    .append("}\"\n  ed25519_public: \"")
                    .append(hostPublicKeys.get(machine.name()))
                    .append("\"\n");
        }
        text.append("ssh_authorized_keys:\n  - \"").append(login).append("\"\n");
        text.append("write_files:\n  - path: ")
                .append(LEASE_COMMAND)
                .append("\n    permissions: '0755'\n    content: |\n")
                .append("      #!/bin/sh\n")
                .append("      # Sets after how many minutes this machine ends itself, in place of what was set.\n")
                .append("      exec shutdown -h \"+$1\"\n");
        // Once as early as possible and once for sure: the first may come before there is anything to take it.
        text.append("bootcmd:\n  - [sh, -c, \"shutdown -h +")
                .append(minutes)
                .append(" || true\"]\nruncmd:\n  - [")
                .append(LEASE_COMMAND)
                .append(", \"")
                .append(minutes)
                .append("\"]\n");
        if (!settings.packages().isEmpty()) {
            text.append("package_update: true\npackages:\n");
            settings.packages().forEach(name -> text.append("  - ").append(name).append('\n'));
        }
        return text.toString();
    }

    /**
     * Returns the template of the guard: schedules in AWS that delete the stacks of the machines when the time is over,
     * and the role with which they do it, which may touch what carries the tag of the run only.
     *
     * @param at the moment, as {@code 2026-11-21T18:00:00} in UTC
     * @param archive where the machine to which the run is left puts the results; it has no other right than that
     */
    static String guard(String run, List<String> stacks, String at, Optional<ObjectPlace> archive) {
        Map<String, Object> template = read("guard.yaml");
        template.remove("Parameters");
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("Run", run);
        values.put("At", at);
        archive.ifPresent(place -> {
            values.put("Bucket", place.bucket());
            values.put("Prefix", place.key());
        });
        Map<String, Object> resources = new LinkedHashMap<>();
        part(template, "Resources").forEach((name, resource) -> {
            if (name.equals("Timer")) {
                for (int number = 1; number <= stacks.size(); number++) {
                    values.put("Stack", stacks.get(number - 1));
                    resources.put("Timer" + number, filled(resource, values));
                }
            } else if (name.equals("TimerRole")) {
                resources.put(name, eachStack(filled(resource, values), stacks));
            } else if (archive.isPresent()) {
                resources.put(name, filled(resource, values));
            }
        });
        template.put("Resources", resources);
        if (archive.isEmpty()) {
            template.remove("Outputs");
        }
        return text(template);
    }

    /** The first statement of the timer's role names the stacks. */
    private static Map<String, Object> eachStack(Map<String, Object> role, List<String> stacks) {
        Map<String, Object> policy = part(first(part(role, "Properties").get("Policies")), "PolicyDocument");
        Map<String, Object> statement = first(policy.get("Statement"));
        Object pattern = first(statement.get("Resource"));
        statement.put(
                "Resource",
                stacks.stream()
                        .map(stack -> filled(pattern, Map.of("Stack", stack)))
                        .toList());
        return role;
    }

    /** Returns the path of the IAM names of a run. */
    static String path(String run) {
        return "/gatebench/" + run + "/";
    }

    private static Map<String, Object> read(String name) {
        try (InputStream in = StackTemplate.class.getResourceAsStream(name)) {
            return map(new Load(LoadSettings.builder().build()).loadFromInputStream(in));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String text(Map<String, Object> template) {
        try {
            return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(template);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a template is plain maps and texts", e);
        }
    }

    private static Map<String, Object> part(Map<String, Object> whole, String name) {
        return map(whole.get(name));
    }

    private static Map<String, Object> first(Object list) {
        return map(((List<?>) list).get(0));
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(Object part) {
        return (Map<String, Object>) part;
    }

    /** Returns a copy in which values stand in the place of the parameters that carry their names. */
    private static Map<String, Object> filled(Object resource, Map<String, Object> values) {
        return map(fill(resource, values));
    }

    private static Object fill(Object part, Map<String, Object> values) {
        if (part instanceof List<?> list) {
            return list.stream().map(element -> fill(element, values)).toList();
        }
        if (!(part instanceof Map)) {
            return part;
        }
        Map<String, Object> map = map(part);
        if (map.get("Ref") instanceof String name && values.containsKey(name)) {
            return values.get(name);
        }
        if (map.get("Fn::Sub") instanceof String text) {
            String plain = text;
            for (Map.Entry<String, Object> value : values.entrySet()) {
                plain = plain.replace("${" + value.getKey() + "}", String.valueOf(value.getValue()));
            }
            return plain.contains("${") ? new LinkedHashMap<>(Map.of("Fn::Sub", plain)) : plain;
        }
        Map<String, Object> copy = new LinkedHashMap<>();
        map.forEach((key, value) -> copy.put(key, fill(value, values)));
        return copy;
    }

    private static String half(AwsSettings settings, int which) {
        String base = settings.network().substring(0, settings.network().lastIndexOf('.') + 1);
        return base + 128 * which + "/25";
    }

    /** Returns the tags of a stack, which CloudFormation puts on everything in it. */
    static Map<String, String> tags(AwsSettings settings, String run, String expires) {
        Map<String, String> tags = new TreeMap<>(settings.tags());
        tags.put(RUN_TAG, run);
        tags.put(EXPIRY_TAG, expires);
        return tags;
    }
}
