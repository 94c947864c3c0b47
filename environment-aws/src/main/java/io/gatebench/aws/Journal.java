/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.aws;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gatebench.model.cloud.CloudException;

/**
 * Record of what a run has asked of AWS: each paid call as an intent before it is made, and its outcome after it.
 *
 * <p>The directory of a run holds {@code run.json} (who, where, until when), {@code journal.jsonl} and the keys. Each
 * line is on the disk before the next step is taken, so that a killed run can be cleared away from the records alone:
 * what was intended counts as existing until AWS says otherwise. One process at a time holds the lock.
 */
final class Journal implements AutoCloseable {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String HEAD = "run.json";
    private static final String LINES = "journal.jsonl";

    private final Path directory;
    private final Head head;
    private final Clock clock;
    private final FileChannel lockFile;
    /** No channel: an interruption would close that in the middle of a removal. */
    private final FileOutputStream lines;

    private Journal(Path directory, Head head, Clock clock, FileChannel lockFile, FileOutputStream lines) {
        this.directory = directory;
        this.head = head;
        this.clock = clock;
        this.lockFile = lockFile;
        this.lines = lines;
    }

    /**
     * Constants of a run.
     *
     * @param run its identifier
     * @param account the AWS account
     * @param region the region
     * @param created when it began
     * @param end when everything is to be gone at the latest
     */
    record Head(String run, String account, String region, Instant created, Instant end) {}

    /**
     * One line.
     *
     * @param event {@code intended}, {@code done}, {@code failed} or {@code removed}
     * @param what what it is about, e.g. {@code stack}
     * @param name the name of that
     */
    record Line(String event, String what, String name) {}

    /** Creates the directory of a new run with its head and takes the lock. */
    static Journal create(Path root, Head head, Clock clock) {
        try {
            Files.createDirectories(root);
            Path directory = root.resolve(head.run());
            // Made complete under another name: a killed process leaves either no run or one with a head.
            Path fresh = Files.createTempDirectory(
                    root, ".new-", PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            ObjectNode json = JSON.createObjectNode();
            json.put("run", head.run());
            json.put("account", head.account());
            json.put("region", head.region());
            json.put("created", head.created().toString());
            json.put("end", head.end().toString());
            write(fresh.resolve(HEAD), JSON.writerWithDefaultPrettyPrinter().writeValueAsString(json) + "\n");
            Files.move(fresh, directory, StandardCopyOption.ATOMIC_MOVE);
            return open(directory, clock);
        } catch (IOException e) {
            throw new UncheckedIOException("the state of the run cannot be written below " + root, e);
        }
    }

    /**
     * Opens the records of a run that has ended or died.
     *
     * @throws CloudException if a living process holds it
     */
    static Journal open(Path directory, Clock clock) {
        try {
            FileChannel lockFile =
                    FileChannel.open(directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            FileLock lock = null;
            try {
                lock = lockFile.tryLock();
            } catch (OverlappingFileLockException e) {
                // Held by this very process: the same answer as for another one.
                lock = null;
            }
            if (lock == null) {
                lockFile.close();
                throw CloudException.usage(List.of("the run " + directory.getFileName()
                        + " is at work in another process; end that one with Ctrl-C, which removes its machines"));
            }
            FileOutputStream lines =
                    new FileOutputStream(directory.resolve(LINES).toFile(), true);
            return new Journal(directory, head(directory), clock, lockFile, lines);
        } catch (IOException e) {
            throw new UncheckedIOException("the state of the run in " + directory + " cannot be read", e);
        }
    }

    /** Returns the directories of all runs below the root. */
    static List<Path> runs(Path root) {
        if (!Files.isDirectory(root)) {
            return List.of();
        }
        try (Stream<Path> all = Files.list(root)) {
            return all.filter(path -> Files.isRegularFile(path.resolve(HEAD)))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException("the runs in " + root + " cannot be listed", e);
        }
    }

    /** Reads the head of a run. */
    static Head head(Path directory) throws IOException {
        JsonNode json = JSON.readTree(directory.resolve(HEAD).toFile());
        return new Head(
                json.path("run").asText(),
                json.path("account").asText(),
                json.path("region").asText(),
                Instant.parse(json.path("created").asText()),
                Instant.parse(json.path("end").asText()));
    }

    Head head() {
        return head;
    }

    Path directory() {
        return directory;
    }

    /** Writes one line and waits until it is on the disk. */
    void write(String event, String what, String name) {
        ObjectNode json = JSON.createObjectNode();
        json.put("at", clock.instant().toString());
        json.put("event", event);
        json.put("what", what);
        json.put("name", name);
        try {
            lines.write((JSON.writeValueAsString(json) + "\n").getBytes(StandardCharsets.UTF_8));
            lines.getFD().sync();
        } catch (IOException e) {
            throw new UncheckedIOException("the journal in " + directory + " cannot be written", e);
        }
    }

    /** Returns the lines that are whole; a process killed while it wrote may have left a torn last one. */
    List<Line> lines() {
        List<Line> result = new ArrayList<>();
        try {
            for (String line : Files.readAllLines(directory.resolve(LINES), StandardCharsets.UTF_8)) {
                try {
                    JsonNode json = JSON.readTree(line);
                    result.add(new Line(
                            json.path("event").asText(),
                            json.path("what").asText(),
                            json.path("name").asText()));
                } catch (JsonProcessingException e) {
                    result.add(new Line("torn", "", ""));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the journal in " + directory + " cannot be read", e);
        }
        return result;
    }

    /** Writes a file of the run that only its owner may read. */
    Path secret(String name, String text) {
        Path file = directory.resolve(name);
        try {
            Files.deleteIfExists(file);
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            write(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file, e);
        }
        return file;
    }

    private static void write(Path file, String text) throws IOException {
        try (FileOutputStream out = new FileOutputStream(file.toFile())) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
            out.getFD().sync();
        }
    }

    /** Removes the keys of a run of which nothing exists any more; its records stay. */
    void forgetKeys() {
        try (Stream<Path> all = Files.list(directory)) {
            for (Path file : all.toList()) {
                String name = file.getFileName().toString();
                if (name.startsWith("key-") || name.startsWith("known-hosts-") || name.startsWith("database-")) {
                    Files.delete(file);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot remove the keys in " + directory, e);
        }
    }

    /** Releases the lock. */
    @Override
    public void close() {
        try {
            lines.close();
            lockFile.close();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot release the lock in " + directory, e);
        }
    }
}
