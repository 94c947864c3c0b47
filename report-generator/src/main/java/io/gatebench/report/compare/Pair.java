/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.compare;

import io.gatebench.report.column.Metric;
import io.gatebench.report.column.Spread;
import io.gatebench.report.compare.ModeratedVariance.Estimate;

/** A matched figure before it is judged. */
final class Pair {

    final ComparedCase before;
    final ComparedCase after;
    final Metric metric;
    final double[] left;
    final double[] right;
    final Estimate within;
    final String missing;
    final boolean doubtful;
    private final boolean oneMeasurement;
    private final boolean anySetUp;

    /**
     * Makes a pair.
     *
     * @param anySetUp whether figures of two set-ups may stand beside each other
     */
    Pair(ComparedCase before, ComparedCase after, Metric metric, boolean anySetUp) {
        this.anySetUp = anySetUp;
        this.before = before;
        this.after = after;
        this.metric = metric;
        this.left = before.logs(metric);
        this.right = after.logs(metric);
        int degrees = Math.max(0, left.length - 1) + Math.max(0, right.length - 1);
        this.within =
                new Estimate(degrees == 0 ? 0 : (Spread.squares(left) + Spread.squares(right)) / degrees, degrees);
        this.missing = left.length == 0 ? before.run() : right.length == 0 ? after.run() : "";
        this.doubtful = before.isDoubtful(metric) || after.isDoubtful(metric);
        this.oneMeasurement = before.holdsTheFiguresOf(after);
    }

    /** Returns whether both sides hold a figure of a gateway that did its work under the same load. */
    boolean comparable() {
        return before.reason().isEmpty()
                && after.reason().isEmpty()
                && missing.isEmpty()
                && !ofTwoLoadModels()
                && !ofTwoSetUps();
    }

    /** Returns whether something may be built on the figures. */
    boolean testable() {
        return comparable() && !doubtful;
    }

    /** A response time at a given rate says nothing beside one of users that wait for their answers. */
    boolean ofTwoLoadModels() {
        return !before.loadModel().isEmpty()
                && !after.loadModel().isEmpty()
                && !before.loadModel().equals(after.loadModel());
    }

    /** With other processors, a warm gateway or another warm-up the same gateway has other figures. */
    boolean ofTwoSetUps() {
        return !anySetUp
                && !before.setUp().isEmpty()
                && !after.setUp().isEmpty()
                && !before.setUp().equals(after.setUp());
    }

    double difference() {
        return Spread.mean(right) - Spread.mean(left);
    }

    /** The difference with the sign of what is better. */
    double gain() {
        return metric.better() == Metric.Better.HIGHER ? difference() : -difference();
    }

    /** One measurement that was read twice needs no test, and none is counted for it. */
    boolean identical() {
        return oneMeasurement;
    }

    /** Returns the factor by which less is known of the difference than of a single run. */
    double spread() {
        return Math.sqrt(1.0 / left.length + 1.0 / right.length);
    }
}
