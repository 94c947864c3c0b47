/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import io.gatebench.gateways.importer.ImportException;
import io.gatebench.gateways.importer.Importer;
import io.gatebench.settings.FileProblem;

/** {@code import}: a gateway file from an OpenAPI document, an HTTP archive or a plan of JMeter. */
@Command(
        name = "import",
        description = {
            "Write a gateway file from an OpenAPI document, an HTTP archive (HAR) or a plan of JMeter.",
            "Each request becomes a scenario with method, path, headers, body and check; what is left out is said. Nothing"
                    + " is sent, and no secret is written."
        })
final class ImportCommand implements Runnable {

    @Spec
    private CommandSpec spec;

    @Mixin
    private HelpOption help;

    @Parameters(index = "0", paramLabel = "<kind>", description = "What the file is: openapi, har or jmx.")
    private Importer.Kind kind;

    @Parameters(index = "1", paramLabel = "<file>", description = "The file.")
    private Path file;

    @Option(
            names = "--out",
            paramLabel = "<dir>",
            defaultValue = "imported",
            description = "Where gateway.yaml and the bodies of its requests go (default: ${DEFAULT-VALUE}).")
    private Path out;

    @Override
    public void run() {
        if (Files.exists(out.resolve("gateway.yaml"))) {
            throw CommandException.usage(
                    out.resolve("gateway.yaml") + " is there already; name another --out, or remove it");
        }
        try {
            Importer.Imported imported = Importer.run(kind, file, out);
            PrintWriter err = spec.commandLine().getErr();
            imported.leftOut().forEach(what -> err.println("left out: " + what));
            err.println(imported.scenarios() + (imported.scenarios() == 1 ? " scenario" : " scenarios"));
            err.flush();
            spec.commandLine().getOut().println(imported.file());
            spec.commandLine().getOut().flush();
        } catch (ImportException e) {
            throw new CommandException(ExitStatus.USAGE, e.getMessage(), e);
        } catch (IOException e) {
            throw new CommandException(ExitStatus.ENVIRONMENT, "cannot write to " + out + ": " + FileProblem.of(e), e);
        }
    }
}
