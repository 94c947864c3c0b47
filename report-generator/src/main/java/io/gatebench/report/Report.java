/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report;

import java.nio.file.Path;
import java.util.List;

/**
 * Files that were written.
 *
 * @param directory where the files are
 * @param files the files, relative to the directory, sorted
 * @param measured number of test cases with figures
 * @param failed number of test cases that were tried and have no figures
 * @param skipped number of test cases that were not tried
 * @param warnings what could not be made, and why
 * @since 0.1
 */
public record Report(Path directory, List<Path> files, int measured, int failed, int skipped, List<String> warnings) {

    /** Copies the lists. */
    public Report {
        files = List.copyOf(files);
        warnings = List.copyOf(warnings);
    }
}
