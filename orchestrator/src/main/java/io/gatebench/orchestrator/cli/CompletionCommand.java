/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Spec;

import io.gatebench.gateways.ProductRegistry;
import io.gatebench.model.TestScenario;

/** {@code completion}: a script that makes the shell complete commands and options. */
@Command(
        name = "completion",
        description = {
            "Print a completion script for bash and zsh: commands, options, their values and files.",
            "Use it with an alias:",
            "  alias gatebench=/path/to/gatebench",
            "  source <(gatebench completion)"
        })
final class CompletionCommand implements Runnable {

    private static final Pattern WORDS = Pattern.compile("[a-z0-9]+(?:\\|[a-z0-9]+)+");
    private static final Pattern FILE = Pattern.compile("\\b(?:file|dir|zip)\\b");

    private final ProductRegistry registry = ProductRegistry.load();

    @Spec
    private CommandSpec spec;

    @Mixin
    private HelpOption help;

    @Override
    public void run() {
        CommandLine root = spec.root().commandLine();
        withValues(root);
        // Without a command the options are those of 'run'.
        CommandSpec run = root.getSubcommands().get("run").getCommandSpec();
        run.options().stream()
                .filter(option -> spec.root().findOption(option.longestName()) == null)
                .forEach(option ->
                        spec.root().addOption(OptionSpec.builder(option).build()));
        spec.commandLine().getOut().print(AutoComplete.bash("gatebench", root));
        spec.commandLine().getOut().flush();
    }

    private void withValues(CommandLine command) {
        CommandSpec own = command.getCommandSpec();
        for (OptionSpec option : List.copyOf(own.options())) {
            if (!option.inherited() && option.scopeType() != CommandLine.ScopeType.INHERIT) {
                completed(option).ifPresent(other -> {
                    own.remove(option);
                    own.addOption(other);
                });
            }
        }
        command.getSubcommands().values().forEach(this::withValues);
    }

    /** Returns an option that offers its values, where its label, its type or its name tells them. */
    private Optional<OptionSpec> completed(OptionSpec option) {
        String label = option.paramLabel();
        // The script names its lists of values by the labels.
        OptionSpec.Builder builder =
                OptionSpec.builder(option).paramLabel(option.longestName().substring(2));
        if (option.longestName().equals("--product")) {
            return Optional.of(builder.completionCandidates(registry.names()).build());
        }
        if (option.longestName().matches("--(exclude-)?scenario")) {
            return Optional.of(builder.completionCandidates(scenarios()).build());
        }
        if (WORDS.matcher(label).matches()) {
            return Optional.of(
                    builder.completionCandidates(List.of(label.split("\\|"))).build());
        }
        if (option.auxiliaryTypes()[0].isEnum()) {
            return Optional.of(
                    builder.completionCandidates(UsageError.words(option)).build());
        }
        return FILE.matcher(label).find() && option.type() == String.class
                ? Optional.of(OptionSpec.builder(option.longestName())
                        .arity("1")
                        .type(Path.class)
                        .build())
                : Optional.empty();
    }

    private List<String> scenarios() {
        return registry.products().stream()
                .flatMap(product -> product.scenarios().stream())
                .map(TestScenario::name)
                .distinct()
                .toList();
    }
}
