/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.gatebench.model.GcSummary;

class GcLoggingIT {

    @TempDir
    private Path directory;

    @Test
    void givesEachGenerationOfJvmsItsOwnFlags() {
        assertThat(GcLogging.flagsFor(8, Path.of("gc.log")))
                .contains("-XX:+PrintGCDetails", "-XX:+PrintGCDateStamps", "-Xloggc:gc.log");
        assertThat(GcLogging.flagsFor(17, Path.of("gc.log")))
                .containsExactly("-Xlog:gc*,safepoint,gc+heap=trace:file=gc.log:uptime,utctime,level,tags:filecount=0");
        assertThatThrownBy(() -> GcLogging.flagsFor(7, Path.of("gc.log")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Java 8 and later");
    }

    @Test
    void letsARealJvmStartAndWriteALogThatIsUnderstood() throws IOException, InterruptedException {
        Path log = directory.resolve("gc with space.log");
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(GcLogging.flagsFor(Runtime.version().feature(), log));
        command.add("-version");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("out").toFile())
                .start();

        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
        GcSummary summary = GcLogAnalyzer.analyze(log);
        assertThat(summary.collector()).isPresent();
        assertThat(summary.heap().maximumBytes().value()).isPresent();
    }
}
