/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gc;

import java.util.List;

import io.gatebench.fuzz.InputFile;
import io.gatebench.model.GcSummary;

/** GC logs of all kinds, to the table and the JSON that are made of them. */
public final class GcLogTarget {

    private GcLogTarget() {}

    public static void fuzzerTestOneInput(byte[] bytes) {
        try {
            List<GcSummary> summaries = List.of(GcLogAnalyzer.analyze(InputFile.of(bytes, "gc.log")));
            GcReport.table(summaries);
            GcReport.json(summaries);
            GcReport.csv(summaries);
        } catch (GcLogException e) {
            // It says what is wrong.
        }
    }
}
