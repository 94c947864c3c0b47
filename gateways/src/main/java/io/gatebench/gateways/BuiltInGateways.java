/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways;

import io.gatebench.spi.Gateway;
import io.gatebench.spi.Product;

/** The gateways inside the program that stand in for the products. */
final class BuiltInGateways {

    private BuiltInGateways() {}

    static Gateway reference(Wso2Product product, int httpsPort) {
        return new ReferenceGateway(
                "Reference Gateway (" + product.name() + " scenarios)",
                product.name(),
                httpsPort,
                product.real().container());
    }

    static Gateway synapse(Product product, int httpPort, int httpsPort) {
        return new SynapseGateway("Apache Synapse (" + product.name() + " scenarios)", httpPort, httpsPort);
    }
}
