/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways.wso2;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

import io.gatebench.gateways.container.ContainerSpec;
import io.gatebench.model.RunManifest.Variant;
import io.gatebench.settings.Shape;
import io.gatebench.spi.Gateway;
import io.gatebench.spi.GatewaySource;

/**
 * Facts that a product is told about the real thing behind it: settings and a limit on its processors. Immutable.
 *
 * @param kind the product
 * @param settings the settings of its file, if there is one
 * @param cpus how many processors it may use, if it is limited
 */
public record ProductInstallation(Kind kind, Optional<ProductSettings> settings, Optional<Double> cpus) {

    /** The real products. */
    public enum Kind {
        /** API Manager. */
        APIM("apim", "WSO2 API Manager", "secured passthrough, mediation and GraphQL APIs", Variant.GATEWAY),
        /** Microgateway. */
        MICROGATEWAY(
                "microgateway",
                "WSO2 API Microgateway",
                "passthrough with JWT and with OAuth2 (opaque) tokens",
                Variant.GATEWAY),
        /** Micro Integrator. */
        MI("mi", "WSO2 Micro Integrator", "routing, transformation, clone and aggregate proxies", Variant.INTEGRATION),
        /** Enterprise Integrator. */
        EI("ei", "WSO2 Enterprise Integrator", "the scenarios of mi on its ports", Variant.INTEGRATION);

        private final String productName;
        private final String title;
        private final String scenarios;
        private final Variant variant;

        Kind(String productName, String title, String scenarios, Variant variant) {
            this.productName = productName;
            this.title = title;
            this.scenarios = scenarios;
            this.variant = variant;
        }

        /** Returns the name in commands. */
        public String productName() {
            return productName;
        }

        /** Returns the name that a report carries. */
        public String title() {
            return title;
        }

        /** Returns the title and what the product is measured with. */
        public String description() {
            return title + ": " + scenarios;
        }

        /** Returns the published form of its documents. */
        public Variant variant() {
            return variant;
        }
    }

    /** Returns a product without settings and limit. */
    public static ProductInstallation of(Kind kind) {
        return new ProductInstallation(kind, Optional.empty(), Optional.empty());
    }

    /**
     * Returns this with the settings of a file.
     *
     * @throws io.gatebench.settings.PlanException with every problem of the file
     */
    public ProductInstallation withConfiguration(Path file) {
        return new ProductInstallation(kind, Optional.of(ProductSettingsFile.read(file, keys())), cpus);
    }

    /** Returns what may stand in such a file. */
    public Shape.Keys keys() {
        return switch (kind) {
            case APIM -> ProductSettingsFile.APIM;
            case MICROGATEWAY -> ProductSettingsFile.MICROGATEWAY;
            case MI, EI -> ProductSettingsFile.INTEGRATOR;
        };
    }

    /** Returns this with a limit on its processors. */
    public ProductInstallation withCpuLimit(double number) {
        return new ProductInstallation(kind, settings, Optional.of(number));
    }

    /**
     * Returns the gateway, or empty if the built-in one is to stand in.
     *
     * @throws IllegalArgumentException if the product cannot be had from that source, or what it was told has no
     *     effect there
     */
    public Optional<Gateway> gateway(String applicationName, GatewaySource source, Map<String, String> environment) {
        if (cpus.isPresent() && !(source instanceof GatewaySource.Pack)) {
            throw new IllegalArgumentException(
                    "--cpus goes with a product that is started from a pack (--gateway-home)");
        }
        ProductSettings used = settings.orElseGet(ProductSettings::defaults);
        if (source instanceof GatewaySource.BuiltIn && container().isPresent()) {
            if (!used.equals(ProductSettings.of(container()))) {
                throw new IllegalArgumentException("settings beside container have no effect on the built-in gateway;"
                        + " drop them, or give --gateway-home (a pack) or --gateway-url (one that runs) instead");
            }
            return Optional.empty();
        }
        if (container().isPresent()) {
            throw new IllegalArgumentException(
                    "container goes with the built-in gateway: drop --gateway-home or --gateway-url, or describe what is"
                            + " to run in the container to the product http");
        }
        if (source instanceof GatewaySource.Pack at) {
            return Optional.of(ofPack(applicationName, at.pack(), used, environment));
        }
        if (source instanceof GatewaySource.Running at) {
            return Optional.of(ofRunning(applicationName, at, used, environment));
        }
        if (settings.isPresent()) {
            throw new IllegalArgumentException("--gateway-config goes with a real product: give --gateway-home (a pack)"
                    + " or --gateway-url (one that runs) too");
        }
        return Optional.empty();
    }

    /** Returns the container that the built-in gateway is to run in, if there is one. */
    public Optional<ContainerSpec> container() {
        return settings.flatMap(ProductSettings::container);
    }

    private Gateway ofPack(String applicationName, Path pack, ProductSettings used, Map<String, String> environment) {
        return switch (kind) {
            case APIM -> ApimGateway.ofPack(applicationName, pack, used, cpus, environment);
            case MICROGATEWAY -> MicrogatewayGateway.ofPack(applicationName, pack, used, cpus);
            case MI -> IntegratorGateway.ofPack(IntegratorGateway.Variant.MI, pack, used, cpus);
            case EI -> IntegratorGateway.ofPack(IntegratorGateway.Variant.EI, pack, used, cpus);
        };
    }

    private Gateway ofRunning(
            String applicationName, GatewaySource.Running at, ProductSettings used, Map<String, String> environment) {
        return switch (kind) {
            case APIM -> ApimGateway.ofRunning(applicationName, at.url(), used, environment);
            case MICROGATEWAY ->
                throw new IllegalArgumentException("a microgateway that runs already issues no tokens and takes no"
                        + " set-up: describe it to the product http, with its tokens (--gateway-config)");
            case MI -> IntegratorGateway.ofRunning(IntegratorGateway.Variant.MI, at.url(), used);
            case EI -> IntegratorGateway.ofRunning(IntegratorGateway.Variant.EI, at.url(), used);
        };
    }
}
