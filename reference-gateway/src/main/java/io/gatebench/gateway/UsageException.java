/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateway;

import java.util.List;

/** The command line asks for something that cannot be done; each problem is one line for the user. */
final class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient List<String> problems;

    UsageException(List<String> problems) {
        super(String.join("; ", problems));
        this.problems = List.copyOf(problems);
    }

    UsageException(String problem) {
        this(List.of(problem));
    }

    /** Returns at least one line. */
    List<String> problems() {
        return problems;
    }
}
