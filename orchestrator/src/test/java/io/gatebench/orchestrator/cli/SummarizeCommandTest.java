/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class SummarizeCommandTest {

    private static final String HEADER = "timeStamp,elapsed,label,success\n";

    @TempDir
    private Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int summarize(String text, String... options) throws IOException {
        return summarize(Files.writeString(directory.resolve("samples.jtl"), text), options);
    }

    private int summarize(Path file, String... options) {
        CommandLineProgram program = new CommandLineProgram();
        program.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        String[] arguments = new String[options.length + 2];
        arguments[0] = "summarize";
        arguments[1] = file.toString();
        System.arraycopy(options, 0, arguments, 2, options.length);
        return program.execute(arguments);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void whatCanBeReadOnceOnlyIsRefused() {
        assertThat(summarize(Path.of("/dev/zero"))).isEqualTo(ExitStatus.USAGE.code());
        assertThat(err.toString())
                .contains("/dev/zero is a pipe or a device, which cannot be read twice; write it to a file first");
    }

    @Test
    void aFileWithoutASampleIsAnErrorAndNoTable() throws IOException {
        assertThat(summarize("")).isEqualTo(ExitStatus.USAGE.code());
        assertThat(err.toString()).contains("there is nothing to summarize: samples.jtl is empty");

        assertThat(summarize(HEADER, "--format=json")).isEqualTo(ExitStatus.USAGE.code());
        assertThat(err.toString()).contains("there is nothing to summarize: samples.jtl holds no sample");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void aFileOfWhichNoSampleCountsIsSummarizedAndAnError() throws IOException {
        int code = summarize(HEADER + "1000,5,l,true\n1001,x,l,true\n", "--warm-up=1s");

        assertThat(code).isEqualTo(ExitStatus.USAGE.code());
        assertThat(out.toString()).contains("samples.jtl line 3: elapsed 'x' is no whole number of milliseconds");
        assertThat(err.toString())
                .contains("no sample is left to summarize: of 2 lines 1 are in the warm-up and 1 were skipped");
    }

    @Test
    void aFileWithASampleIsSummarized() throws IOException {
        assertThat(summarize(HEADER + "1000,5,l,true\n")).isZero();
        assertThat(out.toString()).contains("1 lines, 0 skipped");
        assertThat(err.toString()).isEmpty();
    }
}
