/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.verify;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gatebench.report.ReportException;
import io.gatebench.report.results.AtomicFiles;

/**
 * The file {@code checksums.json} of a report: the SHA-256 of each of its files, and one digest over the measured data.
 *
 * <p>The measured data are {@code run.json} and, in the directories of the cases, the files that figures come from:
 * results, histograms, series, GC logs, host metrics and sample files. Their digest is the SHA-256 over one line {@code
 * <sha256> <path>} per file in order of the paths, each ended by a line feed. A report of another run, of a part of the
 * cells or of edited data has another digest.
 *
 * @param measured SHA-256 by path for the measured data
 * @param files SHA-256 by path for the files of the report
 */
public record Checksums(Map<String, String> measured, Map<String, String> files) {

    /** Name of the file. */
    public static final String FILE = "checksums.json";

    private static final int SCHEMA_VERSION = 1;
    private static final int DEEPEST = 12;
    private static final long LARGEST = 64L << 20;
    private static final Set<String> MEASURED = Set.of(
            "result.json",
            "load.json",
            "load.hlog",
            "series.csv",
            "gc.log",
            "gc-events.csv",
            "metrics.csv",
            "samples.jtl.gz",
            "results-measurement-summary.json",
            "results-warmup-summary.json",
            "jtls.zip",
            "test-metadata.json");

    /** Copies the maps and sorts them. */
    public Checksums {
        measured = Map.copyOf(measured);
        files = Map.copyOf(files);
    }

    /**
     * Computes the checksums of a report.
     *
     * @param results the results directory
     * @param out the directory of the report; may be the results directory
     * @param reportFiles the files of the report, relative to {@code out}
     * @throws ReportException if a file cannot be read
     */
    public static Checksums of(Path results, Path out, Collection<Path> reportFiles) {
        Map<String, String> files = new TreeMap<>();
        for (Path file : reportFiles) {
            String name = file.toString().replace('\\', '/');
            if (!name.equals(FILE)) {
                files.put(name, sha256(out.resolve(file)));
            }
        }
        return new Checksums(measuredIn(results), files);
    }

    /**
     * Returns the SHA-256 of each file of measured data in a results directory by its path.
     *
     * @throws ReportException if the directory cannot be walked or a file not be read
     */
    public static Map<String, String> measuredIn(Path results) {
        Map<String, String> measured = new TreeMap<>();
        try {
            Files.walkFileTree(results, Set.of(), DEEPEST, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    String name = file.getFileName().toString();
                    boolean atRoot = results.equals(file.getParent());
                    boolean counts = atRoot
                            ? name.equals("run.json") || name.equals("test-metadata.json")
                            : MEASURED.contains(name) || name.endsWith("_gc.log");
                    if (counts && attributes.isRegularFile()) {
                        measured.put(results.relativize(file).toString().replace('\\', '/'), sha256(file));
                    }
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new ReportException("cannot list " + results + ": " + e.getMessage(), e);
        }
        return measured;
    }

    /** Returns the digest over the measured data as 64 hexadecimal digits. */
    public String measuredDigest() {
        MessageDigest digest = digest();
        new TreeMap<>(measured)
                .forEach((path, sum) -> digest.update((sum + " " + path + "\n").getBytes(StandardCharsets.UTF_8)));
        return HexFormat.of().formatHex(digest.digest());
    }

    /** Returns the content of the file, the same bytes for the same checksums. */
    public String toJson() {
        ObjectMapper json = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
        ObjectNode root = json.createObjectNode();
        root.put("schemaVersion", SCHEMA_VERSION);
        root.put("algorithm", "SHA-256");
        root.put("measuredDigest", measuredDigest());
        ObjectNode reportFiles = root.putObject("files");
        new TreeMap<>(files).forEach(reportFiles::put);
        ObjectNode data = root.putObject("measured");
        new TreeMap<>(measured).forEach(data::put);
        try {
            return json.writeValueAsString(root) + "\n";
        } catch (JacksonException e) {
            throw new ReportException("cannot write " + FILE + ": " + e.getOriginalMessage(), e);
        }
    }

    /**
     * Writes the file into the directory of the report.
     *
     * @throws ReportException if it cannot be written
     */
    public void write(Path out) {
        AtomicFiles.write(out.resolve(FILE), toJson());
    }

    /**
     * Reads the file of a report.
     *
     * @throws ReportException if there is none, or it cannot be read, or a newer version wrote it
     */
    public static Checksums read(Path directory) {
        Path file = directory.resolve(FILE);
        try {
            if (Files.size(file) > LARGEST) {
                throw new ReportException(file + " is larger than " + LARGEST + " bytes");
            }
            JsonNode root = new ObjectMapper().readTree(Files.readAllBytes(file));
            if (root.path("schemaVersion").asInt() != SCHEMA_VERSION) {
                throw new ReportException(file + " has schema version "
                        + root.path("schemaVersion").asText("none") + "; this version reads " + SCHEMA_VERSION);
            }
            return new Checksums(sums(root.path("measured")), sums(root.path("files")));
        } catch (JacksonException e) {
            throw new ReportException(file + " is not JSON: " + e.getOriginalMessage(), e);
        } catch (IOException e) {
            throw new ReportException("cannot read " + file + ": " + e.getMessage(), e);
        }
    }

    private static Map<String, String> sums(JsonNode node) {
        Map<String, String> sums = new TreeMap<>();
        for (Map.Entry<String, JsonNode> entry : node.properties()) {
            sums.put(entry.getKey(), entry.getValue().asText());
        }
        return sums;
    }

    /**
     * Returns the SHA-256 of a file as hexadecimal digits.
     *
     * @throws ReportException if it cannot be read
     */
    static String sha256(Path file) {
        MessageDigest digest = digest();
        byte[] buffer = new byte[1 << 16];
        try (InputStream in = Files.newInputStream(file)) {
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                digest.update(buffer, 0, count);
            }
        } catch (IOException e) {
            throw new ReportException("cannot read " + file + ": " + e.getMessage(), e);
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
