/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.fake;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.gatebench.model.DataSize;
import io.gatebench.model.ParameterMatrix;
import io.gatebench.model.PayloadKind;
import io.gatebench.model.ResponseCheck;
import io.gatebench.model.RunManifest;
import io.gatebench.model.TestScenario;
import io.gatebench.model.TestTiming;
import io.gatebench.model.TokenKind;
import io.gatebench.spi.Gateway;
import io.gatebench.spi.GatewaySource;
import io.gatebench.spi.Product;
import io.gatebench.spi.ProductDefaults;
import io.gatebench.spi.Profile;

/**
 * A product of two scenarios without checks of the body, measured with one user for a minute.
 *
 * @param measured its gateway
 */
public record FakeProduct(Gateway measured) implements Product {

    /** Its name. */
    public static final String NAME = "fake";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String description() {
        return "measures nothing";
    }

    @Override
    public String applicationName() {
        return FakeGateway.NAME;
    }

    @Override
    public RunManifest.Variant variant() {
        return RunManifest.Variant.INTEGRATION;
    }

    @Override
    public List<TestScenario> scenarios() {
        return List.of(scenario("first"), scenario("second"));
    }

    private static TestScenario scenario(String name) {
        return new TestScenario(
                name,
                name,
                "A POST.",
                false,
                "POST",
                "/" + name,
                Map.of(),
                PayloadKind.JSON_SIMPLE,
                TokenKind.NONE,
                ResponseCheck.ok(),
                List.of());
    }

    @Override
    public ProductDefaults defaults(Profile profile) {
        return new ProductDefaults(
                scenarios().stream().map(TestScenario::name).toList(),
                new ParameterMatrix(
                        List.of(DataSize.ofMebibytes(64)),
                        List.of(1),
                        List.of(50),
                        List.of(),
                        List.of(),
                        List.of(Duration.ZERO)),
                new TestTiming(Duration.ofSeconds(60), Duration.ofSeconds(30), Duration.ofSeconds(1)),
                false);
    }

    @Override
    public Gateway gateway(GatewaySource source) {
        return measured;
    }
}
