/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The tables of what happens when something breaks, in {@code docs/reference}.
 *
 * <p>They are written with {@code -Pfull -Dgolden.update} alone, from the rows that tests left in {@code
 * target/failures}: {@code mvn clean} removes rows of tests that are there no more.
 */
enum FailureTable {
    /** Roles on hosts. */
    HOSTS("failures.md", "hosts", """
            # What happens when something breaks

            This table is written by tests (`HostsIT` and `HostFailuresIT` with `-Pfull -Dgolden.update`), from what they saw:
            five hosts in network namespaces of one machine, with an SSH server each: a gateway, a back end, two load
            generators, and the program itself on the fifth. Test cases of 4 s, or longer where a failure ends them, a lease of
            %d s (60 s where a host is healed). Numbers of samples differ from run to run. A row is written only after it was made sure that no process of ours was left
            on any host. The time ends with the program; where the program was killed, with the last process on the hosts.

            | What broke | What was kept | What was said | Exit code | From the failure to the end |
            |---|---|---|---:|---:|
            """.formatted(HostsFixture.LEASE)),
    /** Signals while machines in AWS are created and removed. */
    AWS("failures-aws.md", "aws", """
            # Signals while machines in AWS are created and removed

            This table is written by a test (`AwsSignalsIT` with `-Pfull -Dgolden.update`), from what it saw of the packaged
            program against moto, which answers as AWS does. The machines of moto are never reached, so that a run ends
            where it waits for them; where the set-up was to fail by itself, they have no public address. What is left is
            counted in moto and not by the program, and includes what is free.

            | When | Signal | What was said last | Exit code | What was left | After `aws teardown` |
            |---|---|---|---:|---:|---:|
            """),
    /** Runs on one machine. */
    LOCAL("failures-local.md", "local", """
            # What happens when something breaks on one machine

            This table is written by a test (`LocalFailuresIT` with `-Pfull -Dgolden.update`), from what it saw of the packaged
            program, with the back end's program in the place of a gateway. Numbers of samples differ from run to run. What was
            left are processes, looked for until none is found, for two minutes at most, and files that are neither results nor
            logs of them. Where the program was killed, `--resume` then measured the cell and left nothing.

            | What broke | What was kept | What was said | Exit code | What was left |
            |---|---|---|---:|---|
            """),
    /** Gateways in containers. */
    CONTAINERS("failures-containers.md", "containers", """
            # What happens when something breaks around a container

            This table is written by a test (`ContainersIT` with `-Pfull -Dgolden.update`), from what it saw of the packaged
            program with Podman. What was left are containers and images of the run in the engine's store, asked of the engine itself.

            | What broke | What was said | Exit code | What was left |
            |---|---|---:|---|
            """);

    private static final boolean WRITTEN = System.getProperty("golden.update") != null;

    private final Path table;
    private final Path rows;
    private final String head;

    FailureTable(String file, String directory, String head) {
        this.table = Path.of("../docs/reference").resolve(file);
        this.rows = Path.of("target/failures").resolve(directory);
        this.head = head;
    }

    /**
     * Adds a row, or replaces the one of the same name, and writes the table.
     *
     * @param what the first cell, or cells, by which the row is known
     * @param cells the others
     */
    void row(String what, List<String> cells) throws IOException {
        if (!WRITTEN) {
            return;
        }
        Files.createDirectories(rows);
        String name = what.replaceAll("[^A-Za-z0-9]+", "-");
        // Where the login of these hosts has its home, and its small disk, is a matter of the lab.
        String row = ("| " + what + " | " + String.join(" | ", cells) + " |\n")
                .replace("/run/perf/small/work", "~/.gatebench")
                .replace("/run/perf", "~");
        Files.writeString(rows.resolve(name + ".row"), row);
        List<String> all = new ArrayList<>();
        try (Stream<Path> files = Files.list(rows)) {
            for (Path file : files.sorted().toList()) {
                all.add(Files.readString(file).strip());
            }
        }
        Files.writeString(table, head + String.join("\n", all) + "\n");
    }
}
