/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.importer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.gatebench.model.DataSize;
import io.gatebench.model.GcStatistics;
import io.gatebench.model.GcSummary;
import io.gatebench.model.MeasuredValue;
import io.gatebench.report.column.Metric;

class Wso2ResultsDirectoryTest {

    private static final String JTL_HEADER =
            "timeStamp,elapsed,label,responseCode,responseMessage,threadName,dataType,success,failureMessage,bytes,sentBytes,"
                    + "grpThreads,allThreads,Latency,IdleTime,Connect\n";

    @TempDir
    Path root;

    private Path first;

    @BeforeEach
    void writeMetadata() throws IOException {
        Files.writeString(root.resolve("test-metadata.json"), """
                {"test_duration":"900","warmup_time":"1","test_scenarios":[
                  {"name":"passthrough","display_name":"Passthrough"}]}
                """);
        first = cell("passthrough/2G_heap/100_users/1024B/0ms_sleep");
    }

    @Test
    void readsSummariesOfEachLabelInNaturalOrder() throws Exception {
        summary(first, 10.5);
        summary(cell("passthrough/2G_heap/50_users/1024B/0ms_sleep"), 20);
        ImportedRun results = new ResultsImporter().read(root);

        assertThat(results.problems()).isEmpty();
        assertThat(results.rows())
                .extracting(row -> row.key().text())
                .containsExactly(
                        "Passthrough/2G_heap/50_users/1024B/0ms_sleep",
                        "Passthrough/2G_heap/100_users/1024B/0ms_sleep");
        assertThat(results.rows().get(1).number(Metric.THROUGHPUT)).hasValue(10.5);
        assertThat(results.rows().get(1).cells()).containsEntry("Average Users in the System", "99");
    }

    @Test
    void countsFailedSamplesWithCommasAndLineBreaksInZippedSamples() throws Exception {
        zip(
                first,
                "results.jtl",
                JTL_HEADER
                        + "1000,10,HTTP Request,200,OK,t 1-1,text,true,,100,50,1,1,9,0,1\n"
                        + "2500,30,HTTP Request,200,OK,t 1-1,text,true,,1024,512,1,1,9,0,1\n"
                        + "3000,20,HTTP Request,502,\"Bad Gateway, upstream down\",t 1-1,text,false,\"line 1\nline 2\",1024,512,1,1,9,0,1\n"
                        + "3480,20,HTTP Request,200,OK,t 1-1,text,true,,1024,512,1,1,9,0,1\n"
                        + "34");
        ImportedRun results = new ResultsImporter().read(root);

        ResultRow row = results.rows().get(0);
        assertThat(row.number(Metric.SAMPLES)).hasValue(3);
        assertThat(row.number(Metric.ERRORS)).hasValue(1);
        assertThat(row.number(Metric.ERROR_PERCENT)).hasValue(33.33);
        assertThat(row.number(Metric.THROUGHPUT)).hasValue(3);
        assertThat(row.number(Metric.MEAN)).hasValue(23.33);
        assertThat(row.number(Metric.MAX)).hasValue(30);
        assertThat(row.number(Metric.RECEIVED)).hasValue(3);
        assertThat(results.problems())
                .extracting(Object::toString)
                .containsExactly(
                        "passthrough/2G_heap/100_users/1024B/0ms_sleep/jtls.zip: 1 lines are no samples; they were not counted");
    }

    @Test
    void fallsBackToTheSamplesWhereTheSummaryIsBroken() throws Exception {
        Files.writeString(first.resolve("results-measurement-summary.json"), "{\"HTTP Request\":{\"samp");
        zip(first, "results-measurement.jtl", JTL_HEADER + "1000,10,a,200,OK,t,text,true,,1,1,1,1,9,0,1\n");
        ImportedRun results = new ResultsImporter().read(root);

        assertThat(results.rows()).hasSize(1);
        assertThat(results.problems().get(0).text()).contains("the samples were read instead");
    }

