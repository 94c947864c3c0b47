/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.jtl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JtlSummaryTest {

    private static final String HEADER = "timeStamp,elapsed,label,responseCode,responseMessage,threadName,dataType,"
            + "success,failureMessage,bytes,sentBytes,grpThreads,allThreads,URL,Latency,IdleTime,Connect\n";

    @TempDir
    Path directory;

    private static String row(long start, long elapsed, String label, boolean success) {
        return start + "," + elapsed + "," + label + "," + (success ? "200,OK" : "500,Error") + ",T 1-1,text," + success
                + ",,300,200,1,1,http://localhost/,1,0,0\n";
    }

    private JtlSummary summary(String text) throws IOException {
        return summary(text, Duration.ZERO, JtlStatistics.EXACT);
    }

    private JtlSummary summary(String text, Duration warmUp, JtlStatistics statistics) throws IOException {
        Path file = directory.resolve("samples.jtl");
        Files.writeString(file, text);
        return JtlSummary.of(List.of(file), warmUp, statistics);
    }

    private static long counted(JtlSummary summary) {
        return summary.labels().stream().mapToLong(JtlLabelSummary::samples).sum();
    }

    @Test
    void givesEveryColumnOfARowAlsoThoseThatNoFigureNeeds() throws IOException {
        Path file = directory.resolve("samples.jtl");
        Files.writeString(
                file,
                HEADER
                        + row(1000, 10, "a", true)
                        + row(1001, 11, "\"b\"", true)
                        + row(1002, 12, "c", false)
                        + row(1003, 13, "d", true));
        List<String> texts = new ArrayList<>();
        new JtlReader()
                .read(
                        file,
                        row -> texts.add(row.text("Connect")
                                + row.text("URL")
                                + row.text("elapsed")
                                + row.text("threadName")
                                + row.text("none")));

        assertThat(texts)
                .containsExactly(
                        "0http://localhost/10T 1-1",
                        "0http://localhost/11T 1-1",
                        "0http://localhost/12T 1-1",
                        "0http://localhost/13T 1-1");
    }

    @Test
    void countsRowsWithSeparatorsQuotesAndLineBreaksInMessages() throws IOException {
        JtlSummary summary = summary(HEADER
                + row(1000, 10, "a", true)
                + "1010,20,a,502,\"Bad Gateway, upstream down\",T 1-1,text,false,\"first line\nsecond \"\"quoted\"\" line\","
                + "300,200,1,1,http://localhost/,1,0,0\n"
                + row(1020, 30, "\"b, c\"", true));

        assertThat(summary.lines()).isEqualTo(3);
        assertThat(summary.skipped()).isEmpty();
        assertThat(summary.labels()).extracting(JtlLabelSummary::label).containsExactly("a", "b, c");
        assertThat(summary.labels().get(0).errors()).isEqualTo(1);
        assertThat(summary.labels().get(0).errorPercent()).isEqualByComparingTo("50");
    }

    @Test
    void reportsBrokenRowsWithTheirLineAndGoesOn() throws IOException {
        JtlSummary summary = summary(HEADER
                + row(1000, 10, "a", true)
                + "not a sample\n"
                + "1010,x,a,200,OK,T,text,true,,1,1,1,1,u,1,0,0\n"
                + "1010,7,a,200,\"stray,T,text,true,,1,1,1,1,u,1,0,0\n"
                + row(1020, 30, "a", true)
                + row(1030, 30, "a", true)
                + "1040,12,a,200,OK,T 1");

        assertThat(counted(summary)).isEqualTo(3);
        assertThat(summary.lines()).isEqualTo(7);
        assertThat(summary.skipped()).extracting(SkippedLine::line).containsExactly(3L, 4L, 5L, 8L);
        assertThat(summary.skipped().get(0).reason()).isEqualTo("1 columns instead of 17");
        assertThat(summary.skipped().get(3).reason()).startsWith("partial last line");
    }

    @Test
    void readsAnyOrderOfColumnsAndOtherSeparators() throws IOException {
        JtlSummary tabs = summary("label\tsuccess\telapsed\ttimeStamp\nx\ttrue\t5\t100\nx\tfalse\t7\t200\n");
        assertThat(tabs.labels().get(0).samples()).isEqualTo(2);
        assertThat(tabs.labels().get(0).maxMillis()).isEqualTo(7);

        JtlSummary semicolons = summary("success;elapsed;timeStamp;label\r\nTRUE;5;100;x\r\n\r\nfalse;6;101;x\r\n");
        assertThat(semicolons.labels().get(0).samples()).isEqualTo(2);
        assertThat(semicolons.lines()).isEqualTo(2);
    }

    @Test
    void readsFilesWithoutHeaderAndWithRepeatedHeaders() throws IOException {
        JtlSummary bare = summary(row(1000, 10, "a", true) + row(1001, 10, "a", true));
        assertThat(counted(bare)).isEqualTo(2);
        assertThat(bare.notes()).anyMatch(note -> note.contains("has no header line; it is read with the 17 columns"));
        JtlSummary joined = summary(HEADER + row(1000, 10, "a", true) + HEADER + row(1001, 10, "a", true));
        assertThat(counted(joined)).isEqualTo(2);
        assertThat(joined.skipped()).isEmpty();
    }

    @Test
    void readsFormattedTimestamps() throws IOException {
        JtlSummary summary = summary("timeStamp,elapsed,label,success\n"
                + "2026/11/21 08:00:00.000,10,a,true\n2026/11/21 08:00:01.990,10,a,true\n");
        assertThat(summary.labels().get(0).throughputPerSecond().orElseThrow()).isEqualByComparingTo("1");
    }

    @Test
    void countsNoTransactionTwice() throws IOException {
        String transaction =
                "1000,50,checkout,200,\"Number of samples in transaction : 2, number of failing samples : 0\","
                        + "T 1-1,,true,,600,400,1,1,null,2,0,0\n";
        JtlSummary withSamples = summary(HEADER + row(1000, 20, "a", true) + row(1020, 30, "b", true) + transaction);
        assertThat(withSamples.labels()).extracting(JtlLabelSummary::label).containsExactly("a", "b");
        assertThat(withSamples.skipped()).singleElement().satisfies(line -> {
            assertThat(line.line()).isEqualTo(4);
            assertThat(line.reason()).contains("transaction");
        });

        JtlSummary before = summary(HEADER + transaction + row(1000, 20, "a", true) + row(1020, 30, "b", true));
        assertThat(counted(before)).isEqualTo(2);

        JtlSummary alone = summary(HEADER + transaction);
        assertThat(alone.labels()).extracting(JtlLabelSummary::label).containsExactly("checkout");
    }

    @Test
    void movesTheWarmUpToTheStartOfATransactionThatIsCountedLast() throws IOException {
        // It has no sample of its own, and its start is long before that of the only sample, which was in the warm-up.
        String transaction =
                "1000,7,checkout,200,\"Number of samples in transaction : 2, number of failing samples : 0\","
                        + "T 1-1,,true,,600,400,1,1,null,2,0,0\n";
        JtlSummary summary = summary(
                HEADER + transaction + row(1_000_000, 20, "a", true), Duration.ofSeconds(1), JtlStatistics.EXACT);
        assertThat(summary.warmUpSamples()).isEqualTo(1);
        assertThat(summary.labels()).extracting(JtlLabelSummary::label).containsExactly("a");
    }

    @Test
    void splitsWarmUpFromTheFirstStartWhateverTheOrder() throws IOException {
        List<String> rows = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            rows.add(row(10_000 + i * 10L, 5, "a", true));
        }
        JtlSummary ordered = summary(HEADER + String.join("", rows), Duration.ofSeconds(4), JtlStatistics.EXACT);
        java.util.Collections.shuffle(rows, new Random(7));
        JtlSummary shuffled = summary(HEADER + String.join("", rows), Duration.ofSeconds(4), JtlStatistics.EXACT);

        assertThat(ordered.warmUpSamples()).isEqualTo(400);
        assertThat(counted(ordered)).isEqualTo(600);
        assertThat(shuffled).isEqualTo(ordered);
        assertThat(summary(HEADER + String.join("", rows), Duration.ofSeconds(4), JtlStatistics.WSO2)
                        .warmUpSamples())
                .isEqualTo(401);
    }

    @Test
    void exactFiguresAreThoseOfTheSortedSamples() throws IOException {
        Random random = new Random(42);
        long[] elapsed = new long[5003];
        StringBuilder text = new StringBuilder(HEADER);
        for (int i = 0; i < elapsed.length; i++) {
            elapsed[i] = (long) Math.exp(random.nextDouble() * 15);
            text.append(row(1_000_000 + i, elapsed[i], "a", true));
        }
        Arrays.sort(elapsed);
        JtlLabelSummary figures = summary(text.toString()).labels().get(0);

        double mean = Arrays.stream(elapsed).average().orElseThrow();
        assertThat(figures.meanMillis().doubleValue()).isCloseTo(mean, within(1e-6));
        double variance = Arrays.stream(elapsed)
                .mapToDouble(e -> (e - mean) * (e - mean))
                .average()
                .orElseThrow();
        assertThat(figures.standardDeviationMillis().doubleValue()).isCloseTo(Math.sqrt(variance), within(1e-5));
        figures.percentilesMillis().forEach((name, value) -> {
            int rank = new BigDecimal(name)
                    .multiply(BigDecimal.valueOf(elapsed.length))
                    .divide(BigDecimal.valueOf(100), 0, RoundingMode.CEILING)
                    .intValueExact();
            assertThat(value.longValueExact()).as(name).isEqualTo(elapsed[rank - 1]);
        });
    }

    @Test
    void wso2FiguresAreThoseOfThePredecessorsFormulas() throws IOException {
        Random random = new Random(3);
        Histogram histogram = new Histogram(2);
        StringBuilder text = new StringBuilder(HEADER);
        long errors = 0;
        for (int i = 0; i < 2000; i++) {
            long elapsed = 100 + random.nextInt(4000);
            boolean success = random.nextInt(50) != 0;
            errors += success ? 0 : 1;
            histogram.recordValue(elapsed);
            text.append(row(1_000_000 + i * 7L, elapsed, "a", success));
        }
        JtlLabelSummary figures = summary(text.toString(), Duration.ZERO, JtlStatistics.WSO2)
                .labels()
                .get(0);

        assertThat(figures.meanMillis()).isEqualByComparingTo(published(histogram.getMean()));
        assertThat(figures.standardDeviationMillis()).isEqualByComparingTo(published(histogram.getStdDeviation()));
        assertThat(figures.percentilesMillis().get("99.9"))
                .isEqualByComparingTo(published(histogram.getValueAtPercentile(99.9)));
        assertThat(figures.errorPercent()).isEqualByComparingTo(published((double) errors / 2000 * 100));
    }

    private static BigDecimal published(double value) {
        return new BigDecimal(value).setScale(2, RoundingMode.HALF_EVEN);
    }

    @Test
    void readsCompressedFiles() throws IOException {
        byte[] text = (HEADER + row(1000, 10, "a", true)).getBytes(StandardCharsets.UTF_8);
        Path gzip = directory.resolve("a.jtl.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(gzip))) {
            out.write(text);
        }
        Path zip = directory.resolve("a.zip");
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(zip))) {
            out.putNextEntry(new ZipEntry("results/a.jtl"));
            out.write(text);
        }
        JtlSummary summary = JtlSummary.of(List.of(gzip, zip), Duration.ZERO, JtlStatistics.EXACT);
        assertThat(counted(summary)).isEqualTo(2);
    }

    @Test
    void keepsWhatACutCompressedFileHolds() throws IOException {
        StringBuilder text = new StringBuilder(HEADER);
        Random random = new Random(1);
        for (int i = 0; i < 20_000; i++) {
            text.append(row(1000 + i, random.nextInt(1000), "a", true));
        }
        Path gzip = directory.resolve("cut.jtl.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(gzip))) {
            out.write(text.toString().getBytes(StandardCharsets.UTF_8));
        }
        byte[] whole = Files.readAllBytes(gzip);
        Files.write(gzip, Arrays.copyOf(whole, whole.length / 2));

        JtlSummary summary = JtlSummary.of(List.of(gzip), Duration.ZERO, JtlStatistics.EXACT);

        assertThat(counted(summary)).isBetween(1000L, 19_999L);
        assertThat(summary.notes()).anyMatch(note -> note.contains("cut"));
    }

    @Test
    void refusesWhatIsNoJtlWithTheWayOut() {
        assertThatThrownBy(() -> summary("<?xml version=\"1.0\"?>\n<testResults/>"))
                .isInstanceOf(JtlFormatException.class)
                .hasMessageContaining("output_format=csv");
        assertThatThrownBy(() -> summary("label,success,URL\na,true,b\n"))
                .hasMessageContaining("no column timeStamp and no column elapsed");
        assertThatThrownBy(() -> summary("hello world\n")).hasMessageContaining("no header line");
    }

    @Test
    void survivesSamplesOfZeroAndOfManyDays() throws IOException {
        JtlSummary summary = summary(HEADER + row(1000, 0, "zero", true) + row(1000, 3_000_000_000L, "days", true));
        assertThat(summary.labels().get(0).maxMillis()).isEqualTo(3_000_000_000L);
        assertThat(summary.labels().get(1).throughputPerSecond()).isEmpty();
        assertThat(summary.toJson()).contains("\"throughputPerSecond\" : null");
        assertThat(summary(HEADER).labels()).isEmpty();
        assertThat(summary("").labels()).isEmpty();
    }
}
