/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.role;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/** Finds the runnable jars of the roles: they are resources of the program's own jar. */
public final class RoleJars {

    private final Path directory;

    /**
     * Creates a finder.
     *
     * @param directory where jars are unpacked to
     */
    public RoleJars(Path directory) {
        this.directory = directory;
    }

    /**
     * Returns the runnable jar of a role, unpacked.
     *
     * @param name {@code echo-backend}, {@code reference-gateway} or {@code synapse-gateway}
     * @throws IllegalStateException if the program was packed without it
     */
    public Path jar(String name) {
        Path target = directory.resolve(name + ".jar");
        if (Files.exists(target)) {
            return target;
        }
        try {
            Files.createDirectories(directory);
            try (InputStream in = RoleJars.class.getResourceAsStream("/roles/" + name + ".jar")) {
                if (in == null) {
                    return fromClassPath(name)
                            .orElseThrow(() -> new IllegalStateException("the runnable jar of " + name
                                    + " is not part of this program; run the packaged orchestrator.jar"));
                }
                Path part = directory.resolve(name + ".jar.part");
                Files.copy(in, part, StandardCopyOption.REPLACE_EXISTING);
                return Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot unpack " + name + ".jar to " + directory, e);
        }
    }

    /** Returns the class path of this JVM with absolute entries: the load generator is forked from it. */
    public String ownClassPath() {
        return Arrays.stream(System.getProperty("java.class.path").split(java.io.File.pathSeparator))
                .map(entry -> Path.of(entry).toAbsolutePath().toString())
                .collect(Collectors.joining(java.io.File.pathSeparator));
    }

    private static Optional<Path> fromClassPath(String name) {
        return Arrays.stream(System.getProperty("java.class.path").split(java.io.File.pathSeparator))
                .map(Path::of)
                .filter(entry -> String.valueOf(entry.getFileName()).matches(name + "(-.*)?-exec\\.jar"))
                .findFirst();
    }
}
