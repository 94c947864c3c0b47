/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways.http;

import io.gatebench.fuzz.InputFile;
import io.gatebench.settings.PlanException;

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
