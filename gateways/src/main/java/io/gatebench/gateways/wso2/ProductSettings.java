/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways.wso2;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

import io.gatebench.gateways.container.ContainerSpec;

/**
 * Content of a settings file for a product; a product reads the keys that concern it.
 *
 * @param adminUrl base URL of the administration interfaces, if not the default
 * @param adminUser who sets up
 * @param adminPassword where that user's password lies, if not in {@code GATEBENCH_ADMIN_PASSWORD}
 * @param ca PEM file with the certificates that the administration interfaces may present
 * @param insecure whether their certificate is not checked
 * @param keyStore the key store that tokens are signed with, if not the pack's
 * @param tokens where tokens come from, if the user said
 * @param tokenCount how many
 * @param javaHome the JDK on the gateway's host that the product runs on, if not the suite's
 * @param startTimeout how long the product may take to take requests
 * @param database the data source, if not the product's own
 * @param project the built project of the microgateway
 * @param toolkit the pack that builds a project of the microgateway
 * @param deployTo the directory on the gateway's host that a running integrator deploys from
 * @param container the container that the built-in gateway runs in, which stands in for the product
 */
public record ProductSettings(
        Optional<URI> adminUrl,
        String adminUser,
        Optional<Secret> adminPassword,
        Optional<Path> ca,
        boolean insecure,
        Optional<KeyStoreFile> keyStore,
        Optional<TokenSource> tokens,
        int tokenCount,
        Optional<String> javaHome,
        Duration startTimeout,
        Optional<Database> database,
        Optional<Path> project,
        Optional<Path> toolkit,
        Optional<String> deployTo,
        Optional<ContainerSpec> container) {

    /** Number of tokens that the published runs use. */
    static final int TOKENS = 4000;

    /** A cold start with an empty database takes a minute or two on small machines. */
    static final Duration START_TIMEOUT = Duration.ofMinutes(5);

    /** Source of tokens. */
    public enum TokenSource {
        /** Signed with the product's key by the suite. */
        GENERATED,
        /** Issued by the product's token endpoint. */
        FETCHED
    }

    /**
     * A key store.
     *
     * @param file a JKS or PKCS12 file
     * @param alias its entry; empty if there is only one with a key
     * @param password where its password lies, if not in {@code GATEBENCH_KEY_STORE_PASSWORD}
     */
    public record KeyStoreFile(Path file, Optional<String> alias, Optional<Secret> password) {}

    /**
     * The product's databases on a MySQL server.
     *
     * @param server the server; if absent, the one that was created for the run
     * @param connector the JDBC driver's jar
     * @param prefix how the names of the two databases begin
     */
    public record Database(Optional<Server> server, Path connector, String prefix) {}

    /**
     * A MySQL server.
     *
     * @param host its address as the gateway's host reaches it
     * @param port its port
     * @param user who makes the databases, and as whom the product works
     * @param password where that user's password lies
     * @param tls whether the way there is encrypted where the server can
     */
    public record Server(String host, int port, String user, Secret password, boolean tls) {}

    /** Returns the settings of a product without a file. */
    static ProductSettings defaults() {
        return of(Optional.empty());
    }

    /** Returns the settings of a file that names a container alone. */
    static ProductSettings of(Optional<ContainerSpec> container) {
        return new ProductSettings(
                Optional.empty(),
                "admin",
                Optional.empty(),
                Optional.empty(),
                false,
                Optional.empty(),
                Optional.empty(),
                TOKENS,
                Optional.empty(),
                START_TIMEOUT,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                container);
    }
}
