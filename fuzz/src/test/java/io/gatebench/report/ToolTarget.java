/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report;

import io.gatebench.fuzz.InputFile;

/** Results of other load generators. */
public final class ToolTarget {

    private ToolTarget() {}

    public static void fuzzerTestOneInput(byte[] bytes) {
        ImporterTarget.read(InputFile.of(bytes, "results.txt"));
    }
}
