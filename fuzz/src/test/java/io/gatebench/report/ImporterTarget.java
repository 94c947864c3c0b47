/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

import io.gatebench.fuzz.InputFile;
import io.gatebench.report.importer.ImportedRun;
import io.gatebench.report.importer.ResultRow;
import io.gatebench.report.importer.ResultsImporter;
import io.gatebench.report.results.ReportException;
import io.gatebench.report.threshold.Thresholds;

/** What is done with results of others: they are read, printed as a table and held against thresholds. */
final class ImporterTarget {

    private static final String TABLE = """
            Scenario Name,Heap Size,Concurrent Users,Message Size (Bytes),Error %,Throughput (Requests/sec)
            a,1G,10,50,0,100
            b,1G,20,50,1.5,N/A
            """;
    private static final List<ResultRow> ROWS = new ResultsImporter()
            .read(InputFile.of(TABLE.getBytes(StandardCharsets.UTF_8), "rows.csv"))
            .rows();
    private static final Thresholds THRESHOLDS = Thresholds.parse("p99 < 50ms, errors == 0, throughput > 10");

    private ImporterTarget() {}

    static List<ResultRow> rows() {
        return ROWS;
    }

    static void read(Path input) {
        try {
            ImportedRun results = new ResultsImporter().read(input);
            THRESHOLDS.evaluate(results.rows());
            ReportGenerator.table(input);
        } catch (ReportException e) {
            // It says what is wrong.
        }
    }
}
