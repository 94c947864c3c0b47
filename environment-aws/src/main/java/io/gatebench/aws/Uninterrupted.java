/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.aws;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;

/** Work that goes on to its end, whoever interrupts the thread that has asked for it. */
final class Uninterrupted {

    private Uninterrupted() {}

    /**
     * Does something in a thread of its own and waits for its end.
     *
     * <p>A mere clearing of the interrupt would hold for the interrupts until then alone: the next one would end a wait,
     * or a call, in the middle of the work. An interrupt of the waiting thread is set again afterwards.
     *
     * @param name the name of the thread
     */
    static <T> T call(String name, Supplier<T> work) {
        FutureTask<T> task = new FutureTask<>(work::get);
        new Thread(task, name).start();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return task.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (ExecutionException e) {
                    throw thrown(e.getCause());
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static RuntimeException thrown(Throwable cause) {
        if (cause instanceof Error error) {
            throw error;
        }
        return cause instanceof RuntimeException exception ? exception : new IllegalStateException(cause);
    }
}
