/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.importer;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

import io.gatebench.report.column.Numbers;

/**
 * Averages the host reports that the predecessor kept as CSV of {@code sadf -d -U}: one file per report, one row per
 * minute.
 *
 * <p>Rows from the start of the test to 60 s after its end count, as in the published columns. Each column is read from
 * its own report, so that the block device's transfers are not overwritten by those of the whole host.
 */
final class HostReports {

    private static final long AFTER_END_SECONDS = 60;

    /** Report, then pairs of the report's column and the published ending of the column's name. */
    private static final List<List<String>> REPORTS = List.of(
            List.of(
                    "loadavg",
                    "runq-sz",
                    "Run queue length",
                    "plist-sz",
                    "Number of tasks",
                    "ldavg-1",
                    "System Load Average - Last 1 minute",
                    "ldavg-5",
                    "System Load Average - Last 5 minutes",
                    "ldavg-15",
                    "System Load Average - Last 15 minutes",
                    "blocked",
                    "Blocked"),
            List.of(
                    "cpu",
                    "%user",
                    "CPU - User (%)",
                    "%nice",
                    "CPU - Nice (%)",
                    "%system",
                    "CPU - System (%)",
                    "%iowait",
                    "CPU - I/O Wait (%)",
                    "%steal",
                    "CPU - Steal (%)",
                    "%idle",
                    "CPU - Idle (%)"),
            List.of(
                    "memory",
                    "kbmemfree",
                    "Memory - Free (kB)",
                    "kbavail",
                    "Memory - Available (kB)",
                    "kbmemused",
                    "Memory - Used (kB)",
                    "%memused",
                    "Memory - Used (%)",
                    "kbbuffers",
                    "Memory - Buffers (kB)",
                    "kbcached",
                    "Memory - Cached (kB)",
                    "kbcommit",
                    "Memory - Commit (kB)",
                    "%commit",
                    "Memory - Commit (%)",
                    "kbactive",
                    "Memory - Active (kB)",
                    "kbinact",
                    "Memory - Inactive (kB)",
                    "kbdirty",
                    "Memory - Dirty (kB)"),
            List.of(
                    "disk",
                    "tps",
                    "Block Device - TPS (transfers/s)",
                    "rkB/s",
                    "Block Device - Read TPS (kB/s)",
                    "wkB/s",
                    "Block Device - Write TPS (kB/s)",
                    "dkB/s",
                    "Block Device - Discard TPS (kB/s)",
                    "areq-sz",
                    "Block Device - Average Request Size (kB)",
                    "aqu-sz",
                    "Block Device - Average Queue Length",
                    "await",
                    "Block Device - Average Time (ms)",
                    "%util",
                    "Block Device - Utilization (%)"),
            List.of(
                    "io",
                    "tps",
                    "IO - TPS (transfers/s)",
                    "rtps",
                    "IO - Read TPS (requests/s",
                    "wtps",
                    "IO - Write TPS (requests/s)",
                    "dtps",
                    "IO - Discard TPS (requests/s)",
                    "bread/s",
                    "IO - Data reads per seconds (blocks/s)",
                    "bwrtn/s",
                    "IO - Data writes per seconds (blocks/s)",
                    "bdscd/s",
                    "IO - Data discarded per seconds (blocks/s)"),
            List.of("task", "proc/s", "Tasks created per second", "cswch/s", "Context switches per second"),
            List.of(
                    "file",
                    "dentunusd",
                    "Unused directory cache entries",
                    "file-nr",
                    "Number of file handles",
                    "inode-nr",
                    "Number of inode handlers",
                    "pty-nr",
                    "Number of pseudo-terminals"),
            List.of(
                    "network",
                    "rxpck/s",
                    "Network - Received packets/s",
                    "txpck/s",
                    "Network - Transmitted packets/s",
                    "rxkB/s",
                    "Network - Received kB/s",
                    "txkB/s",
                    "Network - Transmitted kB/s",
                    "rxcmp/s",
                    "Network - Received compressed packets/s",
                    "txcmp/s",
                    "Network - Transmitted compressed packets/s",
                    "rxmcst/s",
                    "Network - Received multicast packets/s",
                    "%ifutil",
                    "Network - Utilization (%)"));

    private HostReports() {}

    /**
     * Returns the averages of one server by published column name, empty if it has no reports.
     *
     * @param process the name of the process that the columns begin with
     * @throws IOException if a report cannot be read
     */
    static Map<String, String> read(Path cell, String server, String process, long startSeconds, long endSeconds)
            throws IOException {
        Map<String, String> columns = new LinkedHashMap<>();
        for (List<String> report : REPORTS) {
            Path file = cell.resolve(server).resolve(server + "_sar_report_" + report.get(0) + ".csv");
            if (!Files.isRegularFile(file)) {
                continue;
            }
            Map<String, Double> means = means(file, startSeconds, endSeconds + AFTER_END_SECONDS);
            for (int i = 1; i < report.size(); i += 2) {
                String name = process + " - " + report.get(i + 1);
                columns.put(
                        name,
                        Optional.ofNullable(means.get(report.get(i)))
                                .map(mean -> Numbers.text(mean, 2))
                                .orElse(""));
            }
        }
        return columns;
    }

    private static Map<String, Double> means(Path file, long from, long to) throws IOException {
        Map<String, double[]> sums = new LinkedHashMap<>();
        try (InputStream in = ReadLimits.limited(Files.newInputStream(file), ReadLimits.LOG_BYTES, file.toString());
                BufferedReader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            String[] header = {};
            int time = -1;
            String line;
            while ((line = reader.readLine()) != null) {
                if (line.startsWith("# ") || header.length == 0) {
                    header = (line.startsWith("# ") ? line.substring(2) : line).split(";", -1);
                    time = List.of(header).indexOf("timestamp");
                    continue;
                }
                String[] cells = line.split(";", -1);
                OptionalDouble at =
                        time >= 0 && time < cells.length ? Numbers.parse(cells[time]) : OptionalDouble.empty();
                if (at.isEmpty() || at.getAsDouble() < from || at.getAsDouble() > to) {
                    continue;
                }
                for (int i = time + 1; i < Math.min(cells.length, header.length); i++) {
                    OptionalDouble value = Numbers.parse(cells[i]);
                    if (value.isPresent()) {
                        double[] sum = sums.computeIfAbsent(header[i].strip(), name -> new double[2]);
                        sum[0] += value.getAsDouble();
                        sum[1]++;
                    }
                }
            }
        }
        Map<String, Double> means = new LinkedHashMap<>();
        sums.forEach((name, sum) -> means.put(name, sum[0] / sum[1]));
        return means;
    }
}
