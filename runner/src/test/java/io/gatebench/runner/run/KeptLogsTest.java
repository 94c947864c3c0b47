/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.gatebench.gc.GcLogAnalyzer;
import io.gatebench.model.GcFinding;
import io.gatebench.model.GcSummary;

class KeptLogsTest {

    private static final String HEAD = """
            [0.003s][2026-11-22T07:00:00.000+0000][info][gc,init] Version: 17.0.13+11 (release)
            [0.004s][2026-11-22T07:00:00.001+0000][info][gc     ] Using G1
            """;
    private static final String FIRST = pause(0, 1) + fullGc(1, 2, 30);
    private static final String SECOND = pause(2, 31) + fullGc(3, 32, 40);

    private final KeptLogs logs = new KeptLogs();

    @TempDir
    private Path directory;

    private static String pause(int number, int second) {
        return line(second, "GC(" + number + ") Pause Young (Normal) (G1 Evacuation Pause) 24M->4M(256M) 3.000ms");
    }

    private static String fullGc(int number, int second, int left) {
        return line(second, "GC(" + number + ") Pause Full (Diagnostic Command) 60M->" + left + "M(256M) 20.000ms");
    }

    private static String line(int second, String text) {
        return "[%d.100s][2026-11-22T07:00:%02d.100+0000][info][gc     ] %s\n".formatted(second, second, text);
    }

    private GcSummary cut(String gc, String out) throws IOException {
        Files.writeString(directory.resolve("gc.log"), gc);
        Files.writeString(directory.resolve("out.log"), out);
        Files.writeString(directory.resolve("conf.xml"), "<conf/>");
        logs.cut(directory);
        return GcLogAnalyzer.analyze(directory.resolve("gc.log"));
    }

    /** The log has the heap in whole MiB. */
    private static double mebibytes(GcSummary summary) {
        return summary.exact().footprintAfterFullGcMeanBytes().value().orElseThrow() / (1 << 20);
    }

    private String left(String name) throws IOException {
        return Files.readString(directory.resolve(name));
    }

    @Test
    void givesEachCaseThePartThatWasWrittenForIt() throws IOException {
        GcSummary first = cut(HEAD + FIRST, "ready\n");
        assertThat(left("gc.log")).isEqualTo(HEAD + FIRST);
        assertThat(mebibytes(first)).isBetween(30.0, 31.0);

        GcSummary second = cut(HEAD + FIRST + SECOND, "ready\nslow request\n");

        assertThat(left("gc.log")).isEqualTo(HEAD + SECOND);
        assertThat(left("out.log")).isEqualTo("slow request\n");
        assertThat(left("conf.xml")).isEqualTo("<conf/>");
        assertThat(second.collector()).contains("G1");
        assertThat(second.jdk()).hasValueSatisfying(jdk -> assertThat(jdk).startsWith("17.0.13"));
        // The mean over the whole log would be 35 MiB.
        assertThat(mebibytes(second)).isBetween(40.0, 41.0);
        assertThat(second.findings()).noneMatch(finding -> finding.rule().equals(GcFinding.JVM_RESTARTED));
    }

    @Test
    void leavesALineThatIsBeingWrittenToTheNextCaseAsAWhole() throws IOException {
        int middle = FIRST.length() - 20;
        cut(HEAD + FIRST.substring(0, middle), "a\nbeg");

        cut(HEAD + FIRST, "a\nbegun\n");

        List<String> lines = left("gc.log").lines().toList();
        assertThat(lines).hasSize(3);
        assertThat(lines.get(2)).contains("GC(1) Pause Full");
        assertThat(left("out.log")).isEqualTo("begun\n");
    }

    @Test
    void takesALogThatHasBecomeShorterForANewOne() throws IOException {
        cut(HEAD + FIRST, "one\ntwo\n");

        cut(HEAD + SECOND, "new\n");

        assertThat(left("out.log")).isEqualTo("new\n");
    }
}
