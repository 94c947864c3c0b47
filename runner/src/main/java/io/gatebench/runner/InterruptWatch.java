/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner;

import io.gatebench.runner.run.ForwardingRunListener;
import io.gatebench.runner.run.Interruption;
import io.gatebench.spi.RunListener;

/**
 * Turns an interrupt of the measuring thread into the request that the run ends.
 *
 * <p>The interrupt is kept back until the results are on disk: files cannot be written by an interrupted thread.
 */
final class InterruptWatch implements ForwardingRunListener {

    private final RunListener next;
    private final Interruption interruption;
    private boolean interrupted;

    InterruptWatch(RunListener next, Interruption interruption) {
        this.next = next;
        this.interruption = interruption;
    }

    @Override
    public RunListener next() {
        return next;
    }

    @Override
    public void tell(Runnable what) {
        if (Thread.interrupted()) {
            interrupted = true;
            interruption.request();
        }
        what.run();
    }

    /** Does not look for an interrupt: notes come from other threads, too. */
    @Override
    public void note(String text) {
        next.note(text);
    }

    /** Interrupts the thread again if it was. */
    void restore() {
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
