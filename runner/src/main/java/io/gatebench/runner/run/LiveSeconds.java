/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import java.util.HashMap;
import java.util.Map;

import io.gatebench.load.engine.LoadException;
import io.gatebench.load.engine.SecondLine;
import io.gatebench.model.SecondOfLoad;
import io.gatebench.spi.RunListener;
import io.gatebench.spi.RunListener.LiveSecond;

/** Adds up what several load generators say of each second, for the eye alone. */
final class LiveSeconds {

    private final int generators;
    private final RunListener listener;
    private final Map<Integer, Sum> sums = new HashMap<>();

    LiveSeconds(int generators, RunListener listener) {
        this.generators = generators;
        this.listener = listener;
    }

    private record Sum(int parts, LiveSecond second) {

        Sum plus(LiveSecond other) {
            return new Sum(
                    parts + 1,
                    new LiveSecond(
                            second.second(),
                            second.samples() + other.samples(),
                            second.errors() + other.errors(),
                            Math.max(second.p99Millis(), other.p99Millis()),
                            second.users() + other.users()));
        }
    }

    /**
     * Takes a line of a load generator's output; the listener is told of a second when all have spoken of it.
     *
     * @return whether it is about a second
     */
    boolean line(String line) {
        if (!SecondLine.isOne(line)) {
            return false;
        }
        try {
            SecondOfLoad told = SecondLine.read(line);
            LiveSecond second =
                    new LiveSecond(told.second(), told.samples(), told.errors(), told.p99Millis(), told.users());
            Sum known = sums.get(second.second());
            Sum sum = known == null ? new Sum(1, second) : known.plus(second);
            sums.put(second.second(), sum);
            if (sum.parts() == generators) {
                sums.remove(second.second());
                listener.second(sum.second());
            }
        } catch (LoadException e) {
            listener.note(e.getMessage());
        }
        return true;
    }
}
