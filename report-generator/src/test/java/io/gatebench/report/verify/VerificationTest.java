/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.gatebench.report.SampleRuns;
import io.gatebench.report.render.Checksums;
import io.gatebench.report.results.CaseChecksums;
import io.gatebench.report.results.ReportException;
import io.gatebench.report.results.ResultsDirectory;
import io.gatebench.report.verify.Verification.Check;
import io.gatebench.report.verify.Verification.Result;

class VerificationTest {

    private static final String CELL = "passthrough/2G_heap/50_users/50B/0ms_sleep/";

    @TempDir
    Path root;

    @BeforeEach
    void writeReport() throws IOException {
        ResultsDirectory results = ResultsDirectory.create(root, SampleRuns.local());
        results.write(SampleRuns.results().get(0));
        write(CELL + "load/load.hlog", "histogram");
        write(CELL + "load/out.log", "log");
        CaseChecksums.write(root.resolve(CELL));
        results.seal();
        write("summary.md", """
                | Scenario Name | Concurrent Users | Throughput (Requests/sec) |
                |---|---:|---:|
                | Passthrough | 100 | 1000.5 |
                """);
        write("summary.csv", "Scenario Name,Concurrent Users,Throughput (Requests/sec)\r\nPassthrough,100,1000.5\r\n");
        write("index.html", "<html></html>");
        write("charts/a.svg", "<svg/>");
        sums(
                List.of(Path.of("summary.md"), Path.of("summary.csv"), Path.of("index.html"), Path.of("charts/a.svg")),
                root);
    }

    @Test
    void passesAnUntouchedReport() {
        Verification verification = Verification.of(root, Optional.empty());

        assertThat(verification.passed()).isTrue();
        assertThat(verification.checks())
                .extracting(Check::subject)
                .containsExactly("measured data", "cases", "Markdown", "CSV", "charts", "HTML", "rows");
    }

    @Test
    void namesWhatWasChangedAddedOrRemoved() throws IOException {
        write("summary.md", Files.readString(root.resolve("summary.md")).replace("1000.5", "2000"));
        write(CELL + "result.json", Files.readString(root.resolve(CELL + "result.json")) + " ");
        write("passthrough/2G_heap/200_users/50B/0ms_sleep/load/load.hlog", "another");
        write(CELL + "load/out.log", "another log");
        Files.delete(root.resolve("charts/a.svg"));
        Verification verification = Verification.of(root, Optional.empty());

        assertThat(verification.passed()).isFalse();
        assertThat(details(verification, "measured data"))
                .containsExactly(
                        CELL + "result.json was changed after the report was made",
                        "passthrough/2G_heap/200_users/50B/0ms_sleep/load/load.hlog was measured after the report was made");
        assertThat(details(verification, "cases"))
                .containsExactly(
                        CELL.substring(0, CELL.length() - 1) + ": load/out.log is not what was written",
                        CELL.substring(0, CELL.length() - 1) + ": result.json is not what was written");
        assertThat(details(verification, "Markdown"))
                .containsExactly("summary.md was changed, or belongs to other data");
        assertThat(details(verification, "charts")).containsExactly("charts/a.svg is missing");
        assertThat(details(verification, "rows"))
                .containsExactly("summary.md:3: Throughput (Requests/sec) is '2000', in summary.csv:2 '1000.5'");
    }

    @Test
    void seesATableThatWasEmptiedAndAChartOfAnotherRun() throws IOException {
        write("summary.csv", "");
        write("charts/b.svg", "<svg/>");
        Verification verification = Verification.of(root, Optional.empty());

        assertThat(verification.passed()).isFalse();
        assertThat(details(verification, "CSV")).containsExactly("summary.csv was changed, or belongs to other data");
        assertThat(details(verification, "charts")).containsExactly("charts/b.svg is none of this report");
        assertThat(details(verification, "rows")).hasSize(1).first().asString().endsWith("summary.csv: is empty");
    }

