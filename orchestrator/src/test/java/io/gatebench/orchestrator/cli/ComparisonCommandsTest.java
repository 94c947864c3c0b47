/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ComparisonCommandsTest {

    private static final String HEADER =
            "Scenario Name,Heap Size,Concurrent Users,Message Size (Bytes),Back-end Service Delay (ms),Error %,"
                    + "Throughput (Requests/sec),Average Response Time (ms),99th Percentile of Response Time (ms)\n";

    @TempDir
    Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void printsTheComparisonAloneOnStandardOutput() throws Exception {
        Path before = file("a.csv", HEADER + "A,2G,100,50,0,0,1000,100,300\nB,2G,100,50,0,0,1,1,1\n");
        Path after = file("b.csv", HEADER + "A,2G,100,50,0,0,300,333,900\n");

        assertThat(run("compare", before, after, "--format", "json"))
                .as(err::toString)
                .isZero();
        JsonNode root = new ObjectMapper().readTree(out.toString());
        assertThat(root.path("cells").path(0).path("verdict").asText()).isEqualTo("slower");
        assertThat(root.path("unmatched").size()).isEqualTo(1);

        assertThat(run("compare", before, after, "--fail-on", "regression")).isEqualTo(4);
        assertThat(out.toString()).startsWith("# Comparison with a.csv\n\n## b.csv: slower\n");
        assertThat(run("compare", before, before, "--fail-on", "regression", "--out", directory.resolve("out")))
                .isZero();
        assertThat(directory.resolve("out/comparison.html")).exists();
    }

    @Test
    void failsOnWhatCouldNotBeComparedWhereItIsAsked() throws Exception {
        Path before = file("a.csv", HEADER + "A,2G,100,50,0,0,1000,100,300\n");
        Path failing = file("b.csv", HEADER + "A,2G,100,50,0,9,900,110,300\n");

        assertThat(run("compare", failing, before, "--fail-on", "regression")).isZero();
        assertThat(run("compare", failing, before, "--fail-on", "not-comparable"))
                .isEqualTo(4);
        assertThat(err.toString()).contains("not comparable: a test case could not be compared");
        assertThat(run("compare", before, before, "--fail-on", "not-comparable"))
                .isZero();
    }

    @Test
    void failsOnWhatItIsAskedToFailOn() throws Exception {
        Path before = file("a.csv", HEADER + "A,2G,100,50,0,0,1000,100,300\nB,2G,100,50,0,0,1000,100,300\n");
        Path wide = file("b.csv", HEADER + "A,2G,100,50,0,0,960,104,330\nB,2G,100,50,0,0,1000,100,300\n");
        Path doubted = file("c.csv", HEADER + "A,2G,100,50,0,0,990,60,301\nB,2G,100,50,0,0,1000,100,300\n");
        Path invalid = file("d.csv", HEADER + "A,2G,100,50,0,0,990,20,301\nB,2G,100,50,0,0,1000,100,300\n");

        assertThat(run("compare", before, wide, "--fail-on", "regression")).isZero();
        assertThat(run("compare", before, wide, "--fail-on", "regression,undecided"))
                .isEqualTo(4);
        assertThat(err.toString()).contains("undecided: a loss above 10.0 % is not ruled out");
        assertThat(run("compare", before, before, "--fail-on", "undecided")).isZero();

        assertThat(run("compare", before, doubted, "--fail-on", "invalid")).isZero();
        assertThat(run("compare", before, doubted, "--fail-on", "doubtful")).isEqualTo(4);
        assertThat(err.toString()).contains("doubtful: c.csv, A/2G_heap/100_users/50B/0ms_sleep: throughput x mean");
        assertThat(run("compare", before, invalid, "--fail-on", "invalid")).isEqualTo(4);
        assertThat(run("compare", before, invalid)).isZero();
    }

    @Test
    void neverEndsWithZeroIfNothingCouldBeCompared() throws Exception {
        Path before = file("a.csv", HEADER + "A,2G,100,50,0,0,1000,100,300\n");
        Path other = file("b.csv", HEADER + "Other,2G,100,50,0,0,1000,100,300\n");
        Path invalid = file("c.csv", HEADER + "A,2G,100,50,0,0,990,20,301\n");

        assertThat(run("compare", before, other)).isEqualTo(4);
        assertThat(err.toString()).contains("nothing could be compared: a.csv and b.csv have no test case in common");
        assertThat(run("compare", before, invalid, "--fail-on", "regression")).isEqualTo(4);
        assertThat(err.toString())
                .contains("in no test case of a.csv and c.csv are both rows free of failure and doubt");
    }

    @Test
    void endsAsWrongUsageWhereAnInputCannotBeRead() throws Exception {
        Path before = file("a.csv", HEADER);
        assertThat(run("compare", before, directory.resolve("none"))).isEqualTo(2);
        assertThat(err.toString()).contains("none: does not exist");
        assertThat(run("compare", before, before, "--metrics", "speed")).isEqualTo(2);
        assertThat(err.toString()).contains("unknown metric 'speed'; known are throughput, mean");
    }

    @Test
    void refusesWhatIsNoTable() throws Exception {
        Path table = file("a.csv", HEADER + "A,2G,100,50,0,0,1000,100,300\n");
        for (Path junk : List.of(
                file("words.txt", "Nothing but words.\nAnd more.\n"),
                file("other.csv", "a,b\n1,2\n"),
                file("prose.md", "# Results\n\n| Name | Memory |\n|---|---|\n| x | 1 |\n"))) {
            String line =
                    junk + " holds no table of results: no column is a figure such as 'Throughput (Requests/sec)'\n";
            assertThat(run("compare", table, junk)).isEqualTo(2);
            assertThat(err.toString()).contains(line);
            assertThat(run("compare", junk, table)).isEqualTo(2);
            assertThat(run("report", junk, "--format", "openmetrics")).isEqualTo(2);
        }
        assertThat(run("trend", directory.resolve("words.txt"), "--value", "throughput"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("words.txt: holds no row; name a table of runs\n");
    }

    @Test
    void namesTheFigureThatIsNoNumber() throws Exception {
        Path table = file("a.csv", HEADER + "A,2G,100,50,0,0,1000,100,300\nB,2G,100,50,0,0,xx,100,N/A\n");
        Path document = file("b.md", """
                |Scenario Name|Concurrent Users|Throughput (Requests/sec)|
                |---|---|---|
                |A|100|about 5|
                """);
        String inTable = "a.csv:3: the column 'Throughput (Requests/sec)' holds 'xx', which is no number;"
                + " the figure is missing";

        run("compare", table, table);
        assertThat(out.toString()).contains(inTable).doesNotContain("'N/A'");
        run("report", table, "--table");
        assertThat(err.toString()).contains(inTable);
        run("trend", table, "--value", "throughput");
        assertThat(err.toString()).contains(inTable);
        run("report", document, "--table");
        assertThat(err.toString()).contains("b.md:3: the column 'Throughput (Requests/sec)' holds 'about 5'");
    }

    @Test
    void printsChangePointsAndExcludedRuns() throws Exception {
        StringBuilder csv = new StringBuilder("Date,Version,Throughput,Error %\n");
        for (int i = 0; i < 30; i++) {
            csv.append(1_700_000_000 + 86_400 * i).append(",v").append(i).append(',');
            csv.append(i == 5 ? "90000,100" : (i < 15 ? 1000 + i % 4 : 800 + i % 4) + ",0")
                    .append('\n');
        }
        Path file = file("long.csv", csv.toString());

        assertThat(run("trend", file, "--value", "Throughput", "--time", "Date", "--format", "json"))
                .as(err::toString)
                .isZero();
        JsonNode root = new ObjectMapper().readTree(out.toString());
        assertThat(root.path("changePoints").size()).isEqualTo(1);
        assertThat(root.path("changePoints").path(0).path("time").asText())
                .isEqualTo(Integer.toString(1_700_000_000 + 86_400 * 15));
        assertThat(root.path("excluded").size()).isEqualTo(1);
    }

    @Test
    void saysWhetherAPublicationFitsItsData() throws Exception {
        file("summary.csv", HEADER + "A,2G,100,50,0,0,1000,100,300\n");
        String table = "|" + HEADER.strip().replace(",", "|")
                + "|\n|---|---|---|---|---|---|---|---|---|\n|A|2G|100|50|0|0|<throughput>|100|300|\n";
        file("summary.md", table.replace("<throughput>", "1000"));
        // The table fits; that nothing else can be held against it is said.
        assertThat(run("verify", directory)).isEqualTo(4);
        assertThat(out.toString()).contains("checksums.json").doesNotContain("Throughput");
        file("summary.md", table.replace("<throughput>", "1001"));
        assertThat(run("verify", directory)).isEqualTo(4);
        assertThat(out.toString())
                .contains("summary.md:3: Throughput (Requests/sec) is '1001', in summary.csv:2 '1000'");
    }

    @Test
    void refusesATrendOfNothing() throws Exception {
        assertThat(run("trend", directory, "--value", "throughput")).isEqualTo(2);
        assertThat(err.toString()).startsWith(directory + ": holds no run; name the directory that holds them\n");
    }

    @Test
    void saysWhyItCannotWrite() throws Exception {
        Path run = file("a.csv", HEADER + "A,2G,100,50,0,0,1000,100,300\n");

        assertThat(run("compare", run, run, "--out", run)).isEqualTo(5);
        assertThat(err.toString()).contains("cannot write to " + run + ": Not a directory\n");
    }

    private Path file(String name, String content) throws IOException {
        return Files.writeString(directory.resolve(name), content);
    }

    private int run(Object... arguments) {
        out.getBuffer().setLength(0);
        CommandLineProgram program = new CommandLineProgram();
        program.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        String[] texts = new String[arguments.length + 1];
        texts[arguments.length] = "--stacktrace";
        for (int i = 0; i < arguments.length; i++) {
            texts[i] = arguments[i].toString();
        }
        return program.execute(texts);
    }
}
