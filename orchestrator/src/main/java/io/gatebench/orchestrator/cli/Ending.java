/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.cli;

import java.io.PrintWriter;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Holds the end of the program back while machines that cost money are there.
 *
 * <p>A signal begins the end of the JVM, which waits for its hooks. The hook of this class waits until the command has
 * come to its end, with all removed or all said, and ends the JVM with the exit code of the command, which it would not
 * have by itself then. Who sends a second signal leaves what is there. Safe for use by several threads.
 */
final class Ending {

    private final CompletableFuture<Integer> code = new CompletableFuture<>();
    private final AtomicBoolean held = new AtomicBoolean();
    private volatile boolean signalled;
    private volatile int left = -1;

    /** From now on a signal is answered and does not end the program before the command has ended. */
    void hold(PrintWriter err) {
        if (!held.compareAndSet(false, true)) {
            return;
        }
        Thread hook = new Thread(() -> answer(err), "gatebench-ending");
        try {
            Runtime.getRuntime().addShutdownHook(hook);
        } catch (IllegalStateException e) {
            signalled = true;
            return;
        }
        code.thenRun(() -> remove(hook));
    }

    private static void remove(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // It is at work, and about to end the JVM with the code.
            return;
        }
    }

    private void answer(PrintWriter err) {
        signalled = true;
        boolean again = ForcedEnd.atNextInterruption(() -> leave(err));
        tell(
                err,
                (left < 0 ? "ending; what was created is removed first" : "removing, " + left + " left")
                        + (again ? "; again to leave " + (left < 0 ? "it" : "them") : ""));
        Runtime.getRuntime().halt(code.join());
    }

    private void leave(PrintWriter err) {
        tell(
                err,
                "LEFT BEHIND: " + (left < 0 ? "what was created" : left + " resources")
                        + ", which cost money until their own time is over; 'aws list' shows them, 'aws teardown' removes them");
        Runtime.getRuntime().halt(ExitStatus.ENVIRONMENT.code());
    }

    private static void tell(PrintWriter err, String line) {
        err.println(line);
        err.flush();
    }

    /** Returns whether a signal has come since the program was held. */
    boolean isSignalled() {
        return signalled;
    }

    /** Takes how much is left of what is being removed. */
    void removing(int resources) {
        left = resources;
    }

    /** Takes the exit code of the command. */
    void ended(int exitCode) {
        code.complete(exitCode);
    }
}
