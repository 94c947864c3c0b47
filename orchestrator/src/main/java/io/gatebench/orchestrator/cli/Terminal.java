/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import io.gatebench.hosts.LocalSystem;

/** Tells whether people read an output of this process, and whether they want it in colours. */
final class Terminal {

    private static final int STANDARD_OUTPUT = 1;
    private static final int STANDARD_ERROR = 2;

    /** Choice of when results are coloured. */
    enum Colour {
        /** On a terminal, unless {@code NO_COLOR} is set or the terminal is dumb. */
        AUTO,
        /** Always, also into a file. */
        ALWAYS,
        /** Never. */
        NEVER
    }

    private Terminal() {}

    /** Returns whether standard output is a terminal. */
    static boolean isOutput() {
        return isTerminal(STANDARD_OUTPUT);
    }

    /** Returns whether standard error is a terminal that can rewrite a line. */
    static boolean isErrorOutput() {
        return !"dumb".equals(System.getenv("TERM")) && isTerminal(STANDARD_ERROR);
    }

    /**
     * Returns whether a result is coloured.
     *
     * @param wish what the user asked for
     * @param environment the variables of the process: {@code NO_COLOR} that is not empty forbids, {@code TERM=dumb} too
     * @param terminal whether the result goes to a terminal
     */
    static boolean coloured(Colour wish, Map<String, String> environment, boolean terminal) {
        return switch (wish) {
            case ALWAYS -> true;
            case NEVER -> false;
            case AUTO ->
                terminal
                        && environment.getOrDefault("NO_COLOR", "").isEmpty()
                        && !"dumb".equals(environment.get("TERM"));
        };
    }

    /** {@link System#console()} speaks of input and output together, so it is the fallback. */
    private static boolean isTerminal(int stream) {
        Path link = Path.of("/proc/self/fd", Integer.toString(stream));
        if (LocalSystem.hasProc() && Files.isSymbolicLink(link)) {
            try {
                String target = Files.readSymbolicLink(link).toString();
                return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty") || target.equals("/dev/console");
            } catch (IOException e) {
                return false;
            }
        }
        return System.console() != null;
    }
}
