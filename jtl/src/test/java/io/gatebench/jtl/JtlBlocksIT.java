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

/** A file shorter than two blocks is read by one reader, so that the same file tells both ways apart. */
class JtlBlocksIT {

    private static final String HEADER = "timeStamp,elapsed,label,responseMessage,success,bytes\n";
    private static final String[] MESSAGES = {
        "OK", "\"a,b\"", "\"two\nlines\"", "\"\n1,2,l,OK,true,7\n\"", "\"say \"\"hi\"\"\"", "\"stray", "ü", "x\",y"
    };

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void countsWhatOneReaderCounts(long seed) throws IOException {
        Random random = new Random(seed);
        StringBuilder text = new StringBuilder(HEADER);
        for (int i = 0; i < 3000; i++) {
            text.append(5000 + i / 3 - random.nextInt(50))
                    .append(',')
                    .append(random.nextInt(100) == 0 ? 9_000_000 : random.nextInt(3000))
                    .append(",label ")
                    .append((char) ('a' + random.nextInt(1 + i / 600)))
                    .append(',')
                    .append(MESSAGES[random.nextInt(100) < 80 ? 0 : random.nextInt(MESSAGES.length)])
                    .append(random.nextInt(200) == 0 ? "\n" : "," + random.nextBoolean() + "," + i + "\n");
        }
        if (random.nextBoolean()) {
            text.setLength(text.length() - 1);
        }
        Path file = Files.writeString(directory.resolve("a.jtl"), text);
        for (JtlStatistics statistics : JtlStatistics.values()) {
            for (int warmUp : new int[] {0, 300}) {
                JtlSummary one = JtlSummary.of(List.of(file), Duration.ofMillis(warmUp), statistics);
                for (int block : new int[] {20_000, 7_001, 997}) {
                    assertThat(inBlocks(file, warmUp, statistics, block))
                            .as("%s, warm-up %d ms, blocks of %d bytes", statistics, warmUp, block)
                            .isEqualTo(one);
                }
            }
        }
    }

    private static JtlSummary inBlocks(Path file, int warmUp, JtlStatistics statistics, int block) throws IOException {
        JtlBlocks.Counted counted = new JtlBlocks(file, warmUp, statistics, block, 3).count();
        assertThat(counted).isNotNull();
        return JtlSummary.of(counted, Duration.ofMillis(warmUp), statistics);
    }

    @Test
    void anEarlierStartInALaterBlockMovesTheEndOfTheWarmUp() throws IOException {
        Path file = Files.writeString(
                directory.resolve("a.jtl"), HEADER + "900,1,l,OK,true,1\n".repeat(20_000) + "100,1,l,OK,true,1\n");

        JtlSummary summary = inBlocks(file, 500, JtlStatistics.EXACT, 100_000);

        assertThat(summary.warmUpSamples()).isEqualTo(1);
        assertThat(summary.labels().get(0).samples()).isEqualTo(20_000);
    }

    @Test
    void leavesToOneReaderWhatBlocksCannotTell() throws IOException {
        String rows = "100,1,l,OK,true,1\n".repeat(100);
        String transaction = "100,1,t,\"Number of samples in transaction : 1, number of failing samples : 0\",true,1\n";

        assertThat(count(HEADER + rows + transaction)).as("a transaction").isNull();
        assertThat(count(HEADER)).as("a short file").isNull();
        assertThat(count("<?xml version=\"1.0\"?>" + rows)).as("no CSV").isNull();
        assertThat(count("PK" + HEADER + rows)).as("compressed").isNull();
    }

    private JtlBlocks.Counted count(String text) throws IOException {
        Path file = Files.write(directory.resolve("b.jtl"), text.getBytes(StandardCharsets.UTF_8));
        return new JtlBlocks(file, 0, JtlStatistics.EXACT, 200, 2).count();
    }

    @Test
    void aFileThatCannotBeReadIsAnError() {
        assertThatThrownBy(() -> new JtlBlocks(directory.resolve("none"), 0, JtlStatistics.EXACT, 200, 2).count())
                .isInstanceOf(IOException.class);
    }
}