    @Test
    void comparesTheRowsOfAPublicationWithoutChecksums() throws IOException {
        Files.delete(root.resolve(Checksums.FILE));
        Verification verification = Verification.of(root, Optional.empty());
        assertThat(verification.passed()).isFalse();
        assertThat(details(verification, "checksums")).first().asString().startsWith("there is no checksums.json");
        assertThat(verification.checks().stream()
                        .filter(check -> check.subject().equals("rows"))
                        .map(Check::result))
                .containsExactly(Result.OK);

        Files.delete(root.resolve("summary.md"));
        assertThatThrownBy(() -> Verification.of(root, Optional.empty()))
                .isInstanceOf(ReportException.class)
                .hasMessageContaining("holds neither checksums.json nor summary.csv and summary.md");
    }

    @Test
    void cannotSayWhatIsNotThere() throws IOException {
        Path elsewhere = root.resolve("report");
        Files.createDirectories(elsewhere);
        Files.copy(root.resolve("summary.md"), elsewhere.resolve("summary.md"));
        sums(List.of(Path.of("summary.md")), elsewhere);

        assertThat(Verification.of(elsewhere, Optional.empty()).checks().get(0).result())
                .isEqualTo(Result.UNKNOWN);
        assertThat(Verification.of(elsewhere, Optional.of(root)).checks().get(0).result())
                .isEqualTo(Result.OK);
    }

    @Test
    void takesNoAccountOfWhatARunWorkedInOrHasSetAside() throws IOException {
        write(".work/cases/one/load/load.hlog", "work");
        write(".replaced/20260504-100000/" + CELL + "result.json", "{}");
        sums(List.of(Path.of("summary.md"), Path.of("summary.csv"), Path.of("index.html")), root);
        Files.delete(root.resolve("charts/a.svg"));
        Files.delete(root.resolve(".work/cases/one/load/load.hlog"));

        Verification verification = Verification.of(root, Optional.empty());

        assertThat(verification.checks()).allMatch(check -> check.result() == Result.OK);
    }

    @Test
    void isNotDeceivedByChecksumsThatWereMadeAgain() throws IOException {
        write(CELL + "load/load.hlog", "another histogram");
        CaseChecksums.write(root.resolve(CELL));
        ResultsDirectory results = ResultsDirectory.open(root);
        Files.writeString(root.resolve("run.json"), " ", StandardOpenOption.APPEND);
        sums(List.of(Path.of("summary.md")), root);

        assertThat(details(Verification.of(root, Optional.empty()), "cases"))
                .containsExactly(
                        "run.json is not what was written",
                        CELL.substring(0, CELL.length() - 1) + ": checksums.sha256 is not what was written");
        assertThat(results.stored()).allMatch(stored -> !stored.changes().isEmpty());
    }

    @Test
    void namesACaseThatWasDeletedAndOneThatIsThatOfAnother() throws IOException {
        Path other = root.resolve("passthrough/2G_heap/60_users/50B/0ms_sleep");
        Files.createDirectories(other.getParent());
        Files.move(root.resolve(CELL), other);
        sums(List.of(Path.of("summary.md")), root);

        assertThat(details(Verification.of(root, Optional.empty()), "cases"))
                .contains(
                        "passthrough/2G_heap/50_users/50B/0ms_sleep was measured, and has no result now",
                        "passthrough/2G_heap/60_users/50B/0ms_sleep: it is the result of "
                                + "passthrough/2G_heap/50_users/50B/0ms_sleep");
    }

    @Test
    void neverLooksOutsideTheDirectory() throws IOException {
        write(Checksums.FILE, "{\"data\":\"\",\"files\":{\"../secret.md\":\"00\"},\"measured\":{}}");
        assertThat(details(Verification.of(root, Optional.empty()), "Markdown"))
                .containsExactly("../secret.md leads out of the directory");
    }

    private void sums(List<Path> files, Path out) throws IOException {
        Files.writeString(out.resolve(Checksums.FILE), Checksums.text(root, out, files));
    }

    private static List<String> details(Verification verification, String subject) {
        return verification.checks().stream()
                .filter(check -> check.subject().equals(subject))
                .findFirst()
                .orElseThrow()
                .details();
    }

    private void write(String path, String content) throws IOException {
        Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
    }
}
