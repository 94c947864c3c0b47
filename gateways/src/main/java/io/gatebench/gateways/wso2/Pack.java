/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways.wso2;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

import io.gatebench.spi.host.CommandResult;
import io.gatebench.spi.host.Host;
import io.gatebench.spi.role.RoleStartException;

/**
 * A product pack on this machine: a zip file as it is published, or a directory with its content.
 *
 * <p>The pack itself is never changed: what runs is a copy in the run's own directory.
 */
final class Pack {

    private static final int MAX_ENTRIES = 500_000;
    private static final long MAX_BYTES = 32L << 30;
    private static final Duration INSTALL = Duration.ofMinutes(10);
    private static final String HOME = "home";

    private static final String UNPACK = """
            cd "$0" || exit 1
            if command -v unzip >/dev/null 2>&1; then exec unzip -q -o "$2"; fi
            exec "$1" xf "$2"
            """;

    /**
     * A link would lead what is written below it to another place. Links are made last by unzip, and none was written
     * through before; a JDK's tool makes none.
     */
    private static final String REFUSE_LINKS = """
            link=$(find "$0" -type l | head -n 1)
            [ -z "$link" ] && exit 0
            echo "the pack is refused: $link is a symbolic link, as no product is published with"
            exit 1
            """;

    /** The products' scripts call others, and the programs of a JRE that some of them bring along. */
    private static final String MAKE_RUNNABLE = """
            chmod -R u+rwX "$0" && find "$0" -type f -path '*/bin/*' -exec chmod u+x {} +
            """;

    private final Path path;
    private final String root;
    private final String script;

    private Pack(Path path, String root, String script) {
        this.path = path;
        this.root = root;
        this.script = script;
    }

