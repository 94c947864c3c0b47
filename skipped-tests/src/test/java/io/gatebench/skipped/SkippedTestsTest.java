/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.skipped;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SkippedTestsTest {

    private static final Instant BEGIN = Instant.parse("2026-01-31T12:00:00Z");

    @TempDir
    private Path root;

    private void report(String module, String kind, String test, Instant written, String... skipped)
            throws IOException {
        StringBuilder xml = new StringBuilder("<testsuite><testcase name=\"a\" classname=\"x." + test + "\"/>");
        for (String skip : skipped) {
            xml.append("<testcase name=\"b\" classname=\"x.")
                    .append(test)
                    .append("\">")
                    .append(skip)
                    .append("</testcase>");
        }
        Path reports = Files.createDirectories(root.resolve(module + "/target/" + kind));
        Path file = Files.writeString(reports.resolve("TEST-x." + test + ".xml"), xml.append("</testsuite>"));
        Files.setLastModifiedTime(file, FileTime.from(written));
    }

    @Test
    void tellsWhatWasSkippedInThisBuildWhyAndWhatToInstall() throws IOException {
        String nginx =
                "<skipped message=\"assumption was not met due to: [nginx is not there; install nginx-light]&#10;"
                        + "Expecting path\"/>";
        report("a", "surefire-reports", "FirstTest", BEGIN, "<skipped message=\"Assumption failed: no IPv6\"/>");
        report("b", "failsafe-reports", "SecondIT", BEGIN.plusSeconds(60), nginx, nginx);
        report("b", "failsafe-reports", "OldIT", BEGIN.minusSeconds(60), nginx);

        ByteArrayOutputStream out = new ByteArrayOutputStream();
        SkippedTests.print(SkippedTests.since(root, BEGIN), new PrintStream(out, false, StandardCharsets.UTF_8));

        assertThat(out.toString(StandardCharsets.UTF_8).lines())
                .containsExactly(
                        "skipped  test       why                 what to install",
                        "      1  FirstTest  no IPv6             ",
                        "      2  SecondIT   nginx is not there  nginx-light");
    }

    @Test
    void failsForWantOfWhatCanBeInstalledWhereItIsAskedTo() throws IOException {
        String[] arguments = {root.toString(), BEGIN.toString(), "fail"};
        report("a", "surefire-reports", "FirstTest", BEGIN, "<skipped message=\"no IPv6\"/>");
        SkippedTests.main(arguments);
        report("a", "surefire-reports", "OtherTest", BEGIN, "<skipped message=\"no curl; install curl\"/>");

        assertThatThrownBy(() -> SkippedTests.main(arguments)).hasMessageContaining("can be installed");
        arguments[2] = "tell";
        SkippedTests.main(arguments);
    }
}
