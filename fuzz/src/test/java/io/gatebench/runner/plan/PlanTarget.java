/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.plan;

import io.gatebench.fuzz.InputFile;
import io.gatebench.settings.PlanException;

/** Plan files, as text and as the plan that they mean. */
public final class PlanTarget {

    private PlanTarget() {}

    public static void fuzzerTestOneInput(byte[] bytes) {
        try {
            PlanFile.read(InputFile.of(bytes, "plan.yaml"));
        } catch (PlanException e) {
            // It says what is wrong.
        }
    }
}
