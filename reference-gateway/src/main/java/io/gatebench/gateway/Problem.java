/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateway;

import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;

/** Turns an exception into the words a user needs. */
final class Problem {
    private Problem() {}

    /** Returns the reason in a few words, on one line. */
    static String of(Throwable cause) {
        if (cause instanceof NoSuchFileException) {
            return "there is no such file";
        }
        if (cause instanceof AccessDeniedException) {
            return "access is denied";
        }
        String message = cause.getMessage();
        return message == null || message.isBlank()
                ? cause.getClass().getSimpleName()
                : message.lines().findFirst().orElse("").strip();
    }
}
