/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;

import org.junit.jupiter.api.Test;

import io.gatebench.runner.fake.FakeHost;
import io.gatebench.spi.host.Host;
import io.gatebench.spi.host.HostException;

class HostPartTest {

    /** Each port is free, and number 1 is the one that it gives. */
    private final Host host = new FakeHost(Path.of("work"));

    private final PortClaims claims = new PortClaims();
    private final HostPart a = new HostPart(host, "a", claims);
    private final HostPart b = new HostPart(host, "b", claims);

    @Test
    void aPortThatOneHasFoundFreeIsTakenForTheOther() {
        assertThat(a.isPortFree(8243)).isTrue();

        assertThat(b.isPortFree(8243)).isFalse();
        assertThat(b.isPortFree(8244)).isTrue();
        assertThat(a.isPortFree(8243)).isTrue();
    }

    @Test
    void aPortThatOneWasGivenIsGivenToNoOther() {
        assertThat(a.freePort()).isEqualTo(1);

        assertThatThrownBy(b::freePort)
                .isInstanceOf(HostException.class)
                .hasMessage("no free port on fake that is not claimed by another gateway, in 100 tries");
        assertThat(b.isPortFree(1)).isFalse();
    }
}
