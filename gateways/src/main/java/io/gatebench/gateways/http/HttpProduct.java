/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways.http;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

import io.gatebench.model.DataSize;
import io.gatebench.model.ParameterMatrix;
import io.gatebench.model.RunManifest;
import io.gatebench.model.TestScenario;
import io.gatebench.model.TestTiming;
import io.gatebench.settings.JsonSchema;
import io.gatebench.spi.Gateway;
import io.gatebench.spi.GatewaySource;
import io.gatebench.spi.Product;
import io.gatebench.spi.ProductDefaults;
import io.gatebench.spi.Profile;

/** Any HTTP gateway, described by a YAML file alone. */
public final class HttpProduct implements Product {

    private static final DataSize NO_HEAP = DataSize.ofBytes(0);

    private final Optional<HttpGatewayConfig> config;

    /** Creates the product without a gateway, as it is listed; {@link #withConfiguration} makes the one that can run. */
    public HttpProduct() {
        this(Optional.empty());
    }

    private HttpProduct(Optional<HttpGatewayConfig> config) {
        this.config = config;
    }

    @Override
    public Product withConfiguration(Path file) {
        return new HttpProduct(Optional.of(HttpGatewayFile.read(file)));
    }

    @Override
    public Optional<String> configurationSchema() {
        return Optional.of(JsonSchema.ofGateway(name(), HttpGatewayFile.KEYS));
    }

    @Override
    public boolean needsConfiguration() {
        return config.isEmpty();
    }

    @Override
    public boolean usesHeap() {
        return config.map(HttpGatewayConfig::usesHeap).orElse(true);
    }

    @Override
    public String name() {
        return "http";
    }

    @Override
    public String description() {
        return "Any HTTP gateway, described by --gateway-config <file.yaml>";
    }

    @Override
    public String applicationName() {
        return config.map(HttpGatewayConfig::name).orElse("HTTP gateway");
    }

    @Override
    public RunManifest.Variant variant() {
        return RunManifest.Variant.GATEWAY;
    }

    @Override
    public List<TestScenario> scenarios() {
        return config.map(HttpGatewayConfig::scenarios).orElse(List.of()).stream()
                .map(HttpGatewayConfig.Served::scenario)
                .toList();
    }

    @Override
    public ProductDefaults defaults(Profile profile) {
        return defaults(scenarios().stream().map(TestScenario::name).toList(), usesHeap(), profile);
    }

    /** Returns what a gateway of which nothing more is known is measured with. */
    static ProductDefaults defaults(List<String> names, boolean usesHeap, Profile profile) {
        return switch (profile) {
            case QUICK ->
                new ProductDefaults(
                        names,
                        new ParameterMatrix(
                                List.of(usesHeap ? DataSize.ofMebibytes(512) : NO_HEAP),
                                List.of(10, 50),
                                List.of(1024),
                                List.of(1),
                                List.of(100),
                                List.of(Duration.ZERO)),
                        ProductDefaults.QUICK_TIMING,
                        false);
            case RELEASE ->
                new ProductDefaults(
                        names,
                        new ParameterMatrix(
                                List.of(usesHeap ? DataSize.parse("2G") : NO_HEAP),
                                List.of(50, 100, 200, 300, 500, 1000),
                                List.of(50, 1024, 10240, 102400),
                                List.of(1, 2, 3),
                                List.of(100),
                                List.of(Duration.ZERO)),
                        new TestTiming(Duration.ofSeconds(900), Duration.ofSeconds(300), Duration.ofSeconds(60)),
                        true);
        };
    }

    @Override
    public Gateway gateway(GatewaySource source) {
        HttpGatewayConfig used = config.orElseThrow(
                () -> new IllegalArgumentException("product http needs --gateway-config <file.yaml>"));
        if (source instanceof GatewaySource.Pack) {
            throw new IllegalArgumentException(
                    "product http is not installed from a pack; its configuration says how it starts");
        }
        Optional<URI> running = source instanceof GatewaySource.Running at ? Optional.of(at.url()) : Optional.empty();
        return new HttpGateway(used, running);
    }
}
