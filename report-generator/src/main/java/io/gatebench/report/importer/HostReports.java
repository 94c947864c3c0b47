/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.importer;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

import io.gatebench.report.column.Numbers;
import io.gatebench.report.column.SummaryColumns;

/**
 * Averages the host reports that the predecessor kept as CSV of {@code sadf -d -U}: one file per report, one row per
 * minute.
 *
 * <p>Rows from the start of the test to 60 s after its end count, as in the published columns. Each column is read from
 * its own report, so that the block device's transfers are not overwritten by those of the whole host.
 */
final class HostReports {

    private static final long AFTER_END_SECONDS = 60;

    /** Each report and those of its columns that are published, in the order of {@link SummaryColumns#HOST_METRICS}. */
    private static final List<String> REPORTS = List.of(
            "loadavg runq-sz plist-sz ldavg-1 ldavg-5 ldavg-15 blocked",
            "cpu %user %nice %system %iowait %steal %idle",
            "memory kbmemfree kbavail kbmemused %memused kbbuffers kbcached kbcommit %commit kbactive kbinact kbdirty",
            "disk tps rkB/s wkB/s dkB/s areq-sz aqu-sz await %util",
            "io tps rtps wtps dtps bread/s bwrtn/s bdscd/s",
            "task proc/s cswch/s",
            "file dentunusd file-nr inode-nr pty-nr",
            "network rxpck/s txpck/s rxkB/s txkB/s rxcmp/s txcmp/s rxmcst/s %ifutil");

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
        Iterator<String> metrics = SummaryColumns.HOST_METRICS.iterator();
        for (String report : REPORTS) {
            List<String> words = List.of(report.split(" "));
            Path file = cell.resolve(server).resolve(server + "_sar_report_" + words.get(0) + ".csv");
            boolean known = Files.isRegularFile(file);
            Map<String, Double> means = known ? means(file, startSeconds, endSeconds + AFTER_END_SECONDS) : Map.of();
            for (String column : words.subList(1, words.size())) {
                String name = SummaryColumns.host(process, metrics.next());
                if (known) {
                    columns.put(
                            name,
                            Optional.ofNullable(means.get(column))
                                    .map(mean -> Numbers.text(mean, 2))
                                    .orElse(""));
                }
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
