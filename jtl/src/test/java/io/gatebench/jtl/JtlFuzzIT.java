/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.jtl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JtlFuzzIT {

    private static final String[] TEXTS = {"OK", "a,b", "say \"hi\"", "two\nlines", "x\r\ny", "", "\"", ",", "\n", "ü"};

    @TempDir
    Path directory;

    private static String quoted(String text) {
        return text.matches("(?s).*[,\"\n\r].*") ? "\"" + text.replace("\"", "\"\"") + "\"" : text;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void countsEveryRowOfAnyContent(long seed) throws IOException {
        Random random = new Random(seed);
        StringBuilder text = new StringBuilder("timeStamp,elapsed,label,responseMessage,success,failureMessage\n");
        int rows = 20_000;
        int errors = 0;
        for (int i = 0; i < rows; i++) {
            boolean success = random.nextBoolean();
            errors += success ? 0 : 1;
            text.append(i)
                    .append(',')
                    .append(random.nextInt(5000))
                    .append(",l,")
                    .append(quoted(TEXTS[random.nextInt(TEXTS.length)]))
                    .append(',')
                    .append(success)
                    .append(',')
                    .append(quoted(TEXTS[random.nextInt(TEXTS.length)]))
                    .append('\n');
        }
        JtlSummary summary = summary(text.toString().getBytes(StandardCharsets.UTF_8));
        assertThat(summary.labels().get(0).samples()).isEqualTo(rows);
        assertThat(summary.labels().get(0).errors()).isEqualTo(errors);
        assertThat(summary.skippedCount()).isZero();
    }

    @ParameterizedTest
    @ValueSource(longs = {11, 12, 13, 14, 15, 16, 17, 18})
    void neverLosesARowWithoutAMessage(long seed) throws IOException {
        Random random = new Random(seed);
        StringBuilder text = new StringBuilder("timeStamp,elapsed,label,responseMessage,success\n");
        for (int i = 0; i < 300; i++) {
            text.append(i)
                    .append(",5,l,")
                    .append(quoted(TEXTS[random.nextInt(3)]))
                    .append(",true\n");
        }
        byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
        int header = text.indexOf("\n") + 1;
        for (int damage = 0; damage < 10; damage++) {
            bytes[header + random.nextInt(bytes.length - header)] = (byte) "\",x\n5".charAt(random.nextInt(5));
        }
        JtlSummary summary = summary(bytes);
        long counted =
                summary.labels().stream().mapToLong(JtlLabelSummary::samples).sum();
        assertThat(counted + summary.skippedCount()).isEqualTo(summary.lines());
        assertThat(summary.skippedCount()).isLessThanOrEqualTo(60);
        assertThat(counted).isBetween(260L, 300L);
    }

    /** Rows with a quoted field are taken apart one field after the other, others 64 bytes at a time. */
    @ParameterizedTest
    @ValueSource(longs = {21, 22, 23, 24})
    void rowsAreTheSameWithAndWithoutQuotes(long seed) throws IOException {
        Random random = new Random(seed);
        String lineEnd = seed % 2 == 0 ? "\n" : "\r\n";
        StringBuilder plain = new StringBuilder("timeStamp,elapsed,label,success,bytes,more" + lineEnd);
        StringBuilder quoted = new StringBuilder(plain);
        for (int i = 0; i < 5000; i++) {
            String numbers = (1_700_000_000_000L + random.nextInt(100_000)) + ","
                    + (random.nextInt(20) == 0 ? random.nextLong() >>> 2 + random.nextInt(60) : random.nextInt(900));
            String label = "\u00fcx-y".repeat(random.nextInt(30)) + random.nextInt(40);
            String rest = "," + (random.nextInt(5) == 0 ? "False" : "TRUE") + "," + random.nextInt() + ","
                    + "z".repeat(random.nextInt(random.nextInt(100) == 0 ? 3000 : 70)) + lineEnd;
            plain.append(numbers).append(',').append(label).append(rest);
            quoted.append(numbers).append(",\"").append(label).append('"').append(rest);
        }
        JtlSummary expected = summary(quoted.toString().getBytes(StandardCharsets.UTF_8));
        JtlSummary found = summary(plain.toString().getBytes(StandardCharsets.UTF_8));
        assertThat(found).isEqualTo(expected);
        assertThat(found.lines()).isEqualTo(5000);
        assertThat(found.skippedCount()).isLessThan(300);
    }

    /** Rows like one before are not looked at field by field; those with a quote are. */
    @ParameterizedTest
    @ValueSource(longs = {31, 32, 33, 34, 35, 36})
    void rowsLikeOneBeforeAreWhatTheyAreByThemselves(long seed) throws IOException {
        Random random = new Random(seed);
        String lineEnd = seed % 2 == 0 ? "\n" : "\r\n";
        StringBuilder plain =
                new StringBuilder("timeStamp,elapsed,label,responseCode,responseMessage,threadName,dataType,"
                        + "success,failureMessage,bytes,sentBytes,grpThreads,allThreads,URL,Latency,IdleTime,Connect"
                        + lineEnd);
        StringBuilder quoted = new StringBuilder(plain);
        String before = ",200,OK,";
        String behind = ",text,true,,300,200,5,5,http://localhost/";
        for (int i = 0; i < 20_000; i++) {
            if (random.nextInt(40) == 0) {
                before = "," + (200 + random.nextInt(3)) + ",OK " + "k".repeat(random.nextInt(20)) + ",";
                behind = ",text," + random.nextBoolean() + ",," + random.nextInt(1000) + ",200,5,5,http://localhost/"
                        + "u".repeat(random.nextInt(random.nextInt(50) == 0 ? 3000 : 40));
            }
            String numbers = (1_700_000_000_000L + i - random.nextInt(100)) + ","
                    + (random.nextInt(500) == 0 ? random.nextInt() : random.nextInt(3000));
            String label = "l\u00fc" + "b".repeat(random.nextInt(12)) + random.nextInt(3);
            String rest = before + "Thread " + random.nextInt(300) + behind + "," + random.nextInt(3000) + ",0,0";
            if (random.nextInt(60) == 0) {
                int at = 1 + random.nextInt(rest.length() - 1);
                rest = rest.substring(0, at)
                        + List.of(",", "x", "5", "\n", "x\"").get(random.nextInt(5))
                        + rest.substring(at + 1);
            }
            plain.append(numbers).append(',').append(label).append(rest).append(lineEnd);
            quoted.append(numbers)
                    .append(",\"")
                    .append(label)
                    .append('"')
                    .append(rest)
                    .append(lineEnd);
        }
        if (seed % 3 == 0) {
            plain.setLength(plain.length() - lineEnd.length());
            quoted.setLength(quoted.length() - lineEnd.length());
        }
        JtlSummary expected = summary(quoted.toString().getBytes(StandardCharsets.UTF_8));
        JtlSummary found = summary(plain.toString().getBytes(StandardCharsets.UTF_8));
        assertThat(found.skipped()).isEqualTo(expected.skipped());
        assertThat(found).isEqualTo(expected);
        assertThat(found.skippedCount()).isBetween(50L, 2000L);
    }

    /** An id in each label would make a histogram of each request. */
    @Test
    void refusesMoreLabelsThanMemoryHolds() {
        StringBuilder text = new StringBuilder("timeStamp,elapsed,label,success\n");
        for (int i = 0; i <= 50_000; i++) {
            text.append("1,900000,GET /order/").append(i).append(",true\n");
        }

        assertThatThrownBy(() -> summary(text.toString().getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(JtlFormatException.class)
                .hasMessageStartingWith("fuzz.jtl has more than 50000 labels, which is what is kept; a label names");
    }

    private JtlSummary summary(byte[] bytes) throws IOException {
        Path file = directory.resolve("fuzz.jtl");
        Files.write(file, bytes);
        return JtlSummary.of(List.of(file), Duration.ZERO, JtlStatistics.EXACT);
    }
}
