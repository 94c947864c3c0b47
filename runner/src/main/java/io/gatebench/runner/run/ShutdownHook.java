/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Takes the end of the JVM for the wish that a run ends, and lets the JVM wait until the run has kept what it has. */
public final class ShutdownHook implements AutoCloseable {

    private final Interruption interruption;
    private final CountDownLatch kept = new CountDownLatch(1);
    private final Thread thread;

    /**
     * Creates a hook, which does nothing before it is added.
     *
     * @param patience how long the JVM waits at most
     * @param then what is done after that; it is told whether the run has kept what it has
     */
    public ShutdownHook(Interruption interruption, Duration patience, Consumer<Boolean> then) {
        this.interruption = interruption;
        this.thread = new Thread(() -> then.accept(interrupted(patience)), "gatebench-shutdown");
    }

    private boolean interrupted(Duration patience) {
        interruption.request();
        try {
            // The main thread itself must not be waited for: it may be inside System.exit, which waits for this hook.
            return kept.await(patience.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Begins to wait for the end of the JVM. */
    public void add() {
        try {
            Runtime.getRuntime().addShutdownHook(thread);
        } catch (IllegalStateException e) {
            // The JVM is going down at this very moment.
            interruption.request();
        }
    }

    /** Lets the JVM end as it would without this, unless it is ending already. */
    public void remove() {
        try {
            Runtime.getRuntime().removeShutdownHook(thread);
        } catch (IllegalStateException e) {
            // The JVM is going down at this very moment: the hook is at work.
        }
    }

    /** Says that the run has kept what it has. */
    @Override
    public void close() {
        kept.countDown();
        remove();
    }
}
