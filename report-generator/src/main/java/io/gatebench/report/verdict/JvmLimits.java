/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.verdict;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.gatebench.model.DataSize;
import io.gatebench.model.TestCaseResult;

/** The limits that the JVM of the gateway says it has, held to those of the plan. */
final class JvmLimits {

    /** Collectors round a heap to whole regions, spaces and pages. */
    private static final double ROUNDING = 0.05;

    private static final long MIN_ROUNDING = DataSize.ofMebibytes(4).bytes();

    private JvmLimits() {}

    /** Returns one sentence for each limit that the JVM sees otherwise; none for a gateway that says nothing of them. */
    static List<String> misfits(TestCaseResult.Completed result) {
        Map<String, String> facts = result.facts();
        List<String> misfits = new ArrayList<>();
        String processors = facts.get("jvm.processors");
        String planned = facts.get("jvm.processors.planned");
        if (processors != null && planned != null && !processors.equals(planned)) {
            misfits.add(
                    "the JVM of the gateway counts " + processors + " processor(s), but the plan leaves it " + planned);
        }
        Optional<DataSize> memory = size(facts.get("jvm.memory"));
        Optional<DataSize> limit = size(facts.get("jvm.memory.planned"));
        if (memory.isPresent() && limit.isPresent() && differ(memory.get(), limit.get())) {
            misfits.add(
                    "the JVM of the gateway sees " + memory.get() + " of memory, but its container has " + limit.get());
        }
        Optional<DataSize> heap = size(facts.get("jvm.heap"));
        DataSize plannedHeap = result.testCase().heap();
        if (heap.isPresent() && plannedHeap.bytes() > 0 && differ(heap.get(), plannedHeap)) {
            misfits.add("the JVM of the gateway may use " + heap.get() + " of heap, but the plan names " + plannedHeap);
        }
        if (heap.isPresent() && limit.isPresent() && heap.get().compareTo(limit.get()) >= 0) {
            misfits.add("the heap of the gateway may grow to " + heap.get() + ", which is all of its container's "
                    + limit.get() + ": there the kernel ends it");
        }
        return misfits;
    }

    private static boolean differ(DataSize seen, DataSize planned) {
        return Math.abs(seen.bytes() - planned.bytes()) > Math.max(MIN_ROUNDING, ROUNDING * planned.bytes());
    }

    private static Optional<DataSize> size(String text) {
        return Optional.ofNullable(text).map(DataSize::parse);
    }
}
