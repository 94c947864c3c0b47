/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.synapse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The empty access log that the engine makes in the folder {@code logs} of whatever directory it was started in.
 *
 * <p>The place is a constant of Synapse 3.0.1, and nothing is ever written there below log level INFO. So it is taken
 * away again, but only what was not there before.
 *
 * @param folder the folder that the engine writes to
 * @param folderExisted whether the folder was there before the engine
 * @param earlierFiles the access logs that were there before the engine
 */
record StrayAccessLog(Path folder, boolean folderExisted, List<Path> earlierFiles) {

    StrayAccessLog {
        earlierFiles = List.copyOf(earlierFiles);
    }

    /** Looks at {@code folder} before the engine is started. */
    static StrayAccessLog before(Path folder) throws IOException {
        return new StrayAccessLog(folder, Files.exists(folder), accessLogs(folder));
    }

    /** Removes the empty files, and the folder, that have come since. */
    void remove() throws IOException {
        for (Path file : accessLogs(folder)) {
            if (!earlierFiles.contains(file) && Files.size(file) == 0) {
                Files.deleteIfExists(file);
            }
        }
        if (!folderExisted && Files.isDirectory(folder) && isEmpty(folder)) {
            Files.deleteIfExists(folder);
        }
    }

    private static List<Path> accessLogs(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().matches("http_access_.*\\.log"))
                    .toList();
        }
    }

    private static boolean isEmpty(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.findAny().isEmpty();
        }
    }
}
