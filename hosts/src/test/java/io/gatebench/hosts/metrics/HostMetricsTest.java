/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.hosts.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.gatebench.model.HostMetric;
import io.gatebench.model.MeasuredValue;
import io.gatebench.model.MeasurementWindow;

/** The expectations are worked out by hand from the numbers in the file. */
class HostMetricsTest {

    private static final Instant START = Instant.ofEpochSecond(1_700_000_010);
    private static final MeasurementWindow WINDOW = new MeasurementWindow(START, START.plusSeconds(15));

    @TempDir
    private Path directory;

    private static Path file() throws URISyntaxException {
        return Path.of(
                HostMetricsTest.class.getResource("two-processors.snapshots").toURI());
    }

    private static Map<String, MeasuredValue> window() throws IOException, URISyntaxException {
        return HostMetrics.read(file(), false).average(WINDOW, Duration.ZERO, OptionalLong.of(4711));
    }

    private static double value(Map<String, MeasuredValue> figures, String name) {
        assertThat(figures).containsKey(name);
        return figures.get(name).value().orElseThrow(() -> new AssertionError(name + ": " + figures.get(name)));
    }

    @Test
    void takesLevelsAsTheMeanOfTheWindowAlone() throws IOException, URISyntaxException {
        Map<String, MeasuredValue> figures = window();

        // 3 and 5 runnable tasks, of which the reader itself is one.
        assertThat(value(figures, "Run queue length")).isEqualTo(3);
        assertThat(value(figures, "Number of tasks")).isEqualTo(250);
        assertThat(value(figures, "System Load Average - Last 1 minute")).isEqualTo(2);
        assertThat(value(figures, "System Load Average - Last 15 minutes")).isEqualTo(0.5);
        assertThat(value(figures, "Blocked")).isEqualTo(1);
        assertThat(value(figures, "Unused directory cache entries")).isEqualTo(12345);
        assertThat(value(figures, "Number of file handles")).isEqualTo(1400);
        assertThat(value(figures, "Number of inode handlers")).isEqualTo(15000);
        assertThat(value(figures, "Number of pseudo-terminals")).isEqualTo(2);
    }

    @Test
    void sharesTheTimeOfTheProcessorsOut() throws IOException, URISyntaxException {
        Map<String, MeasuredValue> figures = window();

        // 1400 user, 200 + 40 + 60 system, 200 idle, 40 wait, 100 steal: 2040 ticks in all.
        assertThat(value(figures, "CPU - User (%)")).isCloseTo(68.627, within(0.001));
        assertThat(value(figures, "CPU - System (%)")).isCloseTo(14.706, within(0.001));
        assertThat(value(figures, "CPU - I/O Wait (%)")).isCloseTo(1.961, within(0.001));
        assertThat(value(figures, "CPU - Steal (%)")).isCloseTo(4.902, within(0.001));
        assertThat(value(figures, "CPU - Idle (%)")).isCloseTo(9.804, within(0.001));
    }

    @Test
    void knowsTheProcessorsThatAProcessWasGiven() throws IOException, URISyntaxException {
        Map<String, MeasuredValue> figures = HostMetrics.read(file(), false, List.of(List.of(0), List.of(1)))
                .average(WINDOW, Duration.ZERO, OptionalLong.of(4711), List.of(1), List.of(4711L));

        // 300 ticks of work, 250 idle and 50 of waiting for a disk, during which it was free.
        assertThat(value(figures, HostMetric.SET_IDLE.header())).isEqualTo(50);
        assertThat(value(figures, HostMetric.SET_SIZE.header())).isEqualTo(1);
        assertThat(value(figures, HostMetric.PROCESS_CPU_OF_SET.header()))
                .isEqualTo(value(figures, HostMetric.PROCESS_CPU.header()));
        assertThat(window()).doesNotContainKey(HostMetric.SET_IDLE.header());
    }

    @Test
    void countsMemoryAsSarDoes() throws IOException, URISyntaxException {
        Map<String, MeasuredValue> figures = window();

        assertThat(value(figures, "Memory - Used (kB)")).isEqualTo(4_000_000);
        assertThat(value(figures, "Memory - Used (%)")).isEqualTo(50);
        assertThat(value(figures, "Memory - Commit (%)")).isEqualTo(50);
        assertThat(value(figures, "Memory - Dirty (kB)")).isEqualTo(500);
    }

