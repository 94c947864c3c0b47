/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.engine;

import java.nio.file.Path;

import io.gatebench.model.LoadResult;

/**
 * Sends the load of one test case and measures it.
 *
 * @since 0.1
 */
public interface LoadDriver {

    /**
     * Sends the load and returns when it is over.
     *
     * <p>Writes {@code load.outcome}, {@code load.hlog}, {@code series.csv}, {@code times.csv}, {@code errors.csv} if there are errors, the JTL if it is asked for, and last {@code load.json} into the
     * directory. A test that was aborted returns too, with {@link LoadResult#aborted()}.
     *
     * @param request what to send
     * @param directory an existing directory
     * @param progress is told every second
     * @throws LoadException if the test could not be run at all
     */
    LoadResult run(LoadRequest request, Path directory, LoadProgress progress);

    /** Ends the test that runs, if any, as soon as its users can; it is then aborted for that reason. Thread-safe. */
    void stop(String reason);
}
