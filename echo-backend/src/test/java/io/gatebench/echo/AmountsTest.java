/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.echo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AmountsTest {

    @ParameterizedTest
    @CsvSource({"0,0", "10240,10240", "10KiB,10240", "10 KiB,10240", "1MiB,1048576", "1MB,1000000", "5kB,5000", "7B,7"})
    void readsSizes(String text, long bytes) {
        assertThat(Amounts.bytes(text)).isEqualTo(bytes);
        assertThat(Amounts.bytesPerSecond(text + "/s")).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-1", "1.5", "ten", "10XB", "1e3"})
    void refusesOtherSizes(String text) {
        assertThatThrownBy(() -> Amounts.bytes(text)).hasMessageContaining("'" + text + "' is no size");
    }

    @ParameterizedTest
    @CsvSource({"0,0", "1%,0.01", "0.01,0.01", "100%,1", "1.0,1", "0.5%,0.005", "12.5 %,0.125"})
    void readsProbabilities(String text, double value) {
        assertThat(Amounts.probability(text)).isEqualTo(value);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "2", "101%", "-1%", "1.5", "often", ""})
    void refusesOtherProbabilitiesAndTheAmbiguousOne(String text) {
        assertThatThrownBy(() -> Amounts.probability(text)).hasMessageContaining("write for example 1% or 0.01");
    }

    @Test
    void settingsNameRuleAndValue() {
        EchoServerConfig.Builder builder = EchoServerConfig.builder();
        assertThatThrownBy(() -> builder.port(65_536)).hasMessage("port must be between 0 and 65535, but was 65536");
        assertThatThrownBy(() -> builder.errorStatus(200))
                .hasMessage("error status must be between 400 and 599, but was 200");
        assertThatThrownBy(() -> builder.errorRate(Double.NaN)).hasMessageContaining("but was NaN");
        assertThatThrownBy(() -> builder.errorRate(0.6).resetRate(0.6).build())
                .hasMessageContaining("must not exceed 1 together");
    }
}
