/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gc;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Tells which files are parts of one rotated log.
 *
 * @since 0.1
 */
public final class GcLogSet {

    /** Rotation adds a number; JDK 8 adds {@code .current} to the file it writes to; either may be packed. */
    private static final Pattern ROTATION = Pattern.compile("(\\.\\d{1,4})?(\\.current)?(\\.gz)?$");

    private GcLogSet() {}

    /**
     * Puts the files of a rotated log together: those in one directory whose names differ in the rotation's suffix only.
     *
     * @return the logs in the order of their first file
     */
    public static List<List<Path>> group(List<Path> files) {
        Map<Path, List<Path>> sets = new LinkedHashMap<>();
        for (Path file : files) {
            String name = String.valueOf(file.getFileName());
            String base = ROTATION.matcher(name).replaceFirst("");
            sets.computeIfAbsent(file.resolveSibling(base.isEmpty() ? name : base), key -> new ArrayList<>())
                    .add(file);
        }
        return List.copyOf(sets.values());
    }
}
