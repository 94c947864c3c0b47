/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.cli;

import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import io.gatebench.report.results.ResultsDirectory;

/** {@code watch}: the page of a run that is going on. */
@Command(
        name = "watch",
        header = "Show the report of a run while it goes on.",
        description = {
            "",
            "Serves the page of a results directory on loopback, below a random path, until it is interrupted: what is"
                    + " measured now, the state of all test cases, the remaining time, and every result that is there.",
            ""
        })
final class WatchCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Mixin
    private HelpOption help;

    @Parameters(paramLabel = "<results>", description = "The results directory of the run.")
    private Path results;

    @Option(
            names = "--address",
            paramLabel = "<address>",
            description = "Listen there instead of on loopback; who knows the path can read the results.")
    private @Nullable String address;

    @Option(
            names = "--port",
            paramLabel = "<port>",
            defaultValue = "0",
            description = "Listen on this port. Default: one that is free.")
    private int port;

    @Override
    public Integer call() {
        ImportInputs.usage(() -> ResultsDirectory.open(results));
        if (port < 0 || port > 65_535) {
            throw CommandException.usage("--port must be between 0 and 65535 but was " + port);
        }
        try (WatchServer server = WatchServer.start(results, listenOn(), port)) {
            PrintWriter out = spec.commandLine().getOut();
            out.println(server.address());
            out.flush();
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return ExitStatus.OK.code();
    }

    private InetAddress listenOn() {
        try {
            return address == null ? InetAddress.getLoopbackAddress() : InetAddress.getByName(address);
        } catch (UnknownHostException e) {
            throw new CommandException(
                    ExitStatus.USAGE,
                    "--address " + address + " is no address of this machine; name one of its own",
                    e);
        }
    }
}
