/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import java.time.Duration;
import java.util.List;

import io.gatebench.spi.host.CommandResult;
import io.gatebench.spi.host.Host;
import io.gatebench.spi.host.HostException;

/** Tells whether a full disk explains what happened on a host: its own words could then not be written down there. */
final class HostDisk {

    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final long NEXT_TO_NOTHING_KIBIBYTES = 1024;

    private HostDisk() {}

    /** Returns the end of a message: that the disk is full, or nothing if it is not or cannot be told. */
    static String words(Host host) {
        try {
            CommandResult result = host.run(List.of("df", "-Pk", host.workDirectory()), TIMEOUT);
            String[] words =
                    result.output().lines().reduce("", (a, b) -> b).trim().split("\\s+");
            return words.length > 3 && words[3].matches("\\d+") && Long.parseLong(words[3]) < NEXT_TO_NOTHING_KIBIBYTES
                    ? "; the disk of " + host.name() + " is full at " + host.workDirectory()
                    : "";
        } catch (HostException e) {
            return "";
        }
    }
}
