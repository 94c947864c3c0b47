/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.gatebench.spi.host.JavaVersion;

class JavaVersionTest {

    @ParameterizedTest
    @CsvSource({"17.0.2, 17", "1.8.0_392, 8", "25-ea, 25", "21, 21", "'', 0", "not found, 0"})
    void readsTheFeatureVersion(String text, int feature) {
        assertThat(JavaVersion.feature(text)).isEqualTo(feature);
    }

    @ParameterizedTest
    @CsvSource({"'Picked up JAVA_TOOL_OPTIONS: -Xmx1g\nopenjdk version \"11.0.4\" 2019-07-16', 11"})
    void isNotMisledByWhatStandsBeforeIt(String text, int feature) {
        assertThat(JavaVersion.feature(text)).isEqualTo(feature);
    }
}
