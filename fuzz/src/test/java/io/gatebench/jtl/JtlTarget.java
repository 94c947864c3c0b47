/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.jtl;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import io.gatebench.fuzz.InputFile;

/** Sample files, plain, in gzip and in zip, to the table and the JSON that {@code summarize} makes of them. */
public final class JtlTarget {

    private JtlTarget() {}

    public static void fuzzerTestOneInput(byte[] bytes) throws IOException {
        Path file = InputFile.of(bytes, "samples.jtl");
        try {
            JtlSummary summary = JtlSummary.of(List.of(file), Duration.ofMillis(1), JtlStatistics.EXACT);
            summary.toTable();
            summary.toJson();
        } catch (JtlFormatException e) {
            // It says what is wrong.
        }
    }
}
