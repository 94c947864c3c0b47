/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.product;

import io.gatebench.orchestrator.Gateway;
import io.gatebench.orchestrator.GatewaySource;
import io.gatebench.orchestrator.Product;

/** The gateways inside the program that stand in for the products. */
final class BuiltInGateways {

    private BuiltInGateways() {}

    static Gateway reference(Product product, String profile, int httpsPort, GatewaySource source) {
        requireBuiltIn(product, source);
        return new ReferenceGateway("Reference Gateway (" + product.name() + " scenarios)", profile, httpsPort);
    }

    static Gateway synapse(Product product, GatewaySource source) {
        requireBuiltIn(product, source);
        return new SynapseGateway("Apache Synapse (" + product.name() + " scenarios)");
    }

    private static void requireBuiltIn(Product product, GatewaySource source) {
        if (!(source instanceof GatewaySource.BuiltIn)) {
            throw new IllegalArgumentException(
                    "product " + product.name() + " can only be run with its built-in gateway so far");
        }
    }
}
