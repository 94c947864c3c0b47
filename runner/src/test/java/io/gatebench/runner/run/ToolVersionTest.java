/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ToolVersionTest {

    @Test
    void namesWhatTheBuildUsed() {
        assertThat(ToolVersion.text()).matches("\\d+\\.\\d+\\.\\d+(-SNAPSHOT)?( \\(.+\\))?");
    }
}
