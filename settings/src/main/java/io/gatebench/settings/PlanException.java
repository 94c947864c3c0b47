/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.settings;

import java.util.List;

/**
 * A plan cannot be run; holds every problem that was found, one line each.
 *
 * @since 0.1
 */
public final class PlanException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient List<String> problems;

    /** Creates one with its problems, at least one. */
    public PlanException(List<String> problems) {
        super(String.join(System.lineSeparator(), problems));
        this.problems = List.copyOf(problems);
    }

    /** Returns the problems in the order in which they were found. */
    public List<String> problems() {
        return problems;
    }
}
