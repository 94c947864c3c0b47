/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gc.gcviewer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.logging.Logger;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

import com.tagtraum.perf.gcviewer.imp.DataReaderUnifiedJvmLogging;
import com.tagtraum.perf.gcviewer.model.GCModel;
import com.tagtraum.perf.gcviewer.model.GCResource;
import com.tagtraum.perf.gcviewer.model.GcResourceFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The published figures are GCViewer's of the whole log: what is kept from it must not change one of them. */
class WantedLinesTest {

    private static final Path LOGS = Path.of("src/test/resources");

    static Stream<Path> unifiedLogs() throws IOException {
        try (Stream<Path> files = Files.walk(LOGS)) {
            List<Path> logs = files.filter(file -> file.toString().matches(".*jdk(9|[1-9]\\d)-.*\\.log(\\.gz)?"))
                    .toList();
            assertThat(logs).hasSizeGreaterThan(20);
            return logs.stream();
        }
    }

    /** GCViewer's reader, whose constructor is protected. */
    private static final class Reader extends DataReaderUnifiedJvmLogging {
        Reader(GCResource resource, InputStream in) throws IOException {
            super(resource, in);
        }
    }

    private static byte[] bytes(Path log) throws IOException {
        try (InputStream in = Files.newInputStream(log)) {
            return (log.toString().endsWith(".gz") ? new GZIPInputStream(in) : in).readAllBytes();
        }
    }

    private static GCModel model(Path log, InputStream in) throws IOException {
        GcResourceFile resource = new GcResourceFile(log.toFile());
        Logger logger = resource.getLogger();
        logger.setUseParentHandlers(false);
        return new Reader(resource, in).read();
    }

    private static List<Object> figures(GCModel model) {
        return List.of(
                model.size(),
                model.getThroughput(),
                model.getRunningTime(),
                model.getPause().getSum(),
                model.getPause().getN(),
                model.getFullGCPause().getN(),
                model.getFootprint(),
                model.getFootprintAfterFullGC().getN(),
                model.getFootprintAfterFullGC().getSum(),
                model.getFootprintAfterFullGC().getN() > 1
                        ? model.getFootprintAfterFullGC().standardDeviation()
                        : 0);
    }

    @ParameterizedTest
    @MethodSource("unifiedLogs")
    void keepsEveryFigure(Path log) throws IOException {
        byte[] whole = bytes(log);
        List<Object> wanted = figures(model(log, new ByteArrayInputStream(whole)));

        WantedLines lines = new WantedLines(new ByteArrayInputStream(whole), Long.MAX_VALUE);

        assertThat(figures(model(log, lines))).isEqualTo(wanted);
        assertThat(lines.bytes()).isLessThanOrEqualTo(whole.length + 1L);
    }

    @Test
    void keepsBytesOfForeignCharactersAndLinesWithoutEnd() throws IOException {
        byte[] log = "foreign\r\n[1s][info][gc] \u00e4 \u20ac\r[1s][debug][gc] x\n[2s][info][gc] y"
                .getBytes(StandardCharsets.UTF_8);

        assertThat(new String(
                        new WantedLines(new ByteArrayInputStream(log), 1000).readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo("[1s][info][gc] \u00e4 \u20ac\n[2s][info][gc] y\n");
    }
}
