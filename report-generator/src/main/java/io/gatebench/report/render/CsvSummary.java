/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.render;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;
import org.apache.commons.csv.QuoteMode;

import io.gatebench.report.summary.SummaryTable;

/** The wide CSV in the published dialect: comma, CRLF, quotation marks only where they are needed. */
public final class CsvSummary {

    private static final CSVFormat FORMAT = CSVFormat.DEFAULT
            .builder()
            .setRecordSeparator("\r\n")
            .setQuoteMode(QuoteMode.MINIMAL)
            .get();

    private CsvSummary() {}

    /** Returns the header and one line per row; a row without a column has {@code N/A} in it. */
    public static String text(SummaryTable table, List<String> columns) {
        StringBuilder text = new StringBuilder();
        try (CSVPrinter printer = new CSVPrinter(text, FORMAT)) {
            printer.printRecord(columns);
            for (SummaryTable.Row row : table.rows()) {
                printer.printRecord(columns.stream().map(row::text).toList());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }
}
