/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.results;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;

/** Works on all processors at things whose products are taken in order; only a few products wait at a time. */
final class InOrder {

    private static final int AHEAD_PER_PROCESSOR = 2;

    private InOrder() {}

    /** Takes one product after the other. */
    interface Taker<T> {
        void take(T product) throws IOException;
    }

    /**
     * Makes a product of each thing and hands it over, in the caller's thread and in the order of the things.
     *
     * @throws IOException if the taker does
     */
    static <S, T> void forEach(List<S> things, Function<S, T> work, Taker<T> taker) throws IOException {
        int processors = Runtime.getRuntime().availableProcessors();
        ExecutorService pool = Executors.newFixedThreadPool(processors);
        Deque<Future<T>> ahead = new ArrayDeque<>();
        try {
            for (S thing : things) {
                if (ahead.size() == AHEAD_PER_PROCESSOR * processors) {
                    taker.take(ahead.remove().get());
                }
                ahead.add(pool.submit(() -> work.apply(thing)));
            }
            while (!ahead.isEmpty()) {
                taker.take(ahead.remove().get());
            }
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            if (e.getCause() instanceof Error failure) {
                throw failure;
            }
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ReportException("interrupted while the results were read", e);
        } finally {
            pool.shutdownNow();
        }
    }
}
