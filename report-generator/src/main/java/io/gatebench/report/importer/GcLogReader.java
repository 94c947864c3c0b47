/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.importer;

import java.nio.file.Path;
import java.util.List;

import io.gatebench.model.GcSummary;

/**
 * Reads the GC log of one process; handed in, because this module knows no GC log formats.
 *
 * @since 0.1
 */
@FunctionalInterface
public interface GcLogReader {

    /**
     * Returns what the files say, oldest first.
     *
     * @throws RuntimeException if a file cannot be read; the caller reports it and goes on
     */
    GcSummary read(List<Path> files);
}
