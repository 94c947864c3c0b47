/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.cli;

import java.io.PrintWriter;
import java.time.InstantSource;
import java.util.function.IntSupplier;

import io.gatebench.runner.plan.RunPlan;
import io.gatebench.spi.RunListener;

/** Ways to show the progress of a run. */
interface Progress extends RunListener {

    /** Progress that nobody sees. */
    Progress SILENT = new Progress() {
        @Override
        public void clear() {}
    };

    /** Takes away what is no lasting line, so that a result can be printed below. */
    void clear();

    /**
     * Returns a line that is rewritten in place on a terminal, and plain lines elsewhere.
     *
     * @param columns tells the width of the terminal; asked on a terminal alone
     */
    static Progress create(PrintWriter err, RunPlan plan, InstantSource clock, IntSupplier columns) {
        return Terminal.isErrorOutput()
                ? new TerminalProgress(PrintableWriter.terminal(err), plan, clock, columns.getAsInt())
                : new PlainProgress(err, plan);
    }
}
