/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.spi;

import java.util.Arrays;
import java.util.List;

import io.gatebench.model.cloud.CloudException;

/**
 * An environment could not be opened; holds every problem that was found, one line each.
 *
 * @since 0.1
 */
public final class EnvironmentException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient List<String> problems;
    private boolean leavesSomething;

    /** Creates one with its problems, at least one. */
    public EnvironmentException(List<String> problems) {
        super(String.join(System.lineSeparator(), problems));
        this.problems = List.copyOf(problems);
    }

    private EnvironmentException(List<String> problems, boolean leavesSomething) {
        this(problems);
        this.leavesSomething = leavesSomething;
    }

    /** Returns one after which something is left that could not be removed. */
    public static EnvironmentException leaving(List<String> problems) {
        return new EnvironmentException(problems, true);
    }

    /** Returns whether something is left that could not be removed, and may cost money. */
    public boolean leavesSomething() {
        return leavesSomething || Arrays.stream(getSuppressed()).anyMatch(CloudException.class::isInstance);
    }

    /** Returns the problems in the order of the hosts. */
    public List<String> problems() {
        return problems;
    }
}
