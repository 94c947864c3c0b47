/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.cli;

import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code completion}: a script that makes the shell complete commands and options. */
@Command(
        name = "completion",
        description = {
            "Print a completion script for bash and zsh.",
            "Use it with an alias:",
            "  alias gatebench=/path/to/gatebench",
            "  source <(gatebench completion)"
        })
final class CompletionCommand implements Runnable {

    @Spec
    private CommandSpec spec;

    @Mixin
    private HelpOption help;

    @Override
    public void run() {
        spec.commandLine()
                .getOut()
                .print(AutoComplete.bash("gatebench", spec.root().commandLine()));
        spec.commandLine().getOut().flush();
    }
}
