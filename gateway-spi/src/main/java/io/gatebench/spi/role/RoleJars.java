/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.spi.role;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.gatebench.spi.host.Host;

/**
 * Finds the runnable jars of the roles: resources of the program's own jar, or of those of gatebench-roles. Threads may share it.
 *
 * @since 0.1
 */
public final class RoleJars {

    private static final String LOAD_GENERATOR = "load-generator";
    private static final String ECHO = "echo-backend";

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
     * @param name {@code echo-backend}, {@code load-generator}, {@code reference-gateway} or {@code synapse-gateway}
     * @throws IllegalStateException if the program was packed without it
     */
    public synchronized Path jar(String name) {
        Path target = directory.resolve(name + ".jar");
        if (Files.exists(target)) {
            return target;
        }
        try {
            Files.createDirectories(directory);
            Path part = directory.resolve(name + ".jar.part");
            Optional<Path> program = name.equals(ECHO) ? program() : Optional.empty();
            if (program.isPresent()) {
                EchoJar.write(program.get(), part);
                return Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
            }
            try (InputStream in = resource(name)) {
                if (in == null) {
                    return fromClassPath(name)
                            .orElseThrow(() -> new IllegalStateException("the runnable jar of " + name
                                    + " is neither in this program nor on the class path; run the packaged"
                                    + " orchestrator.jar, or add the jar io.gatebench:gatebench-roles"
                                    + (name.endsWith("-gateway") ? ":" + name : "")
                                    + " to the class path"));
                }
                Files.copy(in, part, StandardCopyOption.REPLACE_EXISTING);
                return Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot unpack " + name + ".jar to " + directory, e);
        }
    }

    /** A class of a module finds only its own resources: the loader finds those of gatebench-roles as well. */
    private static @Nullable InputStream resource(String name) {
        return RoleJars.class.getClassLoader().getResourceAsStream("roles/" + name + ".jar");
    }

    /**
     * Returns the class path of a load generator on a host, where its files are put if they are not there yet: its runnable
     * jar, so that it meets no library and no logging of whoever starts it, or, in the program, that of the program.
     *
     * @throws io.gatebench.spi.host.HostException if they cannot be put there
     */
    public String loadGeneratorOn(Host host) {
        if (hasResource(LOAD_GENERATOR)) {
            return host.upload(
                    jar(LOAD_GENERATOR).toAbsolutePath(), host.workDirectory() + "/jars/" + LOAD_GENERATOR + ".jar");
        }
        if (host.isLocal()) {
            return Arrays.stream(System.getProperty("java.class.path").split(java.io.File.pathSeparator))
                    .map(entry -> Path.of(entry).toAbsolutePath().toString())
                    .collect(Collectors.joining(java.io.File.pathSeparator));
        }
        List<String> there = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(java.io.File.pathSeparator)) {
            Path file = Path.of(entry).toAbsolutePath();
            if (Files.isDirectory(file)) {
                file = packed(file);
            }
            if (Files.isRegularFile(file)) {
                // Two directories may hold files of one name: the number keeps them apart and in order.
                there.add(host.upload(file, host.workDirectory() + "/jars/" + there.size() + "-" + file.getFileName()));
            }
        }
        return String.join(":", there);
    }

    private static boolean hasResource(String name) {
        return RoleJars.class.getClassLoader().getResource("roles/" + name + ".jar") != null;
    }

    /** Packs a directory of classes into a jar, as it is on the class path of a developer. */
    private Path packed(Path classes) {
        Path jar = directory.resolve(
                Integer.toHexString(classes.toString().hashCode()) + "-" + classes.getFileName() + ".jar");
        try {
            Files.createDirectories(directory);
            try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
                    Stream<Path> files = Files.walk(classes)) {
                for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                    JarEntry entry =
                            new JarEntry(classes.relativize(file).toString().replace(java.io.File.separatorChar, '/'));
                    // The same classes give the same bytes, so that they are sent once.
                    entry.setTime(0);
                    out.putNextEntry(entry);
                    Files.copy(file, out);
                    out.closeEntry();
                }
            }
            return jar;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot pack " + classes, e);
        }
    }

    /** Returns the jar that holds this class and the echo back end, if that is a file: the program's. */
    private static Optional<Path> program() throws IOException {
        CodeSource source = RoleJars.class.getProtectionDomain().getCodeSource();
        if (source == null || !source.getLocation().getProtocol().equals("file")) {
            return Optional.empty();
        }
        try {
            Path own = Path.of(source.getLocation().toURI());
            return EchoJar.isIn(own) ? Optional.of(own) : Optional.empty();
        } catch (URISyntaxException e) {
            throw new IOException(e);
        }
    }

    private static Optional<Path> fromClassPath(String name) {
        return Arrays.stream(System.getProperty("java.class.path").split(java.io.File.pathSeparator))
                .map(Path::of)
                .filter(entry -> String.valueOf(entry.getFileName()).matches(name + "(-.*)?-exec\\.jar"))
                .findFirst();
    }
}
