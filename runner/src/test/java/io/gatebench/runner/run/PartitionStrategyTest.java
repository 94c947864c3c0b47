/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.gatebench.model.DataSize;
import io.gatebench.model.MessageLevel;
import io.gatebench.model.TestCase;

class PartitionStrategyTest {

    private static final List<TestCase> CELLS = cells();

    private static List<TestCase> cells() {
        List<TestCase> cells = new ArrayList<>();
        for (String scenario : List.of("passthrough", "transformation", "secure")) {
            for (int users : List.of(50, 100, 200)) {
                for (int size : List.of(50, 1024)) {
                    for (int delay : List.of(0, 30)) {
                        cells.add(new TestCase(
                                scenario,
                                DataSize.parse("1G"),
                                users,
                                MessageLevel.bytes(size),
                                Duration.ofMillis(delay)));
                    }
                }
            }
        }
        return cells;
    }

    @ParameterizedTest
    @EnumSource
    void givesEachCellToOneSetAlone(PartitionStrategy split) {
        for (int sets = 1; sets <= 5; sets++) {
            List<Set<TestCase>> shares = split.shares(CELLS, sets);
            assertThat(shares).hasSize(sets);
            assertThat(shares.stream().mapToInt(Set::size).sum()).isEqualTo(CELLS.size());
            Set<TestCase> all = new HashSet<>();
            shares.forEach(all::addAll);
            assertThat(all).containsExactlyInAnyOrderElementsOf(CELLS);
        }
    }

    @Test
    void sharesTimeOutEvenlyAndKeepsNeighboursTogether() {
        List<Set<TestCase>> shares = PartitionStrategy.TIME.shares(CELLS, 5);
        assertThat(shares).extracting(Set::size).containsExactly(8, 7, 7, 7, 7);
        assertThat(shares.get(0)).containsExactlyElementsOf(CELLS.subList(0, 8));
        assertThat(PartitionStrategy.TIME.largest(CELLS, 5)).isEqualTo(8);
    }

    @Test
    void dealsValuesOutInTurn() {
        List<Set<TestCase>> shares = PartitionStrategy.USERS.shares(CELLS, 2);
        assertThat(shares.get(0)).extracting(TestCase::users).containsOnly(50, 200);
        assertThat(shares.get(1)).extracting(TestCase::users).containsOnly(100);
        assertThat(PartitionStrategy.USERS.largest(CELLS, 2)).isEqualTo(24);
    }

    @Test
    void leavesSetsWithoutCellsWhereThereAreTooFewValues() {
        assertThat(PartitionStrategy.DELAY.shares(CELLS, 3))
                .extracting(Set::size)
                .containsExactly(18, 18, 0);
        assertThat(PartitionStrategy.TIME.shares(List.of(), 2)).allMatch(Set::isEmpty);
    }
}