    @Test
    void givesUpAnArchiveThatUnpacksToFarMoreThanItsSize() throws Exception {
        zip(
                first,
                "results-measurement.jtl",
                JTL_HEADER + "1000,10,a,200,OK,t,text,true,,1,1,1,1,9,0,1\n".repeat(200_000));
        summary(cell("passthrough/2G_heap/50_users/1024B/0ms_sleep"), 20);
        ImportedRun results = new ResultsImporter().read(root);

        assertThat(results.rows()).hasSize(2);
        byte[] zeros = new byte[1 << 20];
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(first.resolve("jtls.zip")))) {
            out.putNextEntry(new ZipEntry("../../results-measurement.jtl"));
            out.write(JTL_HEADER.getBytes(StandardCharsets.UTF_8));
            for (int i = 0; i < 64; i++) {
                out.write(zeros);
            }
        }
        results = new ResultsImporter().read(root);
        assertThat(results.rows()).hasSize(1);
        assertThat(results.problems()).extracting(Object::toString).anyMatch(text -> text.contains("is larger than"));
    }

    @Test
    void readsGcLogsAndHostReportsUnderPublishedColumnNames() throws Exception {
        summary(first, 10.5);
        Files.writeString(first.resolve("apim_gc.log"), "any");
        Files.writeString(first.resolve("netty_gc.log"), "any");
        Files.writeString(
                first.resolve("test_duration.json"), "{\"start_timestamp\":\"1000\",\"end_timestamp\":\"1100\"}");
        Files.createDirectories(first.resolve("apim"));
        Files.writeString(first.resolve("apim/apim_sar_report_cpu.csv"), """
                # hostname;interval;timestamp;CPU;%user;%nice;%system;%iowait;%steal;%idle
                h;60;940;-1;99;0;0;0;0;0
                h;60;1060;-1;50.00;0.00;10.00;0.00;1.50;40.00
                h;60;1120;-1;60.00;0.00;10.00;0.00;2.50;30.00
                h;60;1180;-1;99;0;0;0;0;0
                """);
        GcStatistics none = GcStatistics.absent("no full GC");
        ImportedRun results = new ResultsImporter()
                .withApplication("WSO2 API Manager")
                .withGcLogs(files -> summaryOf(new GcStatistics(
                        MeasuredValue.of(98.765),
                        none.runTimeSeconds(),
                        none.pauseTotalSeconds(),
                        none.pauseCount(),
                        none.fullGcCount(),
                        none.footprintAfterFullGcMeanBytes(),
                        none.footprintAfterFullGcDeviationBytes(),
                        MeasuredValue.of(DataSize.ofMebibytes(512).bytes()))))
                .read(root);

        ResultRow row = results.rows().get(0);
        assertThat(results.application()).contains("WSO2 API Manager");
        assertThat(row.cells())
                .containsEntry("WSO2 API Manager GC Throughput (%)", "98.76")
                .containsEntry("WSO2 API Manager Memory Footprint (M)", "512")
                .containsEntry("Average WSO2 API Manager Memory Footprint After Full GC (M)", "")
                .containsEntry("Netty Service GC Throughput (%)", "98.76")
                .containsEntry("WSO2 API Manager - CPU - User (%)", "55")
                .containsEntry("WSO2 API Manager - CPU - Steal (%)", "2");
    }

    @Test
    void readsThePackedResultsDirectoryToo(@TempDir Path packed) throws Exception {
        Path zip = packed.resolve("results.zip");
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(zip))) {
            put(out, "results/test-metadata.json", Files.readString(root.resolve("test-metadata.json")));
            put(out, "results/passthrough/2G_heap/100_users/50B/0ms_sleep/results-measurement-summary.json", json(7));
        }
        ImportedRun results = new ResultsImporter().read(zip);

        assertThat(results.problems()).isEmpty();
        assertThat(results.rows().get(0).key().text()).isEqualTo("Passthrough/2G_heap/100_users/50B/0ms_sleep");
    }

    @Test
    void keepsFurtherLevelsOfTheTreeApart() throws Exception {
        summary(cell("cpu-1/passthrough/1g_heap/50_users/1024B/0ms_sleep"), 5);
        summary(cell("cpu-2/passthrough/1g_heap/50_users/1024B/0ms_sleep"), 9);
        ImportedRun results = new ResultsImporter().read(root);

        assertThat(results.rows())
                .extracting(row -> row.key().text() + " #" + row.repeat())
                .containsExactly(
                        "Passthrough/cpu-1/1G_heap/50_users/1024B/0ms_sleep #1",
                        "Passthrough/cpu-2/1G_heap/50_users/1024B/0ms_sleep #1");
    }

    private static GcSummary summaryOf(GcStatistics figures) {
        return new GcSummary(
                List.of(),
                java.util.Optional.empty(),
                java.util.Optional.empty(),
                MeasuredValue.of(100),
                figures,
                figures,
                java.util.Optional.empty(),
                List.of(),
                List.of());
    }

    private Path cell(String path) throws IOException {
        return Files.createDirectories(root.resolve(path));
    }

    private static void summary(Path cell, double throughput) throws IOException {
        Files.writeString(cell.resolve("results-measurement-summary.json"), json(throughput));
    }

    private static String json(double throughput) {
        return """
                {"HTTP Request":{"samples":1000,"errors":0,"errorPercentage":0,"throughput":%s,"min":1,"max":20,
                "mean":9500.5,"stddev":2,"median":9,"p75":10,"p90":11,"p95":12,"p98":13,"p99":14,"p999":20,
                "receivedKBytesRate":1.5,"sentKBytesRate":2.5}}
                """.formatted(throughput);
    }

    private static void zip(Path cell, String name, String content) throws IOException {
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(cell.resolve("jtls.zip")))) {
            put(out, name, content);
        }
    }

    private static void put(ZipOutputStream out, String name, String content) throws IOException {
        out.putNextEntry(new ZipEntry(name));
        out.write(content.getBytes(StandardCharsets.UTF_8));
        out.closeEntry();
    }
}
