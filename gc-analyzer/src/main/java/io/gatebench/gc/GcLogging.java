/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gc;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The JVM options that write a GC log from which every figure can be had.
 *
 * @since 0.1
 */
public final class GcLogging {

    /**
     * Settings of unified logging: all of {@code gc} at level info, safepoints, and the heap in KiB.
     *
     * <p>The heap blocks of {@code gc+heap=trace} give the heap in KiB where the other lines round down to MiB, and the two
     * time stamps tie the log to the measurement window. Costs 7 to 10 % of a 3 ms pause against {@code -Xlog:gc}.
     */
    private static final String SELECTORS = "gc*,safepoint,gc+heap=trace";

    private static final String DECORATORS = "uptime,utctime,level,tags";

    private GcLogging() {}

    /**
     * Returns the options for a JVM of that version; one file, no rotation, so that no part of a run is overwritten.
     *
     * @param javaFeatureVersion 8, 11, 17, ...; the JVM of Java 9 and later refuses to start with the options of Java 8
     * @param file where the log goes; its directory must exist when the JVM starts, and its name must not hold a comma;
     *     {@code %p} and {@code %t} in it are left to the JVM
     * @return the options, one list element each
     * @throws IllegalArgumentException if the version is below 8 or the path cannot be written as an option
     */
    public static List<String> flagsFor(int javaFeatureVersion, Path file) {
        if (javaFeatureVersion < 8) {
            throw new IllegalArgumentException(
                    "GC logging is known for Java 8 and later, not for Java " + javaFeatureVersion);
        }
        String path = file.toString();
        if (path.isBlank() || path.indexOf('\n') >= 0 || path.indexOf('"') >= 0) {
            throw new IllegalArgumentException("the GC log needs a plain file name but was '" + path + "'");
        }
        List<String> flags = new ArrayList<>();
        if (javaFeatureVersion == 8) {
            flags.add("-XX:+PrintGC");
            flags.add("-XX:+PrintGCDetails");
            flags.add("-XX:+PrintGCDateStamps");
            flags.add("-XX:+PrintGCTimeStamps");
            flags.add("-Xloggc:" + path);
        } else {
            // Quotes let the JVM accept a colon in the path (a Windows drive, for instance).
            String target = path.indexOf(':') >= 0 ? "\"" + path + "\"" : path;
            flags.add("-Xlog:" + SELECTORS + ":file=" + target + ":" + DECORATORS + ":filecount=0");
        }
        return List.copyOf(flags);
    }

    /**
     * Returns the command of {@code jcmd} by which a JVM of Java 9 or later that runs already begins to write such a log.
     *
     * @param file where the log goes, absolute
     */
    public static List<String> begin(Path file) {
        return List.of(
                "VM.log",
                "output=" + file,
                "output_options=filecount=0",
                "what=" + SELECTORS,
                "decorators=" + DECORATORS);
    }

    /** Returns the command of {@code jcmd} by which it ends the log that it has begun. */
    public static List<String> end(Path file) {
        return List.of("VM.log", "output=" + file, "what=all=off");
    }
}
