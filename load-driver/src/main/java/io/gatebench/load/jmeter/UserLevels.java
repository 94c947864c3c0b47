/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.jmeter;

import java.time.Duration;
import java.util.List;

import io.gatebench.load.engine.LoadModel.Level;

/** Numbers of users of a closed model that are at work at a time. Immutable. */
final class UserLevels {

    private final List<Level> levels;
    private final Duration rampUp;

    /**
     * Creates the levels.
     *
     * @param levels at least one
     * @param rampUp ramp of the first level, if that has none of its own
     */
    UserLevels(List<Level> levels, Duration rampUp) {
        this.levels = levels;
        this.rampUp = rampUp;
    }

    private Duration ramp(int i) {
        return i == 0 && levels.get(0).ramp().isZero() ? rampUp : levels.get(i).ramp();
    }

    /** Returns whether the user of that number, from 0, is at work at that time. */
    boolean atWork(int user, long nanos) {
        return user < usersAt(nanos);
    }

    private int usersAt(long nanos) {
        double value = 0;
        for (int i = 0; i < levels.size(); i++) {
            long since = nanos - levels.get(i).at().toNanos();
            if (since < 0) {
                break;
            }
            double before = value;
            long ramp = ramp(i).toNanos();
            double target = levels.get(i).value();
            if (since >= ramp) {
                value = target;
            } else {
                // The first user of a ramp starts with it, as JMeter's do.
                double reached = before + (target - before) * since / ramp;
                value = target > before ? Math.min(target, Math.floor(reached) + 1) : Math.ceil(reached);
            }
        }
        return (int) Math.ceil(value);
    }

    /** Returns the first time from {@code nanos} on at which the user is at work, or -1 if there is none. */
    long nextAtWork(int user, long nanos) {
        if (atWork(user, nanos)) {
            return nanos;
        }
        double before = 0;
        for (int i = 0; i < levels.size(); i++) {
            long start = levels.get(i).at().toNanos();
            double target = levels.get(i).value();
            if (target > user) {
                long ramp = ramp(i).toNanos();
                long due = ramp == 0 || before > user
                        ? start
                        : start + Math.round(ramp * Math.max(0, user - before) / (target - before));
                // Rounding may name an instant that is one step early.
                long end = i + 1 < levels.size() ? levels.get(i + 1).at().toNanos() : Long.MAX_VALUE;
                long candidate = Math.max(due, nanos);
                if (candidate < end) {
                    if (atWork(user, candidate)) {
                        return candidate;
                    }
                    if (candidate + 1000 < end && atWork(user, candidate + 1000)) {
                        return candidate + 1000;
                    }
                }
            }
            before = target;
        }
        return -1;
    }
}
