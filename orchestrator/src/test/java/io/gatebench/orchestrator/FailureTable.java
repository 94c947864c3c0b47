/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The table of what happens when something breaks, in {@code docs/reference/failures.md}.
 *
 * <p>It is written with {@code -Dgatebench.failures=all} alone, from the rows that tests left in {@code target/failures}:
 * {@code mvn clean} removes rows of tests that are there no more.
 */
final class FailureTable {

    private static final boolean WRITTEN = "all".equals(System.getProperty("gatebench.failures"));
    private static final Path TABLE = Path.of("../docs/reference/failures.md");
    private static final Path ROWS = Path.of("target/failures");

    private FailureTable() {}

    /**
     * Adds a row, or replaces the one of the same name, and writes the table.
     *
     * @param what what broke
     * @param cells what was kept, what was said, the exit code, and the time from the failure to the end
     */
    static void row(String what, List<String> cells) throws IOException {
        if (!WRITTEN) {
            return;
        }
        Files.createDirectories(ROWS);
        String name = what.replaceAll("[^A-Za-z0-9]+", "-");
        // Where the login of these hosts has its home is a matter of the lab.
        String row = ("| " + what + " | " + String.join(" | ", cells) + " |\n").replace("/run/perf", "~");
        Files.writeString(ROWS.resolve(name + ".row"), row);
        List<String> rows = new ArrayList<>();
        try (Stream<Path> files = Files.list(ROWS)) {
            for (Path file : files.sorted().toList()) {
                rows.add(Files.readString(file).strip());
            }
        }
        Files.writeString(TABLE, """
                # What happens when something breaks

                This table is written by tests (`HostsIT` and `HostFailuresIT` with `-Dgatebench.failures=all`), from what they saw:
                five hosts in network namespaces of one machine, with an SSH server each: a gateway, a back end, two load
                generators, and the program itself on the fifth. Cells of 4 s, a lease of %d s (60 s where a host is healed). Numbers
                of samples differ from run to run. A row is written only after it was made sure that no process of ours was left
                on any host. The time ends with the program; where the program was killed, with the last process on the hosts.

                | What broke | What was kept | What was said | Exit code | From the failure to the end |
                |---|---|---|---:|---:|
                %s
                """.formatted(HostsFixture.LEASE, String.join("\n", rows)));
    }
}
