/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.gatebench.spi.role.RoleProcess;

/**
 * The logs of a process that runs on from case to case: each case gets the part that was written for it.
 *
 * <p>Logs are the files whose names end in {@code .log}. The GC log keeps its head, which says what JVM it is of.
 */
final class KeptLogs {

    private static final List<String> END_OF_HEAD = List.of("GC(", "[GC", "[Full GC", "afepoint");

    private final Map<String, Long> seen = new HashMap<>();

    /** Cuts the logs below a directory, which has just been fetched, down to what the last call did not see. */
    void cut(Path directory) {
        if (!Files.isDirectory(directory)) {
            return;
        }
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.filter(Files::isRegularFile)
                    .filter(path -> path.getFileName().toString().endsWith(".log"))
                    .toList()) {
                cut(file, directory.relativize(file).toString());
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot cut the logs in " + directory + ": " + e.getMessage(), e);
        }
    }

    private void cut(Path file, String name) throws IOException {
        byte[] all = Files.readAllBytes(file);
        long from = seen.getOrDefault(name, 0L);
        // A line that is still being written belongs to the next case as a whole.
        int to = all.length;
        while (to > 0 && all[to - 1] != '\n') {
            to--;
        }
        seen.put(name, (long) to);
        // A log that has become shorter was begun anew.
        if (from == 0 || from > to) {
            return;
        }
        ByteArrayOutputStream part = new ByteArrayOutputStream();
        if (name.equals(RoleProcess.GC_LOG)) {
            part.write(all, 0, (int) Math.min(from, head(all, to)));
        }
        part.write(all, (int) from, to - (int) from);
        Files.write(file, part.toByteArray());
    }

    private static int head(byte[] log, int length) {
        int start = 0;
        while (start < length) {
            int end = start;
            while (end < length && log[end] != '\n') {
                end++;
            }
            String line = new String(log, start, end - start, StandardCharsets.ISO_8859_1);
            if (END_OF_HEAD.stream().anyMatch(line::contains)) {
                return start;
            }
            start = Math.min(length, end + 1);
        }
        return start;
    }
}
