/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.trend;

import java.util.List;
import java.util.Optional;

/**
 * Course of a figure over many runs.
 *
 * @param value the name of the figure
 * @param series one entry per test case
 * @param excluded runs that do not count, with the reason
 * @param notes what a reader must know, e.g. that the runs stand in the order of the file
 */
public record Trend(String value, List<Series> series, List<Excluded> excluded, List<String> notes) {

    /**
     * The runs of one test case in order of time.
     *
     * @param name the test case, or {@code all rows} if the file tells none
     * @param points the runs that count
     * @param changes the changes of level
     * @param early what the last runs show if they left the last level and are too few to be one: too early to tell
     */
    public record Series(String name, List<Point> points, List<Change> changes, Optional<Change> early) {

        /** Copies the lists. */
        public Series {
            points = List.copyOf(points);
            changes = List.copyOf(changes);
        }
    }

    /**
     * One run.
     *
     * @param number which run of its series it is, from 1, those that do not count included
     * @param time the time as the file has it
     * @param value the figure
     * @param where file and line
     * @param version the version that the file names, if it does
     * @param commit the commit that the file names, if it does
     */
    public record Point(
            int number, String time, double value, String where, Optional<String> version, Optional<String> commit) {

        /** Returns the time as a date that people read. */
        public String date() {
            return TimeOrder.readable(time);
        }
    }

    /** Meaning of a change. */
    public enum Direction {
        /** For the better. */
        BETTER,
        /** For the worse. */
        WORSE,
        /** Upwards, where it is not known whether more is better. */
        UP,
        /** Downwards, where it is not known whether more is better. */
        DOWN
    }

    /**
     * A change of level.
     *
     * @param index position of the first run at the new level among the points, from 0
     * @param point that run
     * @param earliest the first run at which the change may have been: 95 % interval of its place
     * @param latest the last run at which it may have been
     * @param before median of the level before
     * @param after median of the new level
     * @param p chance of such a difference without a change, corrected for all places and all series where one could be
     * @param direction what it means
     */
    public record Change(
            int index,
            Point point,
            Point earliest,
            Point latest,
            double before,
            double after,
            double p,
            Direction direction) {}

    /**
     * A run that does not count.
     *
     * @param series the test case
     * @param number which run of its series it is, from 1
     * @param time the time as the file has it
     * @param value the figure as the file has it
     * @param where file and line
     * @param reason why
     */
    public record Excluded(String series, int number, String time, String value, String where, String reason) {}

    /** Copies the lists. */
    public Trend {
        series = List.copyOf(series);
        excluded = List.copyOf(excluded);
        notes = List.copyOf(notes);
    }
}
