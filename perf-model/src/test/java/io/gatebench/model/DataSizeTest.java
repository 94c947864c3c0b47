/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DataSizeTest {

    @ParameterizedTest
    @CsvSource({
        "2G, 2147483648",
        "2g, 2147483648",
        "512M, 536870912",
        "1KiB, 1024",
        "1024, 1024",
        "10 kB, 10240",
        "0, 0",
        "3T, 3298534883328",
        "7b, 7"
    })
    void readsWhatPeopleWrite(String text, long bytes) {
        assertThat(DataSize.parse(text)).isEqualTo(DataSize.ofBytes(bytes));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "G", "-1M", "1.5G", "2X", "1GG", "0x10", "1e3"})
    void refusesEverythingElseWithTheValueAndAnExample(String text) {
        assertThatThrownBy(() -> DataSize.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("'" + text + "' is not a size; write a whole number with an optional unit K, M or G, e.g."
                        + " 512M");
    }

    @Test
    void refusesWhatDoesNotFit() {
        assertThatThrownBy(() -> DataSize.parse("99999999999999T")).hasMessageContaining("larger than 2^63-1");
        assertThatThrownBy(() -> DataSize.ofBytes(-1)).hasMessage("a data size must not be negative but was -1");
    }

    @ParameterizedTest
    @CsvSource({"2G, 2G", "1536M, 1536M", "1024K, 1M", "1000, 1000", "0, 0", "2048G, 2T"})
    void printsTheShortestFormThatTheJvmReads(String text, String shown) {
        assertThat(DataSize.parse(text)).hasToString(shown);
        assertThat(DataSize.parse(DataSize.parse(text).toString())).isEqualTo(DataSize.parse(text));
    }
}
