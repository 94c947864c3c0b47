/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code version}: what this program is. */
@Command(name = "version", description = "Show the versions of program, Java and system.")
final class VersionCommand implements Runnable {

    @Spec
    private CommandSpec spec;

    @Mixin
    private HelpOption help;

    @Override
    public void run() {
        for (String line : new Version().getVersion()) {
            spec.commandLine().getOut().println(line);
        }
    }
}
