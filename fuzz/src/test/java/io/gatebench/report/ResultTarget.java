/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report;

/** The {@code result.json} of one test case of a run, to the table, the rows that are compared, and the thresholds. */
public final class ResultTarget {

    private ResultTarget() {}

    public static void fuzzerTestOneInput(byte[] bytes) {
        RunFiles.read(RunFiles.seed("run-info/run.json"), bytes);
    }
}
