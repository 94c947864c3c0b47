/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.environment;

import java.util.List;

/**
 * An environment could not be opened; holds every problem that was found, one line each.
 *
 * @since 0.1
 */
public final class EnvironmentException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient List<String> problems;

    /** Creates one with its problems, at least one. */
    public EnvironmentException(List<String> problems) {
        super(String.join(System.lineSeparator(), problems));
        this.problems = List.copyOf(problems);
    }

    /** Returns the problems in the order of the hosts. */
    public List<String> problems() {
        return problems;
    }
}
