/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.engine;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Writes which kinds of errors there were in each second: lines of second, count and kind.
 *
 * @since 0.1
 */
public final class ErrorsPerSecond {

    private ErrorsPerSecond() {}

    /**
     * Writes the file; none if there was no error.
     *
     * @param seconds of each second the errors by their kind
     * @throws LoadException if it cannot be written
     */
    public static void write(Path file, List<Map<String, Long>> seconds) {
        if (seconds.stream().allMatch(Map::isEmpty)) {
            return;
        }
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            out.write("second,errors,kind\n");
            for (int second = 0; second < seconds.size(); second++) {
                for (Map.Entry<String, Long> kind : seconds.get(second).entrySet()) {
                    out.write(second + "," + kind.getValue() + ",\""
                            + kind.getKey().replace("\"", "\"\"") + "\"\n");
                }
            }
        } catch (IOException e) {
            throw new LoadException("cannot write " + file + ": " + e, e);
        }
    }
}
