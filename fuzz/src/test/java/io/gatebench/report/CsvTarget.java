/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report;

import io.gatebench.fuzz.InputFile;

/** Published wide CSV. */
public final class CsvTarget {

    private CsvTarget() {}

    public static void fuzzerTestOneInput(byte[] bytes) {
        ImporterTarget.read(InputFile.of(bytes, "summary.csv"));
    }
}
