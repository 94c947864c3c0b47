/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report;

import java.nio.charset.StandardCharsets;

import io.gatebench.report.threshold.ThresholdSyntaxException;
import io.gatebench.report.threshold.Thresholds;

/** Thresholds. */
public final class ThresholdsTarget {

    private ThresholdsTarget() {}

    public static void fuzzerTestOneInput(byte[] bytes) {
        try {
            Thresholds.parse(new String(bytes, StandardCharsets.UTF_8)).evaluate(ImporterTarget.rows());
        } catch (ThresholdSyntaxException e) {
            // It says what is wrong.
        }
    }
}
