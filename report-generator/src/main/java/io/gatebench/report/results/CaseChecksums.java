/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.results;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

import io.gatebench.model.FileDigest;

/**
 * The checksums of everything that a finished test case left, in the form that {@code sha256sum -c} reads.
 *
 * <p>They are written after all else: a test case without them was not finished.
 */
public final class CaseChecksums {

    /** Name of the file, in the directory of the test case. */
    public static final String FILE = "checksums.sha256";

    private CaseChecksums() {}

    /**
     * Writes the checksums of all files in the directory of a test case.
     *
     * @throws ReportException if a file cannot be read, or the checksums not be written
     */
    public static void write(Path directory) {
        write(directory.resolve(FILE), sums(directory));
    }

    /** Returns whether the directory of a test case has checksums. */
    public static boolean isIn(Path directory) {
        return Files.isRegularFile(directory.resolve(FILE));
    }

    /**
     * Returns what is wrong with the directory of a test case, in words; nothing if it is as it was when it was
     * finished.
     */
    public static List<String> problems(Path directory) {
        return isIn(directory) ? differences(directory) : List.of("it was not finished");
    }

    /**
     * Returns what was changed in the directory of a test case that has a result; nothing if it is as it was when it
     * was finished. Opens each file once.
     */
    static List<String> changes(Path directory) {
        return isIn(directory) ? differences(directory) : List.of("its " + FILE + " is missing");
    }

    static void write(Path seal, Map<String, String> sums) {
        StringBuilder text = new StringBuilder();
        sums.forEach((name, sum) -> text.append(sum).append("  ").append(name).append('\n'));
        AtomicFiles.write(seal, text.toString());
    }

    /** Returns the checksums that a file holds, by name; those of a line that is none are missing. */
    static Map<String, String> read(Path seal) throws IOException {
        Map<String, String> sums = new TreeMap<>();
        for (String line : Files.readAllLines(seal)) {
            String[] parts = line.split(" {2}", 2);
            if (parts.length != 2) {
                throw new IOException(seal.getFileName() + " is damaged");
            }
            sums.put(parts[1], parts[0]);
        }
        return sums;
    }

    private static List<String> differences(Path directory) {
        List<String> problems = new ArrayList<>();
        try {
            Map<String, String> found = sums(directory);
            read(directory.resolve(FILE)).forEach((name, sum) -> {
                String actual = found.get(name);
                if (actual == null) {
                    problems.add(name + " is missing");
                } else if (!actual.equals(sum)) {
                    problems.add(name + " is not what was written");
                }
            });
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
                    sums.put(name, FileDigest.sha256(file));
                }
            }
        } catch (IOException e) {
            throw new ReportException("cannot read " + directory + ": " + e, e);
        }
        return sums;
    }
}
