/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.verdict;

import java.util.ArrayList;
import java.util.List;

import io.gatebench.model.DataSize;
import io.gatebench.model.JvmResources;
import io.gatebench.model.TestCaseResult;

/** The limits that the JVM of the gateway says it has, held to those of the plan. */
final class JvmLimits {

    /** Collectors round a heap to whole regions, spaces and pages. */
    private static final double ROUNDING = 0.05;

    private static final long MIN_ROUNDING = DataSize.ofMebibytes(4).bytes();

    private JvmLimits() {}

    /** Returns one sentence for each limit that the JVM sees otherwise; none for a gateway that says nothing of them. */
    static List<String> misfits(TestCaseResult.Completed result) {
        return result.jvm().map(jvm -> misfits(jvm, result.testCase().heap())).orElse(List.of());
    }

    private static List<String> misfits(JvmResources jvm, DataSize plannedHeap) {
        List<String> misfits = new ArrayList<>();
        if (jvm.processors() != jvm.plannedProcessors()) {
            misfits.add("the JVM of the gateway counts " + jvm.processors() + " processor(s), but the plan leaves it "
                    + jvm.plannedProcessors());
        }
        jvm.plannedMemory()
                .filter(limit -> differ(jvm.memory(), limit))
                .ifPresent(limit -> misfits.add(
                        "the JVM of the gateway sees " + jvm.memory() + " of memory, but its limit is " + limit));
        if (plannedHeap.bytes() > 0 && differ(jvm.heap(), plannedHeap)) {
            misfits.add("the JVM of the gateway may use " + jvm.heap() + " of heap, but the plan names " + plannedHeap);
        }
        jvm.plannedMemory()
                .filter(limit -> jvm.heap().compareTo(limit) >= 0)
                .ifPresent(limit -> misfits.add("the heap of the gateway may grow to " + jvm.heap()
                        + ", which is all of its limit of " + limit + ": there the kernel ends it"));
        return misfits;
    }

    private static boolean differ(DataSize seen, DataSize planned) {
        return Math.abs(seen.bytes() - planned.bytes()) > Math.max(MIN_ROUNDING, ROUNDING * planned.bytes());
    }
}
