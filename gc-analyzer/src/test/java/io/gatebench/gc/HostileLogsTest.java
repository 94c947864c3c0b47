/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.zip.GZIPOutputStream;

import com.sun.management.ThreadMXBean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.gatebench.model.GcSummary;
import io.gatebench.model.MeasuredValue;

/** Logs that were written to do harm: nothing is fetched, nothing fills the memory, and the reason is said. */
class HostileLogsTest {

    private static final String HEAD = """
            Java HotSpot(TM) 64-Bit Server VM (25.191-b12) for linux-amd64 JRE (1.8.0_191-b12)
            CommandLine flags: -XX:InitialHeapSize=%s -XX:MaxHeapSize=134217728 -XX:+UseParallelGC
            """;
    private static final String PAUSE = "[GC (Allocation Failure) [PSYoungGen: 1024K->512K(2048K)] 1024K->512K(8192K), "
            + "0.0010000 secs] [Times: user=0.00 sys=0.00, real=0.00 secs]\n";

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"j9-r28-doctype.xml", "j9-5-doctype.xml"})
    void refusesTheXmlOfJ9AndFetchesNothing(String name) throws IOException {
        try (ServerSocket listener = new ServerSocket(0, 8, InetAddress.getLoopbackAddress())) {
            byte[] text = text(name, listener.getLocalPort());
            Path plain = Files.write(directory.resolve("gc.log"), text);
            Path packed = directory.resolve("packed.log.gz");
            try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(packed))) {
                out.write(text);
            }
            Path wide = Files.writeString(
                    directory.resolve("wide.log"),
                    "\uFEFF" + new String(text, StandardCharsets.US_ASCII),
                    StandardCharsets.UTF_16LE);
            for (Path log : List.of(plain, packed, wide)) {
                assertThatThrownBy(() -> GcLogAnalyzer.analyze(log))
                        .isInstanceOf(GcLogException.class)
                        .hasMessage("'" + log + "' holds '<?xml': it is XML, as JVMs of IBM write their logs, which is"
                                + " not read; give a log of HotSpot");
                assertThatThrownBy(() -> GcLogAnalyzer.events(log)).isInstanceOf(GcLogException.class);
            }
            assertNobodyCame(listener);
        }
    }

    /** The head is that of JDK 8, so that only the place of the mark differs. */
    @ParameterizedTest
    @ValueSource(strings = {"<?xml version='1.0'?>", "<!DOCTYPE verbosegc>", "<verbosegc version=\"R28_Java8\">"})
    void refusesXmlInTheMiddleOfALogOfJdk8(String mark) throws IOException {
        Path log = Files.writeString(
                directory.resolve("gc.log"),
                HEAD.formatted("8388608") + "0.100: " + PAUSE + mark + "\n0.200: " + PAUSE);

        assertThatThrownBy(() -> GcLogAnalyzer.analyze(log))
                .isInstanceOf(GcLogException.class)
                .hasMessageContaining("'" + log + "', line 4: '" + mark.split("[ >]")[0] + "' begins XML");
    }

    @Test
    void keepsTheFiguresOfAUnifiedLogThatOtherOutputWasMixedInto() throws IOException {
        Path log = Files.writeString(directory.resolve("gc.log"), """
                <?xml version="1.0"?>
                [0.100s][info][gc] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 24M->4M(256M) 2.000ms
                <!DOCTYPE verbosegc [<!ENTITY % dtd SYSTEM "http://127.0.0.1:1/x.dtd"> %dtd;]>
                [0.900s][info][gc] GC(1) Pause Young (Normal) (G1 Evacuation Pause) 24M->4M(256M) 3.000ms
                """);

        GcSummary summary =
                GcLogAnalyzer.analyze(List.of(log), GcLogOptions.defaults().withCompat());

        assertThat(summary.exact().pauseCount().value()).hasValue(2);
        assertThat(reason(summary.compat().pauseCount()))
                .isEqualTo(
                        "GCViewer cannot read this log: line 1 holds '<?xml': XML, as JVMs of IBM write it, is not read");
    }

    @Test
    void namesAHeapThatNoJvmHas() throws IOException {
        String size = "9".repeat(40);
        Path log = Files.writeString(directory.resolve("gc.log"), HEAD.formatted(size) + "0.100: " + PAUSE);

        assertThatThrownBy(() -> GcLogAnalyzer.analyze(log))
                .isInstanceOf(GcLogException.class)
                .hasMessage("'" + log + "', line 2: a heap has at most 9223372036854775807 bytes but"
                        + " -XX:InitialHeapSize=" + size + " says more; no JVM wrote this line");
    }

    /** Longer than the heap of the tests, were it kept. */
    @Test
    void doesNotHandALineWithoutEndToGcViewer() throws IOException {
        Path log = directory.resolve("gc.log.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(log))) {
            out.write((HEAD.formatted("8388608") + "0.100: " + PAUSE + "0.200: " + PAUSE)
                    .getBytes(StandardCharsets.US_ASCII));
            byte[] block = "0.300: [GC ".repeat(1 << 12).getBytes(StandardCharsets.US_ASCII);
            for (int i = 0; i < 64; i++) {
                out.write(block);
            }
            out.write(("\n0.400: " + PAUSE).getBytes(StandardCharsets.US_ASCII));
        }

        GcSummary summary = GcLogAnalyzer.analyze(log);

        assertThat(reason(summary.exact().pauseCount()))
                .isEqualTo(
                        "GCViewer cannot read this JDK 8 log: line 5 is longer than 131072 bytes, which no line of a GC"
                                + " log is");
    }

    private static String reason(MeasuredValue figure) {
        return figure.fold(Double::toString, reason -> reason);
    }

    private static byte[] text(String name, int port) throws IOException {
        try (var in = HostileLogsTest.class.getResourceAsStream("/hostile/" + name)) {
            return new String(in.readAllBytes(), StandardCharsets.US_ASCII)
                    .replace("PORT", Integer.toString(port))
                    .getBytes(StandardCharsets.US_ASCII);
        }
    }

    /** Whoever had connected would wait in the listener's queue. */
    private static void assertNobodyCame(ServerSocket listener) throws IOException {
        listener.setSoTimeout(1);
        assertThatThrownBy(listener::accept).isInstanceOf(SocketTimeoutException.class);
    }

    /**
     * Four times the collections that never end take four times the work; measured in bytes, which depend on no machine. The
     * lines are those of G1, of ZGC and of JDK 8.
     */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "[%2$.3fs][info][gc,start] GC(%1$d) Pause Young (Normal) (G1 Evacuation Pause)\n",
                "[%2$.3fs][info][gc,start] GC(%1$d) Garbage Collection (Warmup)\n"
                        + "[%2$.3fs][info][gc,phases] GC(%1$d) Y: Pause Mark Start\n",
                "%2$.3f: [GC (Allocation Failure) [PSYoungGen: 1024K->512K(2048K)] \n"
            })
    void collectionsThatNeverEndTakeTimeByTheirNumber(String line) throws IOException {
        Path few = unfinished(line, 2_000);
        Path many = unfinished(line, 8_000);
        allocated(few);

        assertThat((double) allocated(many) / allocated(few)).isLessThan(5);
    }

    private Path unfinished(String line, int count) throws IOException {
        StringBuilder text =
                new StringBuilder(line.startsWith("[") ? "[0.001s][info][gc] Using G1\n" : HEAD.formatted("8388608"));
        for (int i = 0; i < count; i++) {
            text.append(String.format(Locale.ROOT, line, i, 0.01 + i / 1000.0));
        }
        return Files.writeString(directory.resolve(count + ".log"), text);
    }

    private static long allocated(Path log) {
        ThreadMXBean thread = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = thread.getCurrentThreadAllocatedBytes();
        GcLogAnalyzer.analyze(log);
        return thread.getCurrentThreadAllocatedBytes() - before;
    }
}
