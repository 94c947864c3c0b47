/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

import org.junit.jupiter.api.Test;

class VerdictTest {

    @Test
    void saysWhatDecidedItOrAll() {
        Verdict verdict = Verdict.of(List.of(
                new Finding(Rule.GC_FORMULA, Level.VALID, "a remark"),
                new Finding(Rule.NOT_STEADY, Level.INVALID, "it was not steady")));

        assertThat(verdict.text()).isEqualTo("invalid (it was not steady; a remark)");
        assertThat(verdict.worst()).isEqualTo("invalid (it was not steady)");
        assertThat(Verdict.VALID.worst()).isEqualTo("valid");
    }
}
