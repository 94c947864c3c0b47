/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.cli;

import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

import io.gatebench.model.ShellWord;

/** Start of the program that runs, to be printed as the beginning of a command that can be copied. */
final class OwnCommand {

    /** A launcher sets it to its own name. */
    private static final String LAUNCHER = "gatebench.launcher";

    private OwnCommand() {}

    /** Returns e.g. {@code java -jar orchestrator/target/orchestrator.jar}, relative to the working directory if it is below it. */
    static String text() {
        String launcher = System.getProperty(LAUNCHER, "");
        if (!launcher.isEmpty()) {
            return ShellWord.readable(launcher);
        }
        Path here = Path.of("").toAbsolutePath();
        return jar().map(jar -> "java -jar " + word(jar.startsWith(here) ? here.relativize(jar) : jar))
                .orElse("gatebench");
    }

    /** Returns a file as an argument of such a command. */
    static String word(Path file) {
        // A path of Windows with slashes needs no quotes in any of its shells.
        return ShellWord.readable(file.toString().replace(file.getFileSystem().getSeparator(), "/"));
    }

    /** Returns the jar of the program, if it was started from one. */
    static Optional<Path> jar() {
        try {
            return Optional.of(Path.of(OwnCommand.class
                            .getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI()))
                    .filter(Files::isRegularFile);
        } catch (URISyntaxException e) {
            throw new IllegalStateException("a program has a place", e);
        }
    }
}
