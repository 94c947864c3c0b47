/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.render;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gatebench.model.FileDigest;
import io.gatebench.report.results.NaturalOrder;
import io.gatebench.report.results.ReportException;
import io.gatebench.report.results.ResultsDirectory;

/**
 * {@code checksums.json}: SHA-256 of the measured data and of every file that was made from them.
 *
 * <p>{@code data} is one digest over the measured data ({@code run.json} and each case's {@code result.json}, histogram
 * log and GC events, with their paths, in natural order); {@code measured} holds them singly, {@code files} the files of
 * the report. Files belong to one run if {@code data} is the digest of the run and each of them has its digest.
 */
public final class Checksums {

    /** Name of the file. */
    public static final String FILE = "checksums.json";

    private static final List<String> MEASURED = List.of("result.json", "load.hlog", "gc-events.csv", "series.csv");

    private Checksums() {}

    /**
     * Returns the document.
     *
     * @param root the results directory
     * @param out where the report was written
     * @param files the files of the report, relative to it
     * @throws ReportException if a file cannot be read
     */
    public static String text(Path root, Path out, Collection<Path> files) {
        ObjectMapper mapper = new ObjectMapper();
        ObjectNode document = mapper.createObjectNode().put("algorithm", "SHA-256");
        TreeMap<String, String> measured = measured(root);
        document.put("data", dataDigest(measured));
        ObjectNode data = document.putObject("measured");
        measured.forEach(data::put);
        ObjectNode made = document.putObject("files");
        digests(out, files).forEach(made::put);
        try {
            DefaultPrettyPrinter printer =
                    new DefaultPrettyPrinter().withObjectIndenter(new DefaultIndenter("  ", "\n"));
            return mapper.writer(printer).writeValueAsString(document) + "\n";
        } catch (JsonProcessingException e) {
            throw new ReportException("cannot write checksums: " + e.getOriginalMessage(), e);
        }
    }

    /** Returns the digests of the measured data by path, relative to the root. */
    public static TreeMap<String, String> measured(Path root) {
        List<Path> files = new ArrayList<>();
        try (Stream<Path> tree = Files.walk(root)) {
            tree.filter(Files::isRegularFile)
                    .filter(file -> !file.getParent().equals(root))
                    // What a run works in or has set aside is no measured data of its own.
                    .filter(file -> !isHidden(root.relativize(file)))
                    .filter(file -> MEASURED.contains(file.getFileName().toString()))
                    .forEach(files::add);
        } catch (IOException e) {
            throw new ReportException("cannot list " + root + ": " + e.getMessage(), e);
        }
        files.add(root.resolve(ResultsDirectory.INFO_FILE));
        return digests(root, files.stream().map(root::relativize).toList());
    }

    private static TreeMap<String, String> digests(Path root, Collection<Path> files) {
        TreeMap<String, String> digests = new TreeMap<>(NaturalOrder.INSTANCE);
        digests.putAll(files.parallelStream()
                .collect(Collectors.toConcurrentMap(
                        file -> file.toString().replace('\\', '/'), file -> digest(root.resolve(file)))));
        return digests;
    }

    private static boolean isHidden(Path relative) {
        return StreamSupport.stream(relative.spliterator(), false)
                .anyMatch(name -> name.toString().startsWith("."));
    }

    /** Returns the digest over all digests of the measured data. */
    public static String dataDigest(Map<String, String> measured) {
        MessageDigest digest = sha256();
        TreeMap<String, String> sorted = new TreeMap<>(NaturalOrder.INSTANCE);
        sorted.putAll(measured);
        sorted.forEach((path, hash) -> digest.update((hash + "  " + path + "\n").getBytes(StandardCharsets.UTF_8)));
        return HexFormat.of().formatHex(digest.digest());
    }

    /**
     * Returns the SHA-256 of a file in hexadecimal digits.
     *
     * @throws ReportException if it cannot be read
     */
    public static String digest(Path file) {
        try {
            return FileDigest.sha256(file);
        } catch (IOException e) {
            throw new ReportException("cannot read " + file + ": " + e, e);
        }
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }
}
