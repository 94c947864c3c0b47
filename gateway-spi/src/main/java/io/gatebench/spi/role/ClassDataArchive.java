/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.spi.role;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import io.gatebench.spi.host.CommandResult;
import io.gatebench.spi.host.FileTrees;
import io.gatebench.spi.host.Host;
import io.gatebench.spi.host.HostException;

/**
 * The jar of a gateway taken apart, and the classes that it loads when it starts in a class-data archive (JEP 350), which the
 * JVM maps instead of reading, checking and laying them out again. Made once on a machine for a jar, a JVM and its flags,
 * and kept for later runs. The code that serves requests is compiled as without it.
 *
 * <p>Several programs may make one at the same time, and each may be killed: what is under its final name is whole.
 */
public final class ClassDataArchive {

    /** The variable of the environment that switches archives off, with the value {@code off}. */
    public static final String SWITCH = "GATEBENCH_CLASS_DATA";

    /** The option of a JVM that uses one. */
    public static final String OPTION = "-XX:SharedArchiveFile=";

    private static final Duration COMMAND = Duration.ofMinutes(2);
    private static final Duration KEPT = Duration.ofDays(30);
    private static final String ARCHIVE = "start.jsa";
    private static final String PART = ".part";

    private final Path cache;
    private final InstantSource clock;

    /**
     * Creates the archives of a directory.
     *
     * @param cache where they are kept, created when needed; others must not be able to write there
     */
    public ClassDataArchive(Path cache, InstantSource clock) {
        this.cache = cache;
        this.clock = clock;
    }

    /** Returns the directory of this user's archives, or empty if they are switched off or the user has no home. */
    public static Optional<Path> directory(Map<String, String> environment) {
        if (environment.getOrDefault(SWITCH, "").equals("off")) {
            return Optional.empty();
        }
        String cache = environment.getOrDefault("XDG_CACHE_HOME", "");
        String home = System.getProperty("user.home", "");
        if (cache.isEmpty() && !Files.isDirectory(Path.of(home))) {
            return Optional.empty();
        }
        Path base = cache.isEmpty() ? Path.of(home, ".cache") : Path.of(cache);
        return base.isAbsolute() ? Optional.of(base.resolve("gatebench/class-data")) : Optional.empty();
    }

    /** Starts the program once, with these options of its JVM before {@code -jar} and the jar, and ends it in order. */
    public interface Rehearsal {

        /** Returns when the program has ended. */
        void run(List<String> launch);
    }

    /**
     * Returns how the jar is started: with the archive, which is made if it is not there.
     *
     * @param host where; only this machine has archives
     * @param jar an executable jar of Spring Boot
     * @param flags the options of its JVM but for the heap's size, on which archives do not depend
     * @param rehearsal starts and ends the program
     * @throws IOException if it cannot be made, with the reason
     */
    public List<String> launch(Host host, Path jar, List<String> flags, Rehearsal rehearsal) throws IOException {
        if (!host.isLocal()) {
            throw new IOException("it is made on this machine alone");
        }
        Path home = cache.resolve(key(jar, host, flags));
        try {
            if (!Files.isDirectory(home)) {
                removeOld();
                takeApart(host, jar, home);
            }
            Path program = home.resolve(jar.getFileName());
            Path archive = home.resolve(ARCHIVE);
            if (!Files.isRegularFile(archive)) {
                make(program, archive, rehearsal);
            }
            Files.setLastModifiedTime(home, FileTime.from(clock.instant()));
            return List.of(OPTION + archive, "-jar", program.toString());
        } catch (HostException | RoleStartException | UncheckedIOException e) {
            throw new IOException(String.valueOf(e.getMessage()), e);
        }
    }

    private static void takeApart(Host host, Path jar, Path home) throws IOException {
        Path part = part(home);
        try {
            Files.createDirectories(home.getParent());
            CommandResult answer = host.run(
                    List.of(
                            host.java(),
                            "-Djarmode=tools",
                            "-jar",
                            jar.toString(),
                            "extract",
                            "--destination",
                            part.toString()),
                    COMMAND);
            if (answer.exitCode() != 0 || !Files.isRegularFile(part.resolve(jar.getFileName()))) {
                throw new IOException("the jar cannot be taken apart (exit code " + answer.exitCode() + "): "
                        + answer.errorOutput().strip());
            }
            moveUnlessThere(part, home);
        } finally {
            FileTrees.delete(part);
        }
    }

    private static void make(Path program, Path archive, Rehearsal rehearsal) throws IOException {
        // Beside the jar: the JVM compares the paths of an archive with its own.
        Path part = part(archive);
        try {
            rehearsal.run(List.of("-XX:ArchiveClassesAtExit=" + part, "-jar", program.toString()));
            if (!Files.isRegularFile(part) || Files.size(part) == 0) {
                throw new IOException("the JVM wrote none when the program ended");
            }
            Files.move(part, archive, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(part);
        }
    }

    /** Another program may have been faster: then there is the same already. */
    private static void moveUnlessThere(Path part, Path target) throws IOException {
        try {
            Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            if (!Files.isDirectory(target)) {
                throw e;
            }
        }
    }

    private static Path part(Path target) {
        return target.resolveSibling(target.getFileName() + "." + UUID.randomUUID() + PART);
    }

    /** Removes what no run has used for long, and what programs that were killed have left. */
    private void removeOld() throws IOException {
        if (!Files.isDirectory(cache)) {
            return;
        }
        Instant limit = clock.instant().minus(KEPT);
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(cache)) {
            for (Path entry : entries) {
                if (Files.getLastModifiedTime(entry).toInstant().isBefore(limit)) {
                    FileTrees.delete(entry);
                }
            }
        }
    }

    /** Names the jar's bytes, the JVM and its flags: with another of them there is another archive. */
    private static String key(Path jar, Host host, List<String> flags) throws IOException {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            try (InputStream in = Files.newInputStream(jar);
                    DigestOutputStream out = new DigestOutputStream(java.io.OutputStream.nullOutputStream(), digest)) {
                in.transferTo(out);
            }
            for (String part : List.of(
                    host.java(),
                    System.getProperty("java.vm.vendor"),
                    System.getProperty("java.vm.version"),
                    System.getProperty("os.arch"),
                    String.join(" ", flags))) {
                digest.update((byte) 0);
                digest.update(part.getBytes(StandardCharsets.UTF_8));
            }
            return HexFormat.of().formatHex(digest.digest()).substring(0, 32);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }
}
