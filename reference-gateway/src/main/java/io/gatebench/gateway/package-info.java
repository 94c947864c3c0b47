/* SPDX-License-Identifier: Apache-2.0 */

/**
 * The built-in gateway: a Spring Cloud Gateway application that serves the scenarios of the API gateways where no product
 * is installed. It is run as a process ({@link io.gatebench.gateway.ReferenceGateway}); nothing here is meant to be called.
 */
@NullMarked
package io.gatebench.gateway;

import org.jspecify.annotations.NullMarked;
