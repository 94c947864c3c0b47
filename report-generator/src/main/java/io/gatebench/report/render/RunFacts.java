/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.render;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.gatebench.model.GatewayCpus;
import io.gatebench.model.GcSummary;
import io.gatebench.model.LoadResult;
import io.gatebench.model.NodeRole;
import io.gatebench.model.ProcessReport;
import io.gatebench.model.RunManifest;
import io.gatebench.model.SystemInformation;
import io.gatebench.model.TestCaseResult;

/** Statements of documents on how a run was made, from what was recorded of it: machines, limits, tokens, JVMs. */
final class RunFacts {

    private static final Pattern GC_FLAG = Pattern.compile(
            "-Xlog:gc.*|-Xloggc:.*|-XX:[+-](?:Print\\w*GC\\w*|PrintTenuringDistribution|Use\\w+GC)|-XX:\\w*GC\\w*=.*");
    private static final Set<String> ENGINES = Set.of("docker", "podman", "nerdctl");

    private final RunManifest info;
    private final List<TestCaseResult.Completed> completed;
    private final List<ProcessReport> processes;

    RunFacts(RunManifest info, List<? extends TestCaseResult> results) {
        this.info = info;
        completed = results.stream()
                .filter(TestCaseResult.Completed.class::isInstance)
                .map(TestCaseResult.Completed.class::cast)
                .toList();
        processes = completed.stream()
                .flatMap(result -> result.processes().stream())
                .toList();
    }

    boolean onAws() {
        return environment().startsWith("aws");
    }

    private String environment() {
        return info.environment().toLowerCase(Locale.ROOT);
    }

    /** Returns the value of the first row of that description, the gateway's machine first. */
    Optional<String> value(String description) {
        return info.systems().stream()
                .flatMap(system -> value(system, description).stream())
                .findFirst();
    }

    static Optional<String> value(SystemInformation system, String description) {
        return system.rows().stream()
                .filter(row -> row.description().equals(description))
                .map(SystemInformation.Row::value)
                .findFirst();
    }

    static Optional<String> memory(SystemInformation system) {
        return value(system, "System Memory").or(() -> value(system, "System memory"));
    }

    /** Returns the gateways' machines: documents number the stacks by them. */
    List<SystemInformation> gatewayMachines() {
        Set<String> others = hosts(role -> role != NodeRole.GATEWAY);
        others.removeAll(hosts(role -> role == NodeRole.GATEWAY));
        return info.systems().stream()
                .filter(system -> !others.contains(system.host()))
                .toList();
    }

