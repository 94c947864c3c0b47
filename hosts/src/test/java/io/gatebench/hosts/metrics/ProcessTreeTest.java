/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.hosts.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;

import org.junit.jupiter.api.Test;

/** Each snapshot is given as "pid parent own-ticks ticks-of-children-waited-for"; process 1 is the root. */
class ProcessTreeTest {

    private final ProcessTree tree = new ProcessTree(1);

    private double ticks(String... processes) {
        return snapshot(processes).get("pid.1.cpuTicks");
    }

    private Map<String, Double> snapshot(String... processes) {
        Processes read = new Processes();
        for (String process : processes) {
            String[] words = process.split(" ");
            String start = words.length > 4 ? words[4] : words[0];
            read.member(Long.parseLong(words[0]), 1);
            read.stat(words[0] + " (a (b) c) S " + words[1] + " 1 1 0 -1 4 " + words[2] + " " + words[3] + " 0 0 "
                    + words[2] + " 0 " + words[3] + " 0 20 0 3 0 " + start + " 1 1");
            read.status(Long.parseLong(words[0]), new String[] {"VmRSS:", "100"});
            read.status(Long.parseLong(words[0]), new String[] {"Threads:", "3"});
        }
        Map<String, Double> values = new HashMap<>();
        tree.add(read.byRoot().get(1L), values);
        return values;
    }

    @Test
    void addsUpProcessesAndWhatTheirChildrenDid() {
        Map<String, Double> values = snapshot("1 0 10 5", "2 1 20 0", "3 2 40 0");

        assertThat(values)
                .containsEntry("pid.1.cpuTicks", 75.0)
                .containsEntry("pid.1.faults", 75.0)
                .containsEntry("pid.1.resident", 300.0)
                .containsEntry("pid.1.processes", 3.0)
                .containsEntry("pid.1.threads", 9.0);
    }

    @Test
    void countsAChildOnceThatItsParentWaitedFor() {
        assertThat(ticks("1 0 10 0", "2 1 20 0")).isEqualTo(30);
        // It did 5 more before its end.
        assertThat(ticks("1 0 10 25")).isEqualTo(35);
        assertThat(ticks("1 0 12 25")).isEqualTo(37);
    }

    @Test
    void countsChildrenThatCameAndWentBetweenTwoSnapshots() {
        assertThat(ticks("1 0 10 0")).isEqualTo(10);
        assertThat(ticks("1 0 10 400")).isEqualTo(410);
    }

    @Test
    void keepsWhatItSawOfAChildThatNobodyWaitedFor() {
        assertThat(ticks("1 0 10 0", "2 1 20 0", "3 1 7 0")).isEqualTo(37);
        assertThat(ticks("1 0 10 0", "3 1 7 0")).isEqualTo(37);
        assertThat(ticks("1 0 11 0", "3 1 7 0")).isEqualTo(38);
        // One that waits for another later must not be taken for it.
        assertThat(ticks("1 0 11 7")).isEqualTo(38);
        assertThat(ticks("1 0 11 7")).isEqualTo(38);
    }

    @Test
    void keepsWhatItSawOfAnOrphan() {
        assertThat(ticks("1 0 10 0", "2 1 20 0", "3 2 40 0")).isEqualTo(70);
        assertThat(ticks("1 0 10 20", "3 999 41 0")).isEqualTo(71);
        assertThat(ticks("1 0 10 20")).isEqualTo(71);
    }

    @Test
    void followsGrandchildrenToTheOneThatLives() {
        assertThat(ticks("1 0 10 0", "2 1 20 0", "3 2 40 0")).isEqualTo(70);
        assertThat(ticks("1 0 10 60")).isEqualTo(70);

        assertThat(ticks("1 0 10 60", "4 1 20 0", "5 4 40 0")).isEqualTo(130);
        // Process 4 had not waited for process 5.
        assertThat(ticks("1 0 10 80")).isEqualTo(130);
    }

    @Test
    void countsAChildOnceThatEndedWhileTheSnapshotWasTaken() {
        assertThat(ticks("1 0 10 0", "2 1 20 0")).isEqualTo(30);
        // The parent was read before, the child after its end.
        assertThat(ticks("1 0 10 0")).isEqualTo(30);
        assertThat(ticks("1 0 10 20")).isEqualTo(30);
        assertThat(ticks("1 0 15 20")).isEqualTo(35);
    }

    @Test
    void tellsALaterProcessOfTheSameNumberApart() {
        assertThat(ticks("1 0 10 0", "2 1 20 0 100")).isEqualTo(30);
        assertThat(ticks("1 0 10 20", "2 1 3 0 200")).isEqualTo(33);
    }

    @Test
    void livesOnWithoutItsRoot() {
        assertThat(ticks("1 0 10 0", "2 1 20 0")).isEqualTo(30);
        assertThat(ticks("2 999 25 0")).isEqualTo(35);
    }

    @Test
    void addsThreadsUpThoughTheyComeAndGo() {
        Map<String, Double> values = new HashMap<>();
        tree.add(threads("11 100", "12 50"), values);
        tree.add(threads("11 110", "13 5"), values);
        tree.add(threads("11 111", "13 2"), values);

        // 150, 10 and 5 more, 1 more and another thread 13 with 2.
        assertThat(values).containsEntry("pid.1.waitNanos", 168.0);
    }

    private static Map<Long, Processes.Reading> threads(String... threads) {
        Processes read = new Processes();
        read.stat("1 (x) S 0 1 1 0 -1 4 0 0 0 0 0 0 0 0 20 0 30 0 1 1 1");
        for (String thread : threads) {
            String[] words = thread.split(" ");
            read.thread("/proc/1/task/" + words[0] + "/schedstat:9 " + words[1] + " 3");
        }
        return read.byRoot().get(1L);
    }
}
