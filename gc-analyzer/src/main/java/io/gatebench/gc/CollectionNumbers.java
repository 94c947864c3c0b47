/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gc;

import java.util.HashSet;
import java.util.Set;

/** Follows the numbers of one JVM's collections: gaps are lost parts of the log. */
final class CollectionNumbers {

    private static final int MAX_MISSING = 1024;

    private final ParserHealth health;
    private final Set<Long> missing = new HashSet<>();
    private boolean seen;
    private long greatest = -1;
    private long last = -1;

    CollectionNumbers(ParserHealth health) {
        this.health = health;
    }

    /** Returns whether any collection was seen. */
    boolean seen() {
        return seen;
    }

    /** Returns the number that came last, or -1. */
    long last() {
        return last;
    }

    /** Returns the greatest number so far, or -1. */
    long greatest() {
        return greatest;
    }

    /** Takes the number of a line; returns whether it begins a collection. */
    boolean add(long id) {
        if (id == last) {
            return false;
        }
        last = id;
        if (!seen) {
            seen = true;
            health.firstCollection = id;
            greatest = id;
            return true;
        }
        if (id <= greatest) {
            if (!missing.isEmpty()) {
                missing.remove(id);
            }
            return false;
        }
        for (long i = greatest + 1; i < id; i++) {
            if (missing.size() >= MAX_MISSING) {
                health.missingCollections += id - i;
                break;
            }
            missing.add(i);
        }
        greatest = id;
        return true;
    }

    /** Ends the run: what is missing now stays so. */
    void finish() {
        health.missingCollections += missing.size();
    }
}
