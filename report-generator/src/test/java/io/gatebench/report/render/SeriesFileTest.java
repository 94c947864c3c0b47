/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.render;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SeriesFileTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0",
                "-0",
                "7",
                "-7.25",
                ".5",
                "5.",
                "1777888800000",
                "123456789012345",
                "0.000000000000001",
                "1e3",
                "-1.5E-7",
                "1234567890123456",
                "0.1234567890123456789",
                "9007199254740993",
                "99999999999999999999.5"
            })
    void readsTheNumberThatTheTextMeans(String text) {
        SeriesFile file = SeriesFile.of("a,b\n1," + text + "\n");

        assertThat(file.column("b")).containsExactly(Double.parseDouble(text));
    }

    @Test
    void roundsAsAParserDoes() {
        Random random = new Random(20261123);
        for (int i = 0; i < 100_000; i++) {
            double value = Math.pow(10, random.nextInt(12) - 4) * random.nextDouble();
            String text = String.format(Locale.ROOT, "%." + random.nextInt(9) + "f", value);
            assertThat(SeriesFile.of("a\n" + text).column("a")).containsExactly(Double.parseDouble(text));
        }
    }

    @Test
    void isNoNumberWhereThereIsNone() {
        SeriesFile file = SeriesFile.of("a,b,c,d,e\n,.,-,x,1.2.3\n");

        for (String column : List.of("a", "b", "c", "d", "e", "f")) {
            assertThat(file.column(column)).containsExactly(Double.NaN);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"\n", "\r\n"})
    void leavesOutLinesOfAnotherLength(String end) {
        SeriesFile file = SeriesFile.of(String.join(end, "epochMillis,b", "1,x", "2", "", "3,4,5", "6,", "7"));

        assertThat(file.header()).containsExactly("epochMillis", "b");
        assertThat(file.rows()).isEqualTo(2);
        assertThat(file.column("epochMillis")).containsExactly(1, 6);
        assertThat(file.cell(0, 1)).isEqualTo("x");
        assertThat(file.cell(1, 1)).isEmpty();
    }

    @Test
    void hasNoRowWithoutAHeaderOrATime() {
        assertThat(SeriesFile.of("").rows()).isZero();
        assertThat(SeriesFile.of("epochMillis").rows()).isZero();
        assertThat(SeriesFile.of("a\n1\n").rows()).isZero();
    }

    @Test
    void findsTheRowsOfOtherTimes() {
        SeriesFile file = SeriesFile.of("epochMillis,a\n1,10\n2,20\n4,40\n");

        assertThat(file.at(new double[] {1, 2, 4}, List.of("a")).get(0)).containsExactly(10, 20, 40);
        assertThat(file.at(new double[] {2, 3, 4}, List.of("a")).get(0)).containsExactly(20, Double.NaN, 40);
    }
}
