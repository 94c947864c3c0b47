/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;

import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.gatebench.model.GcSummary;

/**
 * The fixtures that GCToolkit can read, read by it too: another reader of the same lines must find the same pauses. It adds
 * the pauses of JDK 25's G1 up to a negative time, and has none of Shenandoah and generational ZGC.
 */
class ToolkitCrossCheckTest {

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdk11-parallel-utctime",
                "jdk17-g1-utctime",
                "jdk17-parallel",
                "jdk17-serial",
                "jdk25-parallel",
                "jdk25-serial"
            })
    void agreesWithGcToolkitOnThePauses(String name) throws IOException {
        Path log = directory.resolve("gc.log");
        try (InputStream in = new GZIPInputStream(Files.newInputStream(Truth.log(name)))) {
            Files.copy(in, log);
        }

        ToolkitPauses theirs = ToolkitPauses.of(log);
        GcSummary ours = GcLogAnalyzer.analyze(log);

        assertThat(ours.exact().pauseCount().value().orElseThrow()).isEqualTo(theirs.count());
        assertThat(ours.exact().pauseTotalSeconds().value().orElseThrow()).isCloseTo(theirs.seconds(), within(1e-6));
    }
}
