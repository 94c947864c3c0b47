/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.settings;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** Words for what went wrong with a file: where it is missing or closed, the JDK's own message is the path alone. */
public final class FileProblem {

    private FileProblem() {}

    /** Returns the reason as the rest of a sentence that has named the file, without a full stop. */
    public static String of(IOException e) {
        if (e instanceof NoSuchFileException) {
            return "there is no such file or directory";
        }
        if (e instanceof AccessDeniedException) {
            return "access is denied";
        }
        if (e instanceof FileAlreadyExistsException) {
            return "a file of that name is there";
        }
        String reason = e instanceof FileSystemException file ? file.getReason() : e.getMessage();
        return reason == null ? e.toString() : reason;
    }
}
