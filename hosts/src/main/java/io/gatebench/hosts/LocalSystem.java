/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.hosts;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

import io.gatebench.spi.host.HostException;

/** Means of this machine's system for a local run beside a JVM: everything on Linux, nothing is needed elsewhere. */
public final class LocalSystem {

    /** A system property for tests: with {@code true} a Linux is treated as a system without {@code /proc} and a shell. */
    public static final String PORTABLE = "gatebench.portable";

    private static final Set<String> OF_LINUX = Set.of("sh", "setsid", "taskset", "test");

    private LocalSystem() {}

    /** Returns whether tests forbid what only Linux has. */
    public static boolean isPortable() {
        return Boolean.getBoolean(PORTABLE);
    }

    /** Returns whether the kernel tells of processes by files. */
    public static boolean hasProc() {
        return !isPortable() && Files.isReadable(Path.of("/proc/self/environ"));
    }

    /** Refuses what another system would not find. */
    static void require(String command) {
        Path name = Path.of(command).getFileName();
        if (isPortable() && name != null && OF_LINUX.contains(name.toString())) {
            throw new HostException(
                    "cannot run " + command + ": -D" + PORTABLE + "=true forbids what only Linux is sure to have");
        }
    }
}
