/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways;

import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

import io.gatebench.spi.Product;

/** The products on the class path. */
public final class ProductRegistry {

    private final List<Product> products;

    private ProductRegistry(List<Product> products) {
        this.products = List.copyOf(products);
    }

    /** Returns the products that {@link ServiceLoader} finds. */
    public static ProductRegistry load() {
        return new ProductRegistry(ServiceLoader.load(Product.class).stream()
                .map(ServiceLoader.Provider::get)
                .toList());
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
