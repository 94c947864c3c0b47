/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.product;

import java.util.List;

import io.gatebench.model.RunInfo;
import io.gatebench.model.TestScenario;
import io.gatebench.orchestrator.Gateway;
import io.gatebench.orchestrator.Product;
import io.gatebench.orchestrator.ProductDefaults;
import io.gatebench.orchestrator.Profile;
import io.gatebench.orchestrator.product.wso2.RealProduct;

/**
 * WSO2 Enterprise Integrator: the scenarios of the Micro Integrator on its ports.
 *
 * @param real what it was told about the real thing
 */
public record EiProduct(RealProduct real) implements Wso2Product {

    /** Creates the product as it is listed. */
    public EiProduct() {
        this(RealProduct.of(RealProduct.Kind.EI));
    }

    @Override
    public Product with(RealProduct other) {
        return new EiProduct(other);
    }

    @Override
    public String name() {
        return "ei";
    }

    @Override
    public String description() {
        return "WSO2 Enterprise Integrator: the scenarios of mi on its ports";
    }

    @Override
    public String applicationName() {
        return "WSO2 Enterprise Integrator";
    }

    @Override
    public RunInfo.Variant variant() {
        return RunInfo.Variant.INTEGRATION;
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
