/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.engine.steps;

import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** Gives the rows of a file to the users of one of several load generators, each of which has rows of its own. */
final class DataRows {

    private final DataFile file;
    private final boolean unique;
    private final int index;
    private final int count;
    private final int users;
    private final int own;
    private final AtomicLong next = new AtomicLong();

    /**
     * Creates it.
     *
     * @param unique whether each user has rows of its own
     * @param index which of the load generators this is, from 0
     * @param count how many there are
     * @param users how many users this load generator has
     * @throws IllegalArgumentException if there are too few rows for that
     */
    DataRows(DataFile file, boolean unique, int index, int count, int users) {
        this.file = file;
        this.unique = unique;
        this.index = index;
        this.count = count;
        this.users = users;
        int rows = file.rows().size();
        this.own = rows / count + (index < rows % count ? 1 : 0);
        int needed = unique ? users : 1;
        if (own < needed) {
            throw new IllegalArgumentException(
                    file.file() + " has " + file.rows().size() + " rows, of which this load generator has "
                            + own + ", but " + (unique ? users + " users need one of their own each" : "it needs one")
                            + "; give more rows, or fewer users");
        }
    }

    /**
     * Returns the row that a user's route takes.
     *
     * @param user which user of this load generator, from 0
     * @param turn how many routes that user has begun before
     */
    Map<String, String> row(int user, long turn) {
        long place;
        if (unique) {
            int first = user % users;
            int ofUser = (own - first + users - 1) / users;
            place = first + turn % ofUser * users;
        } else {
            place = next.getAndIncrement() % own;
        }
        return file.row((int) (index + place * count));
    }
}
