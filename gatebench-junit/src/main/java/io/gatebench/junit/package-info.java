/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Performance tests of gateways as JUnit 5 tests: {@link io.gatebench.junit.GatewayPerfTest} on the class, {@link
 * io.gatebench.junit.GatebenchAssertions} for the result.
 */
@NullMarked
package io.gatebench.junit;

import org.jspecify.annotations.NullMarked;
