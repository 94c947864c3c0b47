/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways;

import java.util.List;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

import io.gatebench.settings.PlanException;
import io.gatebench.spi.Product;

/** The products on the class path. */
public final class ProductRegistry {

    private final List<Product> products;

    private ProductRegistry(List<Product> products) {
        this.products = List.copyOf(products);
    }

    /**
     * Returns the products that {@link ServiceLoader} finds.
     *
     * @throws PlanException if one that is named as a service cannot be used
     */
    public static ProductRegistry load() {
        try {
            return new ProductRegistry(ServiceLoader.load(Product.class).stream()
                    .map(ServiceLoader.Provider::get)
                    .toList());
        } catch (ServiceConfigurationError e) {
            throw new PlanException(List.of("a product beside those of the program cannot be used: " + e.getMessage()
                    + "; build it for this release, or take its jar away"));
        }
    }

    /** Returns all of them. */
    public List<Product> products() {
        return products;
    }

    /** Returns their names. */
    public List<String> names() {
        return products.stream().map(Product::name).toList();
    }

    /** Returns the product of that name, if there is one. */
    public Optional<Product> find(String name) {
        return products.stream().filter(p -> p.name().equals(name)).findFirst();
    }
}
