/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.product.http;

import io.gatebench.fuzz.InputFile;
import io.gatebench.orchestrator.plan.PlanException;

/** Files that describe any HTTP gateway. */
public final class GatewayFileTarget {

    private GatewayFileTarget() {}

    public static void fuzzerTestOneInput(byte[] bytes) {
        try {
            HttpGatewayFile.read(InputFile.of(bytes, "gateway.yaml"));
        } catch (PlanException e) {
            // It says what is wrong.
        }
    }
}
