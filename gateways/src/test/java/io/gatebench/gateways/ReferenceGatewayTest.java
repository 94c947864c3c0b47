/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ReferenceGatewayTest {

    @Test
    void namesWhatItIsMadeOf() {
        assertThat(ReferenceGateway.madeOf())
                .matches("Spring Cloud Gateway of Spring Cloud \\d{4}\\.\\d+\\.\\d+ on Spring Boot \\d+\\.\\d+\\.\\d+");
    }
}