    /**
     * Returns the pack after a look at all its entries.
     *
     * @param what what it is to be, for messages
     * @param scripts the start scripts by which such a pack is known, in order of preference
     * @throws IllegalArgumentException if there is none, it is not that product's, or unpacking it would be unsafe
     */
    static Pack open(Path path, String what, List<String> scripts) {
        if (Files.isDirectory(path)) {
            String script = scripts.stream()
                    .filter(s -> Files.isRegularFile(path.resolve(s)))
                    .findFirst()
                    .orElseThrow(() -> notThatProduct(path, what, scripts));
            return new Pack(path.toAbsolutePath().normalize(), HOME, script);
        }
        if (!Files.isRegularFile(path)) {
            throw new IllegalArgumentException("--gateway-home " + path + " does not exist");
        }
        Set<String> names = new HashSet<>();
        try (ZipFile zip = new ZipFile(path.toFile())) {
            long bytes = 0;
            Enumeration<? extends ZipEntry> entries = zip.entries();
            while (entries.hasMoreElements()) {
                ZipEntry entry = entries.nextElement();
                requireSafe(path, entry.getName());
                names.add(entry.getName());
                bytes += Math.max(0, entry.getSize());
                if (names.size() > MAX_ENTRIES || bytes > MAX_BYTES) {
                    throw new IllegalArgumentException("the pack " + path + " has more than " + MAX_ENTRIES
                            + " entries or unpacks to more than 32 GiB: it is not unpacked");
                }
            }
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "--gateway-home " + path + " is neither a directory nor a zip file that can be read: "
                            + e.getMessage(),
                    e);
        }
        for (String script : scripts) {
            for (String name : names) {
                if (name.endsWith("/" + script) && name.indexOf('/') == name.length() - script.length() - 1) {
                    return new Pack(path.toAbsolutePath(), name.substring(0, name.indexOf('/')), script);
                }
            }
        }
        throw notThatProduct(path, what, scripts);
    }

    private static IllegalArgumentException notThatProduct(Path path, String what, List<String> scripts) {
        return new IllegalArgumentException("--gateway-home " + path + " is no pack of " + what + ": it holds no "
                + String.join(" and no ", scripts) + " in its top directory");
    }

    /** An entry that leads out of the directory it is unpacked to would overwrite other files of the user. */
    private static void requireSafe(Path path, String name) {
        boolean unsafe = name.startsWith("/")
                || name.contains("\\")
                || name.contains(":")
                || name.chars().anyMatch(c -> c < ' ')
                || List.of(name.split("/", -1)).contains("..");
        if (unsafe) {
            throw new IllegalArgumentException("the pack " + path + " is refused: its entry '" + name
                    + "' would be unpacked outside of its directory");
        }
    }

    /** Returns the start script's path in the pack. */
    String script() {
        return script;
    }

    /** Returns what the pack says of its version, if it does. */
    Optional<String> version() {
        for (String name : List.of("bin/version.txt", "version.txt")) {
            Optional<byte[]> text = read(name);
            if (text.isPresent()) {
                return new String(text.get(), java.nio.charset.StandardCharsets.UTF_8)
                        .lines()
                        .map(String::strip)
                        .filter(line -> !line.isEmpty())
                        .findFirst();
            }
        }
        return Optional.empty();
    }

    /** Returns the content of a file of the pack, if it is there. */
    Optional<byte[]> read(String name) {
        try {
            if (Files.isDirectory(path)) {
                Path file = path.resolve(name);
                return Files.isRegularFile(file) ? Optional.of(Files.readAllBytes(file)) : Optional.empty();
            }
            try (ZipFile zip = new ZipFile(path.toFile())) {
                ZipEntry entry = zip.getEntry(root + "/" + name);
                if (entry == null) {
                    return Optional.empty();
                }
                try (InputStream in = zip.getInputStream(entry)) {
                    return Optional.of(in.readAllBytes());
                }
            }
        } catch (IOException e) {
            throw new RoleStartException("the file " + name + " of the pack " + path + " cannot be read: " + e);
        }
    }

    /**
     * Puts a copy on a host.
     *
     * @param target the directory on the host that takes it; must be without blanks, which the products' scripts
     *     do not bear
     * @return the product's home directory there
     */
    String install(Host host, String target) {
        if (target.chars().anyMatch(Character::isWhitespace)) {
            throw new RoleStartException("the product cannot be installed in " + target
                    + ": its scripts do not bear blanks in the path; choose another --results directory");
        }
        host.createDirectory(target);
        String home = target + "/" + root;
        if (Files.isDirectory(path) && host.isLocal()) {
            host.createDirectory(home);
            run(host, List.of("cp", "-a", path + "/.", home));
        } else if (Files.isDirectory(path)) {
            unpack(host, zipped(), target);
        } else {
            unpack(host, path, target);
            run(host, List.of("/bin/sh", "-c", REFUSE_LINKS, target));
        }
        // The JDK's tool for zip files restores no permissions, and not every pack holds them.
        run(host, List.of("/bin/sh", "-c", MAKE_RUNNABLE, home));
        return home;
    }

    private static void unpack(Host host, Path zip, String target) {
        String there = host.upload(zip, target + "/pack.zip");
        String jar = Path.of(host.java()).resolveSibling("jar").toString();
        run(host, List.of("/bin/sh", "-c", UNPACK, target, jar, there));
    }

    private static void run(Host host, List<String> command) {
        CommandResult result = host.run(command, INSTALL);
        if (result.exitCode() != 0) {
            throw new RoleStartException("the product cannot be installed on " + host.name() + ": "
                    + (result.output() + result.errorOutput()).strip());
        }
    }

    private Path zipped() {
        try {
            Path zip = Files.createTempFile("gatebench-pack-", ".zip");
            zip.toFile().deleteOnExit();
            try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(zip));
                    Stream<Path> files = Files.walk(path)) {
                List<Path> sorted = new ArrayList<>(
                        files.filter(Files::isRegularFile).sorted().toList());
                for (Path file : sorted) {
                    ZipEntry entry = new ZipEntry(HOME + "/" + path.relativize(file));
                    entry.setTime(0);
                    out.putNextEntry(entry);
                    Files.copy(file, out);
                    out.closeEntry();
                }
            }
            return zip;
        } catch (IOException e) {
            throw new RoleStartException("the directory " + path + " cannot be packed: " + e);
        }
    }
}
