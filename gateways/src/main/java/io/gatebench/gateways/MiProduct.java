/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways;

import java.time.Duration;
import java.util.List;

import io.gatebench.gateways.wso2.ProductInstallation;
import io.gatebench.model.DataSize;
import io.gatebench.model.ParameterMatrix;
import io.gatebench.model.TestScenario;
import io.gatebench.model.TestTiming;
import io.gatebench.spi.Gateway;
import io.gatebench.spi.Product;
import io.gatebench.spi.ProductDefaults;
import io.gatebench.spi.Profile;

/**
 * WSO2 Micro Integrator: SOAP and XML proxies.
 *
 * @param real what it was told about the real thing
 */
public record MiProduct(ProductInstallation real) implements Wso2Product {

    /** Creates the product as it is listed. */
    public MiProduct() {
        this(ProductInstallation.of(ProductInstallation.Kind.MI));
    }

    @Override
    public Product with(ProductInstallation other) {
        return new MiProduct(other);
    }

    @Override
    public List<TestScenario> scenarios() {
        return IntegrationScenarios.all();
    }

    @Override
    public ProductDefaults defaults(Profile profile) {
        return switch (profile) {
            case QUICK ->
                new ProductDefaults(
                        List.of("CBRTransportHeaderProxy", "DirectProxy"),
                        new ParameterMatrix(
                                List.of(DataSize.ofMebibytes(512)),
                                List.of(10, 50),
                                List.of(1000),
                                List.of(),
                                List.of(50),
                                List.of(Duration.ZERO)),
                        ProductDefaults.QUICK_TIMING,
                        false);
            case RELEASE ->
                new ProductDefaults(
                        List.of(
                                "DirectProxy",
                                "CBRProxy",
                                "XSLTProxy",
                                "CBRSOAPHeaderProxy",
                                "CBRTransportHeaderProxy",
                                "XSLTEnhancedProxy"),
                        new ParameterMatrix(
                                List.of(DataSize.parse("2G")),
                                List.of(100, 200, 500, 1000),
                                List.of(500, 1000, 10000, 100000),
                                List.of(),
                                List.of(5, 10, 20, 50, 100),
                                List.of(Duration.ZERO)),
                        new TestTiming(Duration.ofSeconds(360), Duration.ofSeconds(120), Duration.ofSeconds(60)),
                        true);
        };
    }

    @Override
    public Gateway standIn() {
        return BuiltInGateways.synapse(this, 8290, 8253);
    }
}
