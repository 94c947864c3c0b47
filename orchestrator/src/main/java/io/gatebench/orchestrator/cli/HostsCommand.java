/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import io.gatebench.hosts.SshHost;
import io.gatebench.hosts.environment.HostRequirements;
import io.gatebench.hosts.environment.HostsEnvironment;
import io.gatebench.hosts.environment.HostsFile;
import io.gatebench.hosts.environment.HostsPlan;
import io.gatebench.runner.run.Launcher;
import io.gatebench.spi.EnvironmentException;
import io.gatebench.spi.host.HostException;

/** {@code hosts}: looks at the hosts of a hosts file, or removes what was put on them. */
@Command(name = "hosts", description = "Check the hosts of a hosts file, or remove what was put on them.")
final class HostsCommand {

    @Spec
    private CommandSpec spec;

    @Mixin
    private HelpOption help;

    @Command(name = "check", description = "Look at every host before anything is started; changes nothing.")
    int check(
            @Mixin HelpOption helpOfCheck,
            @Option(names = "--hosts", required = true, paramLabel = "<file.yaml>", description = "The hosts file.")
                    Path file,
            @Option(
                            names = "--accept-new-host-keys",
                            description = "Accept and keep the keys of hosts that are not known yet.")
                    boolean accept,
            @Option(
                            names = "--install-java",
                            paramLabel = "<jdk.tar.gz>",
                            description = "A JDK that a run would unpack on hosts that name none.")
                    @Nullable
                    Path installJava) {
        HostsPlan plan = HostsFile.read(file, accept, Optional.ofNullable(installJava));
        PrintWriter err = spec.commandLine().getErr();
        try (HostsEnvironment hosts =
                HostsEnvironment.look(plan, HostRequirements.none(), Launcher.newId(), err::println)) {
            PrintWriter out = spec.commandLine().getOut();
            hosts.report().forEach(out::println);
            out.flush();
            if (!hosts.problems().isEmpty()) {
                return ExitStatus.ENVIRONMENT.code();
            }
            err.println("All " + hosts.hosts().size() + " hosts can be used.");
            err.flush();
            return ExitStatus.OK.code();
        } catch (EnvironmentException e) {
            throw new CommandException(ExitStatus.ENVIRONMENT, e.getMessage(), e);
        }
    }

    @Command(name = "clean", description = "Stop what a run left on the hosts and remove all that was put there.")
    int clean(
            @Mixin HelpOption helpOfClean,
            @Option(names = "--hosts", required = true, paramLabel = "<file.yaml>", description = "The hosts file.")
                    Path file,
            @Option(names = "--force", description = "Also where another run holds the host.") boolean force) {
        HostsPlan plan = HostsFile.read(file, false, Optional.empty());
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        boolean all = true;
        String run = Launcher.newId();
        for (String name : plan.hosts().keySet()) {
            try (SshHost host = SshHost.connect(plan.hosts().get(name), plan.settings(), run, err::println)) {
                out.println(name + ": " + host.clean(force));
            } catch (HostException e) {
                err.println(e.getMessage());
                all = false;
            }
        }
        out.flush();
        err.flush();
        return (all ? ExitStatus.OK : ExitStatus.ENVIRONMENT).code();
    }
}
