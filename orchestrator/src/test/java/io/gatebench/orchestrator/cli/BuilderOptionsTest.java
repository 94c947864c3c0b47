/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import picocli.CommandLine.Model.OptionSpec;

import io.gatebench.runner.GatewayBenchmark;

/** What the command {@code run} can be told, a program in Java can be told too. */
class BuilderOptionsTest {

    /** Options that a library has no use for, each with the reason. */
    private static final Map<String, String> OF_THE_PROGRAM_ALONE = Map.ofEntries(
            Map.entry("--help", "explains options"),
            Map.entry("--help-all", "explains options"),
            Map.entry("--stacktrace", "exceptions have one"),
            Map.entry("--environment", "follows from hosts, kubernetes and aws"),
            Map.entry("--quiet", "the listener is silent unless set"),
            Map.entry("--format", "results are objects"),
            Map.entry("--color", "results are objects"),
            Map.entry("--watch", "the command watch serves the page of any run"),
            Map.entry("--yes", "nobody is asked"),
            Map.entry("--detach", "takes the program along, which a library is not"),
            Map.entry("--machines", "is what --detach starts the program with"));

    /** Options whose method is called otherwise. */
    private static final Map<String, String> OTHERWISE = Map.of("--max-hours", "maxTime");

    @Test
    void hasAMethodForEachOptionOfRun() {
        Set<String> methods = Stream.concat(
                        Arrays.stream(GatewayBenchmark.Builder.class.getMethods()),
                        Arrays.stream(GatewayBenchmark.class.getMethods()))
                .map(method -> method.getName().toLowerCase(Locale.ROOT))
                .collect(Collectors.toSet());

        assertThat(new CommandLineProgram()
                        .commandLine()
                        .getSubcommands()
                        .get("run")
                        .getCommandSpec()
                        .options())
                .map(OptionSpec::longestName)
                .filteredOn(option -> !OF_THE_PROGRAM_ALONE.containsKey(option))
                .hasSizeGreaterThan(40)
                .allSatisfy(option -> {
                    String name = OTHERWISE
                            .getOrDefault(option, option.replace("-", ""))
                            .toLowerCase(Locale.ROOT);
                    assertThat(methods).containsAnyOf(name, name + "s", name.replaceFirst("y$", "ies"));
                });
    }
}
