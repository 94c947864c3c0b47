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
 * WSO2 API Microgateway: the same passthrough with JWT and with opaque tokens.
 *
 * @param real what it was told about the real thing
 */
public record MicrogatewayProduct(ProductInstallation real) implements Wso2Product {

    /** Creates the product as it is listed. */
    public MicrogatewayProduct() {
        this(ProductInstallation.of(ProductInstallation.Kind.MICROGATEWAY));
    }

    @Override
    public Product with(ProductInstallation other) {
        return new MicrogatewayProduct(other);
    }

    @Override
    public List<TestScenario> scenarios() {
        return GatewayScenarios.microgateway();
    }

    @Override
    public ProductDefaults defaults(Profile profile) {
        List<String> names = scenarios().stream().map(TestScenario::name).toList();
        List<DataSize> heap = List.of(DataSize.ofMebibytes(512));
        return switch (profile) {
            case QUICK ->
                new ProductDefaults(
                        names,
                        new ParameterMatrix(
                                heap, List.of(10, 50), List.of(1024), List.of(), List.of(), List.of(Duration.ZERO)),
                        ProductDefaults.QUICK_TIMING,
                        false);
            case RELEASE ->
                new ProductDefaults(
                        names,
                        new ParameterMatrix(
                                heap,
                                List.of(50, 100, 200, 300, 500, 1000),
                                List.of(50, 1024, 10240),
                                List.of(),
                                List.of(),
                                List.of(
                                        Duration.ZERO,
                                        Duration.ofMillis(30),
                                        Duration.ofMillis(500),
                                        Duration.ofMillis(1000))),
                        new TestTiming(Duration.ofSeconds(1200), Duration.ofSeconds(300), Duration.ofSeconds(60)),
                        true);
        };
    }

    @Override
    public Gateway standIn() {
        return BuiltInGateways.reference(this, 9095);
    }
}