    private Set<String> hosts(Predicate<NodeRole> roles) {
        return processes.stream()
                .filter(process -> roles.test(process.role()))
                .map(ProcessReport::host)
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** Returns the sentence in the place of the published one about an EC2 instance, which only holds for EC2. */
    String machine() {
        StringBuilder text = new StringBuilder(info.applicationName());
        Set<String> gateways = hosts(role -> role == NodeRole.GATEWAY);
        if (environment().startsWith("local")) {
            text.append(", the back end and the load generator ran on one machine, each in a ")
                    .append(allAreJvms() ? "JVM" : "process")
                    .append(" of its own");
        } else if (onAws()) {
            text.append(" ran on Amazon EC2");
        } else {
            text.append(" ran on ")
                    .append(
                            gateways.isEmpty()
                                    ? "a machine that was set up before the run"
                                    : (gateways.size() == 1 ? "the machine " : "the machines ")
                                            + String.join(", ", gateways));
        }
        List<String> parts = new ArrayList<>();
        value("CPU(s)").ifPresent(cpus -> parts.add(cpus + (cpus.equals("1") ? " CPU" : " CPUs")));
        value("Model name").ifPresent(parts::add);
        info.systems().stream()
                .flatMap(system -> memory(system).stream())
                .findFirst()
                .ifPresent(memory -> parts.add(memory + " of memory"));
        value("Release").ifPresent(parts::add);
        if (!parts.isEmpty()) {
            text.append(" (").append(String.join(", ", parts)).append(')');
        }
        return text.append('.').append(otherMachines()).toString();
    }

    /** Names the machines of the back end and of the load generators, where they are not the gateway's. */
    private String otherMachines() {
        Set<String> gateways = hosts(role -> role == NodeRole.GATEWAY);
        Set<String> backends = hosts(role -> role == NodeRole.BACKEND);
        Set<String> generators = hosts(role -> role == NodeRole.LOAD_GENERATOR);
        if (environment().startsWith("local") || gateways.isEmpty() || backends.isEmpty() || generators.isEmpty()) {
            return "";
        }
        return " The back end ran on " + place(backends, gateways) + ", the load "
                + (generators.size() == 1 ? "generator" : "generators") + " on " + place(generators, gateways) + ".";
    }

    private static String place(Set<String> hosts, Set<String> gateways) {
        return hosts.equals(gateways) ? "the same machine" : String.join(", ", hosts);
    }

    /** Only what was started as a Java program in every case is known to be one. */
    private boolean allAreJvms() {
        return !completed.isEmpty()
                && completed.stream()
                        .allMatch(result ->
                                result.processes().stream().anyMatch(process -> process.role() == NodeRole.GATEWAY)
                                        && result.processes().stream().allMatch(RunFacts::isJvm));
    }

    private static boolean isJvm(ProcessReport process) {
        return process.gc().isPresent()
                || !process.command().isEmpty() && Set.of("java", "java.exe").contains(program(process));
    }

    private static String program(ProcessReport process) {
        return process.command().get(0).replaceFirst(".*[/\\\\]", "");
    }

    boolean ownClient() {
        return completed.stream()
                .anyMatch(result -> result.load()
                        .method()
                        .filter(LoadResult.Method::ownClient)
                        .isPresent());
    }

    boolean usersAlwaysWait() {
        return completed.stream().allMatch(result -> result.load().closedWithoutThinkTime());
    }

    /** Returns the numbers of processors that the gateway's container was limited to, e.g. {@code 0.5, 1}. */
    String cpuLimit() {
        return value("Container CPU limit").orElse("");
    }

    String memoryLimit() {
        return value("Container memory limit").orElse("");
    }

    /** Returns the published sentence about a container, or nothing for a run without one. */
    String container() {
        String limits = Stream.of(conditions("--cpus", cpuLimit()), conditions("--memory", memoryLimit()))
                .filter(text -> !text.isEmpty())
                .collect(Collectors.joining(" and "));
        if (limits.isEmpty()) {
            return "";
        }
        String engine = processes.stream()
                .filter(process -> process.role() == NodeRole.GATEWAY)
                .flatMap(process -> process.command().stream())
                .map(word -> word.replaceFirst(".*/", ""))
                .filter(ENGINES::contains)
                .findFirst()
                .orElse("container");
        return "And " + (info.plan().product().equals("microgateway") ? "the microgateway" : info.applicationName())
                + " was started in the **" + engine + "** environment with " + limits + " condition.";
    }

    private static String conditions(String option, String values) {
        return values.isEmpty()
                ? ""
                : Arrays.stream(values.split(", "))
                        .map(value -> "**" + option + " = " + value + "**")
                        .collect(Collectors.joining(" or "));
    }

    /** Returns the numbers of processors of the gateway in the plan, where it names any and they are no container's limit. */
    String plannedCpus() {
        return cpuLimit().isEmpty()
                ? info.plan().matrix().gatewayCpus().stream()
                        .filter(cpus -> cpus.number().isPresent())
                        .map(GatewayCpus::toString)
                        .collect(Collectors.joining(", "))
                : "";
    }

    /** Returns the kinds of tokens that requests carried, in words. */
    List<String> tokenTypes() {
        return info.plan().scenarios().stream()
                .map(scenario -> switch (scenario.token()) {
                    case NONE -> "";
                    case JWT -> "JWT";
                    case OPAQUE -> "opaque (OAuth2), introspected by the gateway";
                })
                .filter(text -> !text.isEmpty())
                .distinct()
                .toList();
    }

    /** Returns the versions of the JVMs as their GC logs tell, with what ran in them if they are not all the same. */
    List<String> jvms() {
        Map<String, String> jvms = new LinkedHashMap<>();
        processes.forEach(process ->
                process.gc().flatMap(GcSummary::jdk).ifPresent(version -> jvms.putIfAbsent(label(process), version)));
        return Set.copyOf(jvms.values()).size() == 1
                ? List.of("Java version: " + jvms.values().iterator().next())
                : jvms.entrySet().stream()
                        .map(jvm -> "Java version of " + jvm.getKey() + ": " + jvm.getValue())
                        .toList();
    }

    private static String label(ProcessReport process) {
        return switch (process.role()) {
            case GATEWAY -> process.name();
            case BACKEND -> "Back end";
            case LOAD_GENERATOR -> "Load generator";
        };
    }

    /** Returns the flags of the gateway's command line that choose its collector and its GC log. */
    String gcFlags() {
        return processes.stream()
                .filter(process -> process.role() == NodeRole.GATEWAY)
                .map(process -> process.command().stream()
                        .filter(word -> GC_FLAG.matcher(word).matches())
                        .collect(Collectors.joining(" ")))
                .filter(flags -> !flags.isEmpty())
                .findFirst()
                .orElse("");
    }

    /** Returns one row per role and machine for the table of the deployment, and one for the database. */
    List<Map<String, String>> deployment() {
        Map<String, Map<String, String>> rows = new LinkedHashMap<>();
        for (NodeRole role : List.of(NodeRole.LOAD_GENERATOR, NodeRole.BACKEND, NodeRole.GATEWAY)) {
            processes.stream()
                    .filter(process -> process.role() == role)
                    .forEach(process -> rows.putIfAbsent(
                            label(process) + " " + process.host(), row(label(process), process.host())));
        }
        if (rows.isEmpty()) {
            info.systems().forEach(system -> rows.put(system.host(), row(system.host(), system.host())));
        }
        List<Map<String, String>> all = new ArrayList<>(rows.values());
        Optional.ofNullable(info.versions().get("database"))
                .ifPresent(database ->
                        all.add(Map.of("name", database, "host", "-", "type", "-", "cpus", "-", "memory", "-")));
        return all;
    }

    private Map<String, String> row(String name, String host) {
        Optional<SystemInformation> system = info.systems().stream()
                .filter(machine -> machine.host().equals(host))
                .findFirst();
        return Map.of(
                "name", name,
                "host", host,
                "type",
                        system.flatMap(machine -> value(machine, "Instance Type"))
                                .orElse("-"),
                "cpus", system.flatMap(machine -> value(machine, "CPU(s)")).orElse("-"),
                "memory", system.flatMap(RunFacts::memory).orElse("-"));
    }
}
