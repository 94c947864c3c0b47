/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.gatebench.load.engine.LoadException;
import io.gatebench.load.engine.SecondLine;
import io.gatebench.load.engine.stats.SteadyState;
import io.gatebench.model.SecondOfLoad;

/** Says when the load that several load generators send together has become steady, by what they tell each second. */
final class SharedWarmUp {

    private final int generators;
    private final int firstSecond;
    private final Map<Integer, Sum> sums = new HashMap<>();
    private final List<SecondOfLoad> whole = new ArrayList<>();

    /**
     * Creates one.
     *
     * @param generators how many load generators there are
     * @param firstSecond the first second with all users at work
     */
    SharedWarmUp(int generators, int firstSecond) {
        this.generators = generators;
        this.firstSecond = firstSecond;
    }

    private record Sum(int parts, long samples, double millis) {

        Sum plus(long more, double mean) {
            return new Sum(parts + 1, samples + more, millis + more * mean);
        }
    }

    /** Takes a line of a load generator's output; returns whether the load is steady now. */
    boolean isSteadyAfter(String line) {
        if (!SecondLine.isOne(line)) {
            return false;
        }
        try {
            SecondOfLoad told = SecondLine.read(line);
            int second = told.second();
            Sum sum = sums.getOrDefault(second, new Sum(0, 0, 0)).plus(told.samples(), told.meanMillis());
            sums.put(second, sum);
            if (sum.parts() < generators || second < firstSecond) {
                return false;
            }
            sums.remove(second);
            double mean = sum.samples() == 0 ? 0 : sum.millis() / sum.samples();
            whole.add(new SecondOfLoad(second, sum.samples(), 0, mean, mean, mean, mean, 0));
            return SteadyState.reachedBy(whole).isPresent();
        } catch (LoadException e) {
            // Whoever shows the seconds says so.
            return false;
        }
    }
}
