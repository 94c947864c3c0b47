/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reads what {@code jcmd GC.heap_info} of JDK 17 and of JDK 25 says of each collector. */
class AllocationTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "garbage-first heap   total 65536K, used 8068K [0x00000000fc000000, 0x0000000100000000) | 8261632",
                "def new generation   total 19648K, used 14079K [0x1, 0x2, 0x3)\\n  eden space 17472K,  80% used [0x1, 0x2, 0x3)"
                        + "\\n tenured generation   total 43712K, used 100K [0x1, 0x2, 0x3) | 14519296",
                "PSYoungGen      total 18944K, used 14445K [0x1, 0x2, 0x3)\\n ParOldGen       total 44032K, used 2K [0x1) | 14793728",
            })
    void addsUpTheGenerations(String heap, long bytes) {
        assertThat(Allocation.usedIn(answer(heap))).hasValue(bytes);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "garbage-first heap   total reserved 65536K, committed 65536K, used 13230K [0x1, 0x2)\\n region size 1024K | 13547520",
                "DefNew     total 19648K, used 14627K [0x1, 0x2, 0x3)\\n eden space 17472K,  83% used [0x1, 0x2, 0x3)"
                        + "\\nTenured    total 43712K, used 1166K [0x1, 0x2, 0x3)\\n the  space 43712K,   2% used [0x1) | 16172032",
                "PSYoungGen      total 18944K, used 9965K [0x1, 0x2, 0x3)\\nParOldGen       total 44032K, used 1626K [0x1) | 11869184",
            })
    void addsUpTheGenerationsOfJdk25(String heap, long bytes) {
        assertThat(Allocation.usedIn("""
                19169:
                %s
                Metaspace       used 8933K, committed 9088K, reserved 1114112K
                 class space    used 1062K, committed 1152K, reserved 1048576K
                """.formatted(heap.replace("\\n", "\n")))).hasValue(bytes);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ZHeap           used 14M, capacity 64M, max capacity 64M",
                "65536K max, 65536K soft max, 65536K committed, 13952K used",
            })
    void knowsNothingOfCollectorsThatFreeMemoryBesideTheProgram(String heap) {
        assertThat(Allocation.usedIn(answer(heap))).isEmpty();
    }

    private static String answer(String heap) {
        return "7329:\n " + heap.replace("\\n", "\n") + """

                 Metaspace       used 8933K, committed 9088K, reserved 1114112K
                  class space    used 1062K, committed 1152K, reserved 1048576K
                """;
    }
}