    @Test
    void countsWholePhysicalDisksOnly() throws IOException, URISyntaxException {
        Map<String, MeasuredValue> figures = window();

        // 20 reads of 400 sectors and 80 writes of 1600 sectors in 10 s.
        assertThat(value(figures, "Block Device - TPS (transfers/s)")).isEqualTo(10);
        assertThat(value(figures, "Block Device - Read TPS (kB/s)")).isEqualTo(20);
        assertThat(value(figures, "Block Device - Write TPS (kB/s)")).isEqualTo(80);
        assertThat(value(figures, "Block Device - Average Request Size (kB)")).isEqualTo(10);
        assertThat(value(figures, "Block Device - Average Queue Length")).isEqualTo(0.1);
        assertThat(value(figures, "Block Device - Average Time (ms)")).isEqualTo(2.5);
        assertThat(value(figures, "Block Device - Utilization (%)")).isEqualTo(25);
        assertThat(value(figures, "IO - Read TPS (requests/s")).isEqualTo(2);
        assertThat(value(figures, "IO - Data writes per seconds (blocks/s)")).isEqualTo(160);
    }

    @Test
    void countsTheNetworkCardOrTheLoopback() throws IOException, URISyntaxException {
        Map<String, MeasuredValue> figures = window();

        assertThat(value(figures, "Network - Received packets/s")).isEqualTo(1000);
        assertThat(value(figures, "Network - Received kB/s")).isEqualTo(1000);
        assertThat(value(figures, "Network - Transmitted kB/s")).isEqualTo(100);
        // 1 024 000 bytes/s on a card of 1 Gbit/s.
        assertThat(value(figures, "Network - Utilization (%)")).isCloseTo(0.8192, within(1e-9));
        assertThat(value(figures, "Network - Retransmitted TCP segments/s")).isEqualTo(1);

        Map<String, MeasuredValue> local =
                HostMetrics.read(file(), true).average(WINDOW, Duration.ZERO, OptionalLong.empty());
        assertThat(value(local, "Network - Received packets/s")).isZero();
        assertThat(local.get("Network - Utilization (%)"))
                .isEqualTo(MeasuredValue.absent("the network card does not tell its speed"));
    }

    @Test
    void seesWhoHeldTheProcessBack() throws IOException, URISyntaxException {
        Map<String, MeasuredValue> figures = window();

        // 25 of 100 periods of 100 ms in 10 s; 2.5 s were waited in them, of 15 s of the window 3.75 s.
        assertThat(value(figures, HostMetric.THROTTLED_PERIODS.header())).isEqualTo(25);
        assertThat(value(figures, HostMetric.THROTTLED_TIME.header())).isEqualTo(25);
        assertThat(value(figures, HostMetric.THROTTLED_MILLIS.header())).isEqualTo(3750);
        assertThat(value(figures, HostMetric.CPU_LIMIT.header())).isEqualTo(0.5);
        // 2 s of waiting in 10 s.
        assertThat(value(figures, "Pressure - CPU (% of time)")).isEqualTo(20);
        assertThat(figures.get("Pressure - IO (% of time)")).isInstanceOf(MeasuredValue.Absent.class);
    }

    @Test
    void countsTheProcessItself() throws IOException, URISyntaxException {
        Map<String, MeasuredValue> figures = window();

        // 800 + 200 ticks of 10 ms in 10 s.
        assertThat(value(figures, HostMetric.PROCESS_CPU.header())).isEqualTo(100);
        assertThat(value(figures, HostMetric.PROCESS_CPU_OF_HOST.header())).isEqualTo(50);
        assertThat(value(figures, HostMetric.PROCESS_RESIDENT.header())).isEqualTo(500_000);
        // What is counted in 10 s between two snapshots is scaled to the 15 s of the window.
        assertThat(value(figures, "Task clock")).isEqualTo(15_000);
        assertThat(value(figures, "Context switches")).isEqualTo(615);
        assertThat(value(figures, "CPU Migrations")).isEqualTo(15);
        assertThat(value(figures, "Page faults")).isEqualTo(757.5);
        assertThat(value(figures, HostMetric.PROCESSES.header())).isEqualTo(1);
        assertThat(figures.get(HostMetric.PROCESS_PROPORTIONAL.header()))
                .isEqualTo(MeasuredValue.absent("it is one process: its resident memory is all there is to say"));
    }

