/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Jars of others in a directory beside the program, whose products are found as the program's own are. */
final class Plugins {

    static final String DIRECTORY = "plugins";

    private Plugins() {}

    /** Lets this thread, and those that it starts, find the services of the jars. */
    static void besideTheProgram() {
        CodeSource source = Plugins.class.getProtectionDomain().getCodeSource();
        if (source == null || !source.getLocation().getProtocol().equals("file")) {
            return;
        }
        try {
            List<URL> jars = jars(Path.of(source.getLocation().toURI()).resolveSibling(DIRECTORY));
            if (!jars.isEmpty()) {
                Thread thread = Thread.currentThread();
                // Open until the program ends.
                thread.setContextClassLoader(
                        new URLClassLoader(jars.toArray(URL[]::new), thread.getContextClassLoader()));
            }
        } catch (URISyntaxException e) {
            throw new IllegalStateException("a program has a place", e);
        }
    }

    /** Returns the jars of a directory by name; none if it is not there. */
    static List<URL> jars(Path directory) {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> found = Files.newDirectoryStream(directory, "*.jar")) {
            found.forEach(files::add);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot list " + directory, e);
        }
        files.sort(Comparator.naturalOrder());
        List<URL> urls = new ArrayList<>();
        for (Path file : files) {
            try {
                urls.add(file.toUri().toURL());
            } catch (MalformedURLException e) {
                throw new IllegalStateException("a file has an address", e);
            }
        }
        return urls;
    }
}
