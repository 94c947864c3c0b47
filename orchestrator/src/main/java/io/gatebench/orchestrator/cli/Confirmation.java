/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.cli;

import java.io.Console;
import java.util.Locale;

/** Asks the user on the terminal before something that costs or cannot be undone. */
final class Confirmation {

    private Confirmation() {}

    /**
     * Returns the terminal.
     *
     * @param wayOut what is to be said where there is none
     * @throws CommandException if nobody can be asked
     */
    static Console terminal(String wayOut) {
        Console console = System.console();
        if (console == null) {
            throw CommandException.usage(wayOut);
        }
        return console;
    }

    /**
     * Returns if the user says yes.
     *
     * @param what the question, without its mark
     * @param refused what has not happened if the user does not say yes
     * @throws CommandException if the user does not say yes
     */
    static void ask(Console console, String what, String refused) {
        String answer = console.readLine("%s? [y/N] ", what);
        if (answer == null || !answer.trim().toLowerCase(Locale.ROOT).matches("y|yes")) {
            throw CommandException.usage(refused);
        }
    }
}
