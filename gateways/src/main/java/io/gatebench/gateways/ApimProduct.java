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
 * WSO2 API Manager: passthrough, mediation and GraphQL.
 *
 * @param real what it was told about the real thing
 */
public record ApimProduct(ProductInstallation real) implements Wso2Product {

    /** Creates the product as it is listed. */
    public ApimProduct() {
        this(ProductInstallation.of(ProductInstallation.Kind.APIM));
    }

    @Override
    public Product with(ProductInstallation other) {
        return new ApimProduct(other);
    }

    @Override
    public List<TestScenario> scenarios() {
        return GatewayScenarios.apim();
    }

    @Override
    public ProductDefaults defaults(Profile profile) {
        List<String> names = scenarios().stream().map(TestScenario::name).toList();
        return switch (profile) {
            case QUICK ->
                new ProductDefaults(
                        names,
                        new ParameterMatrix(
                                List.of(DataSize.ofMebibytes(512)),
                                // One load for each of three scenarios: more would not fit into four minutes.
                                List.of(50),
                                List.of(1024),
                                List.of(1),
                                List.of(),
                                List.of(Duration.ZERO)),
                        ProductDefaults.QUICK_TIMING,
                        false);
            case RELEASE ->
                new ProductDefaults(
                        names,
                        new ParameterMatrix(
                                List.of(DataSize.parse("2G")),
                                List.of(50, 100, 200, 300, 500, 1000),
                                List.of(50, 1024, 10240, 102400),
                                List.of(1, 2, 3),
                                List.of(),
                                List.of(Duration.ZERO)),
                        new TestTiming(Duration.ofSeconds(900), Duration.ofSeconds(300), Duration.ofSeconds(60)),
                        true);
        };
    }

    @Override
    public Gateway standIn() {
        return BuiltInGateways.reference(this, 8243);
    }
}
