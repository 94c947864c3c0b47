/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways;

import java.nio.file.Path;
import java.util.Optional;

import io.gatebench.gateways.wso2.ProductInstallation;
import io.gatebench.model.RunManifest;
import io.gatebench.settings.JsonSchema;
import io.gatebench.spi.Gateway;
import io.gatebench.spi.GatewaySource;
import io.gatebench.spi.Product;

/** A product that comes from its pack or runs already, and for which a built-in gateway stands in where there is none. */
sealed interface Wso2Product extends Product permits ApimProduct, EiProduct, MicrogatewayProduct, MiProduct {

    /** Returns what it was told about the real thing. */
    ProductInstallation real();

    /** Returns the product with something else told. */
    Product with(ProductInstallation real);

    /** Returns the built-in gateway that serves its scenarios. */
    Gateway standIn();

    @Override
    default String name() {
        return real().kind().productName();
    }

    @Override
    default String description() {
        return real().kind().description();
    }

    @Override
    default String applicationName() {
        return real().kind().title();
    }

    @Override
    default RunManifest.Variant variant() {
        return real().kind().variant();
    }

    @Override
    default Product withConfiguration(Path file) {
        return with(real().withConfiguration(file));
    }

    @Override
    default Optional<String> configurationSchema() {
        return Optional.of(JsonSchema.ofGateway(name(), real().keys()));
    }

    @Override
    default Product withCpuLimit(double cpus) {
        return with(real().withCpuLimit(cpus));
    }

    @Override
    default Gateway gateway(GatewaySource source) {
        return real().gateway(applicationName(), source, System.getenv()).orElseGet(this::standIn);
    }
}
