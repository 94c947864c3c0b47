/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Names of others are shown as text: to a terminal, in Markdown and in a spreadsheet. */
class ForeignOutputTest {

    private static final String HEADER =
            "Scenario Name,Heap Size,Concurrent Users,Message Size (Bytes),Back-end Service Delay (ms),# Samples,Error"
                    + " Count,Throughput (Requests/sec),Average Response Time (ms)\n";

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path directory;

    private int run(Object... arguments) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        CommandLineProgram program = new CommandLineProgram();
        program.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err, true));
        return program.execute(Arrays.stream(arguments).map(Object::toString).toArray(String[]::new));
    }

    @Test
    void showsTheEscapesOfALabelAndDoesNotSendThem() throws IOException {
        Path file = Files.writeString(
                directory.resolve("a.jtl"),
                "timeStamp,elapsed,label,success\n1,2,\u001b]0;title\u0007\u001b[2J\u009b31m\u202etxt,true\n");

        assertThat(run("summarize", file)).as(err::toString).isZero();

        assertThat(out.toString())
                .contains("\\u001b]0;title\\u0007\\u001b[2J\\u009b31m\\u202etxt")
                .doesNotContain("\u001b", "\u0007", "\u009b", "\u202e");
    }

    @Test
    void showsTheEscapesOfAnUnreadableFirstLine() throws IOException {
        Path file = Files.writeString(directory.resolve("a.jtl"), "\u001b[31mno samples\n");

        assertThat(run("summarize", file)).isEqualTo(2);

        assertThat(err.toString()).contains("\\u001b[31mno samples").doesNotContain("\u001b");
    }

    @Test
    void makesNoHtmlOfANameInMarkdown() throws IOException {
        Path file = Files.writeString(
                directory.resolve("a.csv"),
                HEADER + "<img src=x onerror=alert(1)> p99 < 200,2G,100,50,0,1000,0,100,10\n");

        assertThat(run("report", file, "--table")).as(err::toString).isZero();

        assertThat(out.toString())
                .contains("&lt;img src=x onerror=alert(1)> p99 < 200")
                .doesNotContain("<img");
    }

    @ParameterizedTest
    @ValueSource(strings = {"=HYPERLINK(1)", "+cmd|x", "-2+3", "@SUM(A1)"})
    void keepsSpreadsheetsFromFormulas(String name) throws IOException {
        Path file = Files.writeString(directory.resolve("a.csv"), HEADER + name + ",2G,100,50,0,1000,0,100,-10.5\n");
        Path report = directory.resolve("report");

        assertThat(run("report", file, "--out", report, "--charts", "none"))
                .as(err::toString)
                .isZero();
        Path guarded = report.resolve("summary.csv");
        assertThat(Files.readString(guarded)).contains("\n'" + name + ",2G").contains(",-10.5,");

        assertThat(run("report", guarded, "--out", directory.resolve("again"), "--charts", "none", "--raw-csv"))
                .as(err::toString)
                .isZero();
        assertThat(directory.resolve("again/summary.csv")).content().contains("\n" + name + ",2G");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Infinity", "1e400", "1e308", "-1e308", "NaN"})
    void comparesNothingWithANumberThatIsNone(String number) throws IOException {
        Path before = Files.writeString(directory.resolve("a.csv"), HEADER + "a,2G,100,50,0,1000,0,100,10\n");
        Path after = Files.writeString(
                directory.resolve("b.csv"), HEADER + "a,2G,100,50,0,1000,0," + number + "," + number + "\n");

        assertThat(run("compare", before, after)).as(err::toString).isEqualTo(4);
        assertThat(err.toString()).contains("nothing could be compared");
        assertThat(run("report", after, "--table")).as(err::toString).isZero();
    }
}
