/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import io.gatebench.report.verify.Verification;

/** {@code verify}: whether the files of a report belong to the same measured data. */
@Command(
        name = "verify",
        description = "Say whether Markdown, CSV, charts and HTML of a report belong to the same measured data.")
final class VerifyCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Mixin
    private HelpOption help;

    @Parameters(paramLabel = "<dir>", description = "The directory of the report.")
    private Path report = Path.of("");

    @Option(
            names = "--results",
            paramLabel = "<dir>",
            description = "The results directory, if the report lies elsewhere.")
    private @Nullable Path results;

    @Override
    public Integer call() {
        Verification verification = ImportInputs.usage(() -> Verification.of(report, Optional.ofNullable(results)));
        PrintWriter out = spec.commandLine().getOut();
        for (Verification.Check check : verification.checks()) {
            out.println(check.subject() + ": " + check.result().name().toLowerCase(Locale.ROOT));
            check.details().forEach(detail -> out.println("  " + detail));
        }
        out.println(
                verification.passed()
                        ? "the report belongs to one set of measured data"
                        : "the report does not belong to one set of measured data");
        out.flush();
        return (verification.passed() ? ExitStatus.OK : ExitStatus.THRESHOLD).code();
    }
}
