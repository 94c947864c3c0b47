/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.IHelpSectionRenderer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * The headings under which the help of commands with many options shows them. A command with the option {@value #ALL} shows
 * the further ones of a group, and those of no group, with that option alone.
 */
final class OptionGroups {

    static final String ALL = "--help-all";

    private static final String OTHERS = "Other";

    private record Group(String heading, List<String> common, List<String> further) {}

    /** The groups by command; loaded where a help is shown, as a short command's work takes less than that. */
    private static final class OfCommands {
        private static final Map<String, List<Group>> GROUPS = Map.of(
                "run",
                List.of(
                        group(
                                "What is measured",
                                "product profile plan scenario exclude-scenario users message-size backend-delay heap",
                                "query elements repeat control-run scenario-name"),
                        group(
                                "Load",
                                "duration warm-up rate think-time",
                                "ramp-up user-levels pacing http-client payload-file payload-variants payload-compat"
                                        + " probe-every backend-heap load-generator-heap"),
                        group(
                                "Gateway",
                                "gateway-config gateway-url gateway-home gateway-cpus",
                                "gateway-memory gateway-replicas cpus restart keep gateway-port backend-port"),
                        group(
                                "Where",
                                "environment hosts kubernetes aws",
                                "accept-new-host-keys install-java max-cost max-hours keep-for stacks split yes detach"
                                        + " machines"),
                        group(
                                "Output",
                                "results resume estimate thresholds watch quiet help help-all",
                                "format color keep-failed-rows stop-on-failure stacktrace")),
                "gc",
                List.of(
                        group("What is read", "one-log run from to started stopped", ""),
                        group("What is printed", "format compat compare", ""),
                        group("Files that are written", "html chart pause-chart histogram events", "")),
                "echo",
                List.of(
                        group("Where it listens", "port host tls-port admin-port http2 transport threads backlog", ""),
                        group("TLS", "ssl key-store-file key-store-password tls-provider export-certificate", ""),
                        group("Responses", "delay response-size body-rate no-control-headers", ""),
                        group("Faults", "error-rate error-status reset-rate never-answer-rate seed", ""),
                        group(
                                "Limits",
                                "max-content-length max-header-size max-connections request-timeout write-timeout"
                                        + " idle-timeout shutdown-timeout",
                                "")));
    }

    private OptionGroups() {}

    private static Group group(String heading, String common, String further) {
        return new Group(heading, names(common), names(further));
    }

    private static List<String> names(String words) {
        return Stream.of(words.split(" "))
                .filter(word -> !word.isEmpty())
                .map(word -> "--" + word)
                .toList();
    }

    /** Groups the options of a command, if they are many. */
    static void apply(String name, CommandLine command) {
        Map<String, IHelpSectionRenderer> sections = command.getHelpSectionMap();
        IHelpSectionRenderer usual = sections.get(UsageMessageSpec.SECTION_KEY_OPTION_LIST);
        sections.put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, help -> {
            List<Group> groups = OfCommands.GROUPS.get(name);
            return groups == null ? usual.render(help) : text(help, groups);
        });
    }

    private static String text(Help help, List<Group> groups) {
        CommandSpec spec = help.commandSpec();
        OptionSpec whole = spec.findOption(ALL);
        boolean all = whole == null || Boolean.TRUE.equals(whole.getValue());
        List<OptionSpec> others = new ArrayList<>(spec.options());
        StringBuilder text = new StringBuilder();
        for (Group group : groups) {
            List<OptionSpec> common = options(spec, group.common());
            List<OptionSpec> further = options(spec, group.further());
            others.removeAll(common);
            others.removeAll(further);
            append(text, help, group.heading(), all ? joined(common, further) : common);
        }
        if (all) {
            append(text, help, OTHERS, others);
        }
        return text.toString();
    }

    private static List<OptionSpec> joined(List<OptionSpec> common, List<OptionSpec> further) {
        return Stream.concat(common.stream(), further.stream()).toList();
    }

    private static List<OptionSpec> options(CommandSpec spec, List<String> names) {
        return names.stream()
                .map(spec::findOption)
                .filter(Objects::nonNull)
                .distinct()
                .toList();
    }

    private static void append(StringBuilder text, Help help, String heading, List<OptionSpec> options) {
        if (options.isEmpty()) {
            return;
        }
        Help.Layout layout = help.createDefaultLayout();
        layout.addOptions(options, help.parameterLabelRenderer());
        text.append(System.lineSeparator())
                .append(heading)
                .append(':')
                .append(System.lineSeparator())
                .append(layout);
    }
}
