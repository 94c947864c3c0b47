/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.product;

import java.nio.file.Path;

import io.gatebench.orchestrator.Gateway;
import io.gatebench.orchestrator.GatewaySource;
import io.gatebench.orchestrator.Product;
import io.gatebench.orchestrator.product.wso2.RealProduct;

/** A product that comes from its pack or runs already, and for which a built-in gateway stands in where there is none. */
sealed interface Wso2Product extends Product permits ApimProduct, EiProduct, MicrogatewayProduct, MiProduct {

    /** Returns what it was told about the real thing. */
    RealProduct real();

    /** Returns the product with something else told. */
    Product with(RealProduct real);

    /** Returns the built-in gateway that serves its scenarios. */
    Gateway standIn();

    @Override
    default Product configured(Path file) {
        return with(real().configured(file));
    }

    @Override
    default Product limited(double cpus) {
        return with(real().limited(cpus));
    }

    @Override
    default Gateway gateway(GatewaySource source) {
        return real().gateway(applicationName(), source, System.getenv()).orElseGet(this::standIn);
    }
}
