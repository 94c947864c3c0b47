/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.run;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

import io.gatebench.report.ReportException;
import io.gatebench.report.results.AtomicFiles;

/**
 * The checksums of everything that a finished cell left, in the form that {@code sha256sum -c} reads.
 *
 * <p>They are written after all else: a cell without them was not finished.
 */
final class CellSeal {

    static final String FILE = "checksums.sha256";

    private CellSeal() {}

    /**
     * Writes the checksums of all files in the directory of a cell.
     *
     * @throws ReportException if a file cannot be read, or the checksums not be written
     */
    static void write(Path directory) {
        StringBuilder text = new StringBuilder();
        sums(directory)
                .forEach((name, sum) ->
                        text.append(sum).append("  ").append(name).append('\n'));
        AtomicFiles.write(directory.resolve(FILE), text.toString());
    }

    /** Returns what is wrong with the directory of a cell, in words; nothing if it is as it was when it was finished. */
    static List<String> problems(Path directory) {
        Path file = directory.resolve(FILE);
        if (!Files.isRegularFile(file)) {
            return List.of("it was not finished");
        }
        List<String> problems = new ArrayList<>();
        try {
            Map<String, String> found = sums(directory);
            for (String line : Files.readAllLines(file)) {
                String[] parts = line.split(" {2}", 2);
                if (parts.length != 2) {
                    return List.of(FILE + " is damaged");
                }
                String actual = found.get(parts[1]);
                if (actual == null) {
                    problems.add(parts[1] + " is missing");
                } else if (!actual.equals(parts[0])) {
                    problems.add(parts[1] + " is not what was written");
                }
            }
        } catch (IOException | ReportException e) {
            problems.add("it cannot be read: " + e.getMessage());
        }
        return problems;
    }

    private static Map<String, String> sums(Path directory) {
        Map<String, String> sums = new TreeMap<>();
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String name = directory.relativize(file).toString().replace('\\', '/');
                if (!name.equals(FILE)) {
                    sums.put(name, sum(file));
                }
            }
        } catch (IOException e) {
            throw new ReportException("cannot read " + directory + ": " + e, e);
        }
        return sums;
    }

    private static String sum(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file);
                DigestInputStream digest = new DigestInputStream(in, MessageDigest.getInstance("SHA-256"))) {
            digest.transferTo(OutputStream.nullOutputStream());
            return HexFormat.of().formatHex(digest.getMessageDigest().digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
