/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.function.IntSupplier;

import io.gatebench.orchestrator.plan.RunPlan;
import io.gatebench.orchestrator.run.RunListener;

/** Chooses how the progress of a run is shown. */
final class Progress {

    private Progress() {}

    /**
     * Returns a line that is rewritten in place on a terminal, and plain lines elsewhere.
     *
     * @param columns tells the width of the terminal; asked on a terminal alone
     */
    static RunListener create(PrintWriter err, RunPlan plan, InstantSource clock, IntSupplier columns) {
        return isTerminal() ? new TerminalProgress(err, plan, clock, columns.getAsInt()) : new PlainProgress(err, plan);
    }

    /** Standard error is what matters; {@link System#console()} speaks of input and output, so it is the fallback. */
    private static boolean isTerminal() {
        if ("dumb".equals(System.getenv("TERM"))) {
            return false;
        }
        Path standardError = Path.of("/proc/self/fd/2");
        if (Files.isSymbolicLink(standardError)) {
            try {
                String target = Files.readSymbolicLink(standardError).toString();
                return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
            } catch (IOException e) {
                return false;
            }
        }
        return System.console() != null;
    }
}
