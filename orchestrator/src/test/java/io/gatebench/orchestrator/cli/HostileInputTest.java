/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.gatebench.orchestrator.SilentListener;

/** Files that were written to do harm, as a user gives them: exit code 2 with the place and the way out, nothing else. */
class HostileInputTest {

    private static final String CSV_HEADER =
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

    private Path file(String name, String content) throws IOException {
        return Files.writeString(directory.resolve(name), content);
    }

    /** One line, without the name of a class, and the code for wrong usage. */
    private void assertRefused(int code, String... parts) {
        assertThat(code).as(err::toString).isEqualTo(2);
        assertThat(err.toString()).contains(parts).doesNotContain("Exception", "unexpected error");
    }

    @ParameterizedTest
    @ValueSource(strings = {"j9-r28-doctype.xml", "j9-5-doctype.xml"})
    void fetchesNothingForAGcLogWhoeverReadsIt(String name) throws IOException {
        Path cell = Files.createDirectories(directory.resolve("pred/passthrough/2G_heap/100_users/1024B/0ms_sleep"));
        Files.writeString(
                cell.resolve("results-measurement.jtl"),
                "timeStamp,elapsed,label,responseCode,success,bytes,sentBytes\n1000,10,a,200,true,1,1\n");
        Path csv = file("c.csv", CSV_HEADER + "passthrough,2G,100,1024,0,1,0,100,10\n");
        try (SilentListener listener = new SilentListener()) {
            Path log = listener.writeXmlLog(name, directory.resolve("gc.log"));
            Path loggedByGateway = listener.writeXmlLog(name, cell.resolve("apim_gc.log"));

            assertRefused(run("gc", log), "'" + log + "' holds '<?xml': it is XML");
            assertThat(run("report", directory.resolve("pred"), "--table")).isZero();
            assertThat(err.toString()).contains(loggedByGateway.getFileName() + "", "it is XML");
            run("compare", csv, directory.resolve("pred"));
            run("compare", directory.resolve("pred"), csv);
            assertThat(listener.wasCalled()).isFalse();
        }
    }

    @Test
    void deniesExternalXmlToEveryLibrary() {
        Main.denyExternalXml();

        assertThat(System.getProperty("javax.xml.accessExternalDTD")).isEmpty();
        assertThat(System.getProperty("javax.xml.accessExternalSchema")).isEmpty();
        assertThat(System.getProperty("javax.xml.accessExternalStylesheet")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"[", "{a: ", "- "})
    void refusesYamlThatIsNestedWithoutEnd(String opening) throws IOException {
        Path plan = file(
                "plan.yaml", "product: netty\nusers: " + (opening.equals("- ") ? "\n " : "") + opening.repeat(50_000));
        assertRefused(run("run", "--plan", plan, "--estimate"), plan + ":", "nested at most 32 deep");

        Path hosts =
                file("hosts.yaml", "hosts:\n  a: " + (opening.equals("- ") ? "\n   " : "") + opening.repeat(50_000));
        assertRefused(run("hosts", "check", "--hosts", hosts), hosts + ":", "nested at most 32 deep");

        Path gateway =
                file("gateway.yaml", "name: x\nurl: " + (opening.equals("- ") ? "\n  " : "") + opening.repeat(50_000));
        assertRefused(
                run("run", "--product", "http", "--gateway-config", gateway, "--estimate"),
                gateway + ":",
                "nested at most 32 deep");
    }

    @Test
    void refusesMoreTestCasesThanARunHolds() throws IOException {
        String users =
                IntStream.rangeClosed(1, 100_000).mapToObj(Integer::toString).collect(Collectors.joining(", "));
        Path plan = file("plan.yaml", "product: apim\nusers: [" + users + "]\n");

        assertRefused(run("run", "--plan", plan, "--estimate"), "test cases but a run has at most 20000");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void refusesADeviceAsAKey() {
        for (String algorithm : new String[] {"RS256", "HS256"}) {
            assertRefused(
                    run("tokens", "--algorithm", algorithm, "--key", "/dev/zero", "--out", directory.resolve("t")),
                    "/dev/zero",
                    "at most 1 MiB");
        }
    }

    @Test
    void countsWhatComesBeforeTheCutOfAZip() throws IOException {
        String row = "1700000000%03d,12,GET /,200,true,100,50\n";
        Path whole = directory.resolve("whole.zip");
        try (OutputStream raw = Files.newOutputStream(whole);
                ZipOutputStream zip = new ZipOutputStream(raw)) {
            zip.putNextEntry(new ZipEntry("results.jtl"));
            StringBuilder text = new StringBuilder("timeStamp,elapsed,label,responseCode,success,bytes,sentBytes\n");
            for (int i = 0; i < 900; i++) {
                text.append(row.formatted(i * 7919 % 1000));
            }
            zip.write(text.toString().getBytes(StandardCharsets.US_ASCII));
            zip.closeEntry();
        }
        byte[] bytes = Files.readAllBytes(whole);
        for (int length = 4; length < bytes.length; length += bytes.length / 10) {
            Path cut = Files.write(directory.resolve("cut.zip"), Arrays.copyOf(bytes, length));
            int code = run("summarize", cut);
            assertThat(code).as(length + " bytes: " + err).isIn(0, 2);
            assertThat(err.toString()).doesNotContain("Exception");
        }
    }
}