    @Test
    void takesTheControlGroupOfTheProcessThatIsAskedFor() throws IOException, URISyntaxException {
        Map<String, MeasuredValue> other =
                HostMetrics.read(file(), false).average(WINDOW, Duration.ZERO, OptionalLong.of(1));

        assertThat(other.get(HostMetric.THROTTLED_PERIODS.header()))
                .isEqualTo(MeasuredValue.absent("no CPU limit was set for the control group of the process"));
    }

    @Test
    void readsBothFormsOfControlGroupsAndTheLimitOfAGroupAbove() throws IOException {
        Path file = directory.resolve("groups");
        StringBuilder text = new StringBuilder("tick 100\n");
        for (int second = 0; second < 2; second++) {
            text.append("@ ").append(1_700_000_000 + 10 * second).append(".%N\n==> /proc/uptime <==\n");
            text.append(100 + 10 * second).append(" 1\n==> /proc/stat <==\ncpu 1 1 1 1 1\n");
            text.append("==> limits <==\n7 /c/own group\n7 /c\n");
            text.append("==> /c/own group/cpu.stat <==\nnr_periods 50\nnr_throttled 0\nthrottled_time 0\n");
            text.append("==> /c/own group/cpu.cfs_quota_us <==\n400000\n");
            text.append("==> /c/own group/cpu.cfs_period_us <==\n100000\n");
            text.append("==> /c/cpu.stat <==\nnr_periods ").append(80 * second);
            text.append("\nnr_throttled ").append(40 * second);
            text.append("\nthrottled_time ").append(second * 1_500_000_000L);
            text.append("\n==> /c/cpu.cfs_quota_us <==\n10000\n==> /c/cpu.cfs_period_us <==\n50000\n@end\n");
        }
        Files.writeString(file, text);

        Map<String, MeasuredValue> figures = HostMetrics.read(file, false).average(OptionalLong.of(7));

        assertThat(value(figures, HostMetric.CPU_LIMIT.header())).isEqualTo(0.2);
        assertThat(value(figures, HostMetric.THROTTLED_PERIODS.header())).isEqualTo(50);
        // 40 periods of 50 ms in 10 s.
        assertThat(value(figures, HostMetric.THROTTLED_TIME.header())).isEqualTo(20);
        assertThat(value(figures, HostMetric.THROTTLED_MILLIS.header())).isEqualTo(1500);
    }

    @Test
    void countsProgramsThatAreNoPartOfTheRun() throws IOException {
        HostMetrics metrics = HostMetrics.read(besideOthers(), false, List.of(List.of(1)));
        Map<String, MeasuredValue> figures = metrics.average(WINDOW, Duration.ZERO, OptionalLong.of(7));

        // 10 ticks of make, 70 of the compiler that it has waited for, 300 of the loop, in 10 s of two processors. What
        // the
        // first process of the host has waited for was a process of the run.
        assertThat(value(figures, HostMetric.OTHER_PROGRAMS.header())).isCloseTo(19, within(1e-9));
        assertThat(metrics.busiestOther(WINDOW, Duration.ZERO)).contains("busy_loop");
        assertThat(metrics.ofSameMachine(metrics)).isTrue();
    }

    @Test
    void givesOtherProgramsNoMoreOfTheProcessorsOfAProcessThanTheRunHasLeft() throws IOException {
        HostMetrics metrics = HostMetrics.read(besideOthers(), false, List.of(List.of(1)));

        // 600 ticks of work on that processor, 500 of the process, 80 of another one of the run.
        assertThat(ofSet(metrics, List.of(7L))).isCloseTo(10, within(1e-9));
        assertThat(ofSet(metrics, List.of(7L, 8L))).isCloseTo(2, within(1e-9));
        assertThat(ofSet(metrics, List.of())).isCloseTo(38, within(1e-9));
    }

    private static double ofSet(HostMetrics metrics, List<Long> sharers) {
        return value(
                metrics.average(WINDOW, Duration.ZERO, OptionalLong.of(7), List.of(1), sharers),
                HostMetric.OTHER_PROGRAMS.header());
    }

