/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.product;

import java.nio.file.Path;
import java.util.List;

import io.gatebench.model.RunInfo;
import io.gatebench.model.TestScenario;
import io.gatebench.orchestrator.Gateway;
import io.gatebench.orchestrator.GatewaySource;
import io.gatebench.orchestrator.Product;
import io.gatebench.orchestrator.ProductDefaults;
import io.gatebench.orchestrator.Profile;
import io.gatebench.orchestrator.product.wso2.RealProduct;

/** WSO2 Enterprise Integrator: the scenarios of the Micro Integrator on its ports. */
public final class EiProduct implements Product {

    private final RealProduct real;

    /** Creates the product as it is listed. */
    public EiProduct() {
        this(RealProduct.of(RealProduct.Kind.EI));
    }

    private EiProduct(RealProduct real) {
        this.real = real;
    }

    @Override
    public Product configured(Path file) {
        return new EiProduct(real.configured(file));
    }

    @Override
    public Product limited(double cpus) {
        return new EiProduct(real.limited(cpus));
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
    public Gateway gateway(GatewaySource source) {
        return real.gateway(applicationName(), source, System.getenv())
                .orElseGet(() -> BuiltInGateways.synapse(this, 8280, 8243));
    }
}
