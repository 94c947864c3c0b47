/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.importer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.IntFunction;

import com.sun.management.ThreadMXBean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.gatebench.report.ReportGenerator;
import io.gatebench.report.trend.TrendAnalyzer;

/**
 * Four times the rows take four times the work, and not sixteen times. It is measured in bytes that were allocated, which do
 * not depend on the machine as times do.
 */
class LinearReadersIT {

    private static final String HEADER = "Scenario Name,Heap Size,Concurrent Users,Message Size (Bytes),"
            + "Back-end Service Delay (ms),Error %,Throughput (Requests/sec),Average Response Time (ms)\n";

    /** What is done once takes its part of the smaller file; what is sorted takes a little more than four times. */
    private static final double MOST = 5;

    @TempDir
    private Path directory;

    @Test
    void equalRowsOfASummary() throws IOException {
        IntFunction<String> row = i -> "Passthrough,2G,50,500,0,0,1000.5,49.975\n";

        assertThat(growth(row, 2_000, file -> ReportGenerator.table(file).markdown()))
                .isLessThan(MOST);
    }

    @Test
    void rowsOfATrendThatAreRunsOfOneCell() throws IOException {
        assertThat(growth(i -> run(1000 + i % 7), 1_000, this::trend)).isLessThan(MOST);
    }

    /** Each level is too short to be one, so that it is joined with its neighbours, one after the other. */
    @Test
    void rowsOfATrendThatChangesAllTheTime() throws IOException {
        assertThat(growth(i -> run(500 + 4000 * ((i / 3 * 7919) % 101) / 101.0 + i % 3), 400, this::trend))
                .isLessThan(MOST);
    }

    /** All levels stand by the statistics, and none of them by the size of the change. */
    @Test
    void rowsOfATrendWithManySmallChanges() throws IOException {
        assertThat(growth(i -> run(1000 + 0.5 * (i / 20 % 2) + 0.001 * (i % 3)), 1_000, this::trend))
                .isLessThan(MOST);
    }

    @Test
    void rowsOfATrendThatAreCellsOfTheirOwn() throws IOException {
        assertThat(growth(i -> "Passthrough,2G," + (i + 1) + ",500,0,0,1000.5,49.975\n", 2_000, this::trend))
                .isLessThan(MOST);
    }

    private static String run(double throughput) {
        return "Passthrough,2G,50,500,0,0," + throughput + "," + 50_000 / throughput + "\n";
    }

    private void trend(Path file) {
        new TrendAnalyzer().analyze(new ResultsImporter().read(file), "throughput", Optional.empty());
    }

    private interface Reading {
        void read(Path file) throws IOException;
    }

    private double growth(IntFunction<String> row, int rows, Reading reading) throws IOException {
        Path few = file(row, rows);
        Path many = file(row, 4 * rows);
        // Classes are loaded and caches are filled.
        allocated(few, reading);
        return (double) allocated(many, reading) / allocated(few, reading);
    }

    private Path file(IntFunction<String> row, int rows) throws IOException {
        StringBuilder text = new StringBuilder(HEADER);
        for (int i = 0; i < rows; i++) {
            text.append(row.apply(i));
        }
        return Files.writeString(directory.resolve(rows + ".csv"), text);
    }

    private static long allocated(Path file, Reading reading) throws IOException {
        ThreadMXBean thread = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = thread.getCurrentThreadAllocatedBytes();
        reading.read(file);
        return thread.getCurrentThreadAllocatedBytes() - before;
    }
}
