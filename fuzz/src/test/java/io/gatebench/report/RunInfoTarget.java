/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report;

/** The {@code run.json} of a run of one sound test case. */
public final class RunInfoTarget {

    private RunInfoTarget() {}

    public static void fuzzerTestOneInput(byte[] bytes) {
        RunFiles.read(bytes, RunFiles.seed("result/completed.json"));
    }
}
