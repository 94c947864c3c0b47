/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways;

import java.util.List;

import io.gatebench.gateways.wso2.ProductInstallation;
import io.gatebench.model.TestScenario;
import io.gatebench.spi.Gateway;
import io.gatebench.spi.Product;
import io.gatebench.spi.ProductDefaults;
import io.gatebench.spi.Profile;

/**
 * WSO2 Enterprise Integrator: the scenarios of the Micro Integrator on its ports.
 *
 * @param real what it was told about the real thing
 */
public record EiProduct(ProductInstallation real) implements Wso2Product {

    /** Creates the product as it is listed. */
    public EiProduct() {
        this(ProductInstallation.of(ProductInstallation.Kind.EI));
    }

    @Override
    public Product with(ProductInstallation other) {
        return new EiProduct(other);
    }

    @Override
    public List<TestScenario> scenarios() {
        return IntegrationScenarios.all();
    }

    @Override
    public ProductDefaults defaults(Profile profile) {
        return new MiProduct().defaults(profile);
    }

    @Override
    public Gateway standIn() {
        return BuiltInGateways.synapse(this, 8280, 8243);
    }
}
