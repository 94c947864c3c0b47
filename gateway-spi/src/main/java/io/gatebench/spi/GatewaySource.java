/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.spi;

import java.net.URI;
import java.nio.file.Path;

/**
 * Source of the gateway under test.
 *
 * @since 0.1
 */
public sealed interface GatewaySource {

    /** The gateway that is built into the suite and serves the product's scenarios at the product's paths. */
    record BuiltIn() implements GatewaySource {}

    /**
     * A product pack to install.
     *
     * @param pack a directory or a zip file
     */
    record Pack(Path pack) implements GatewaySource {}

    /**
     * A gateway that runs already and is neither started nor stopped.
     *
     * @param url its base URL
     */
    record Running(URI url) implements GatewaySource {}
}