    /** Two readings, 10 s apart, and a snapshot between them without one. */
    private Path besideOthers() throws IOException {
        String between = besideOthers(5, 250, 40, 0, "");
        return Files.writeString(
                directory.resolve("others"),
                "tick 100\nboot b\n"
                        + besideOthers(
                                0,
                                0,
                                0,
                                0,
                                "==> others <==\n" + stat(1, "init", 0, 9, 100) + stat(50, "make", 1, 10, 40)
                                        + stat(51, "cc1", 50, 30, 0))
                        + between
                        + besideOthers(
                                10,
                                500,
                                80,
                                600,
                                "==> others <==\n" + stat(1, "init", 0, 9, 5000) + stat(50, "make", 1, 20, 140)
                                        + stat(52, "busy loop", 1, 300, 0)));
    }

    private static String besideOthers(int second, int ofGateway, int ofBackend, int busy, String others) {
        return "@ " + (START.getEpochSecond() + second) + ".5\n==> /proc/uptime <==\n" + (100 + second) + " 1\n"
                + "==> /proc/stat <==\ncpu 1 1 1 1 1\ncpu0 0 0 0 0 0\ncpu1 " + busy + " 0 0 0 0\n"
                + "==> /proc/7/stat <==\n" + stat(7, "gateway", 1, ofGateway, 0)
                + "==> /proc/8/stat <==\n" + stat(8, "backend", 1, ofBackend, 0) + others + "@end\n";
    }

    private static String stat(int pid, String name, int parent, int own, int reaped) {
        return pid + " (" + name + ") S " + parent + " 0 0 0 0 0 0 0 0 0 " + own + " 0 " + reaped + " 0 0 0 0 0 " + pid
                + "\n";
    }

    @Test
    void movesTheWindowByTheOffsetOfTheHostsClock() throws IOException, URISyntaxException {
        // This host's clock is 10 s ahead: what happened at 1700000000 by the other clock has the stamp 1700000010.
        MeasurementWindow earlier = new MeasurementWindow(START.minusSeconds(10), START.plusSeconds(5));
        Map<String, MeasuredValue> figures =
                HostMetrics.read(file(), false).average(earlier, Duration.ofSeconds(10), OptionalLong.empty());

        assertThat(value(figures, "Number of tasks")).isEqualTo(250);
        assertThat(value(figures, "Context switches per second")).isEqualTo(5000);
    }

    @Test
    void saysWhyAFigureIsMissing() throws IOException, URISyntaxException {
        HostMetrics metrics = HostMetrics.read(file(), false);
        MeasurementWindow none = new MeasurementWindow(START.plusSeconds(1), START.plusSeconds(2));
        MeasurementWindow one = new MeasurementWindow(START, START.plusSeconds(2));

        assertThat(metrics.average(none, Duration.ZERO, OptionalLong.empty()).values())
                .containsOnly(MeasuredValue.absent("no snapshot of the host's counters lies in the window"));
        assertThat(metrics.average(one, Duration.ZERO, OptionalLong.empty()).values())
                .containsOnly(MeasuredValue.absent("only one snapshot of the host's counters lies in the window"));
        assertThat(metrics.average(WINDOW, Duration.ZERO, OptionalLong.of(1)).get("Task clock"))
                .isEqualTo(MeasuredValue.absent("the process did not live through the window"));
        assertThat(metrics.notes(WINDOW, Duration.ZERO))
                .containsExactly("the host metrics have no snapshot for 10 s of the window");
    }

    @Test
    void leavesOutASnapshotThatWasCutShort() throws IOException, URISyntaxException {
        Path series = directory.resolve("metrics.csv");
        HostMetrics.read(file(), false).writeSeries(series, OptionalLong.empty());

        List<String> lines = Files.readAllLines(series);
        assertThat(lines).hasSize(4);
        assertThat(lines.get(0)).startsWith("epochMillis,Run queue length,Number of tasks,");
        assertThat(lines.get(2)).startsWith("1700000020500,3,250,2,");
    }

    @Test
    void readsAnythingWithoutFailing() throws IOException {
        Path odd = directory.resolve("odd");
        for (String text : List.of(
                "",
                "@end\n@ x\n@end\n@ 5\n==> /proc/stat <==\ncpu\n@end",
                "disk\nnet\ntick x\n@ 1\n==> /proc/loadavg <==\n1\n@end\n",
                "@ 1\n==> /proc/1/stat <==\n1 (x\n==> threads <==\nnonsense\n@end\n")) {
            Files.writeString(odd, text);
            assertThat(HostMetrics.read(odd, false)
                            .average(OptionalLong.empty())
                            .values())
                    .allMatch(MeasuredValue.Absent.class::isInstance);
        }
    }
}
