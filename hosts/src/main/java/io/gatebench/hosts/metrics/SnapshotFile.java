/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.hosts.metrics;

import java.io.BufferedReader;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Reads what {@code snapshots.sh} wrote.
 *
 * <p>A snapshot that is not complete, because the disk was full or the host died, is left out; so is any line that
 * cannot be read.
 */
final class SnapshotFile {

    /** Before the directory of a control group in a key of a snapshot. */
    static final String GROUP = "group.";

    private static final long LOOPBACK_HAS_NO_SPEED = -1;

    /** Before the numbers of a set of processors in a key of a snapshot. */
    static final String SET = "set.";

    private final boolean loopback;
    private final Collection<List<Integer>> sets;
    private final List<Snapshot> snapshots = new ArrayList<>();
    private final Set<String> physicalDisks = new HashSet<>();
    private final Set<String> otherDisks = new HashSet<>();
    private final Set<String> physicalCards = new HashSet<>();
    private final Set<String> otherCards = new HashSet<>();
    private final Map<String, Long> speeds = new HashMap<>();
    private double ticksPerSecond = 100;

    private @Nullable Instant time;
    private String section = "";
    private Map<String, Double> values = new HashMap<>();
    private Processes processes = new Processes();
    private final Map<Long, ProcessTree> trees = new HashMap<>();
    private final OtherPrograms otherPrograms = new OtherPrograms();
    private String boot = "";

    private SnapshotFile(boolean loopback, Collection<List<Integer>> sets) {
        this.loopback = loopback;
        this.sets = sets;
    }

    /**
     * Reads a file.
     *
     * @param loopback whether the traffic of the roles goes over the loopback interface, as it does on one machine
     * @param sets processors whose time is wanted together
     * @throws IOException if it cannot be read at all
     */
    static SnapshotFile read(Path file, boolean loopback, Collection<List<Integer>> sets) throws IOException {
        SnapshotFile result = new SnapshotFile(loopback, sets);
        try (BufferedReader reader = Files.newBufferedReader(file, StandardCharsets.ISO_8859_1)) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                result.line(line);
            }
        }
        return result;
    }

    List<Snapshot> snapshots() {
        return List.copyOf(snapshots);
    }

    double ticksPerSecond() {
        return ticksPerSecond;
    }

    /** Returns what tells the kernel of this host from those of other machines; empty if it does not say. */
    String boot() {
        return boot;
    }

    /** Returns the speed of the slowest counted network card in Mbit/s, or -1 if none says. */
    long networkMegabits() {
        return cards().stream()
                .mapToLong(card -> speeds.getOrDefault(card, LOOPBACK_HAS_NO_SPEED))
                .filter(speed -> speed > 0)
                .min()
                .orElse(LOOPBACK_HAS_NO_SPEED);
    }

    private Set<String> disks() {
        return physicalDisks.isEmpty() ? otherDisks : physicalDisks;
    }

    private Set<String> cards() {
        if (loopback) {
            return Set.of("lo");
        }
        return physicalCards.isEmpty() ? otherCards : physicalCards;
    }

    private void line(String line) {
        if (line.startsWith("@ ")) {
            time = instant(line.substring(2));
            values = new HashMap<>();
            processes = new Processes();
            section = "";
        } else if (line.equals("@end")) {
            Double uptime = values.get("uptime");
            if (time != null && uptime != null && values.containsKey("cpu.user")) {
                processes
                        .byRoot()
                        .forEach((root, members) ->
                                trees.computeIfAbsent(root, ProcessTree::new).add(members, values));
                if (!processes.others().isEmpty()) {
                    otherPrograms.add(processes.others(), values);
                }
                snapshots.add(new Snapshot(time, uptime, values));
            }
            time = null;
        } else if (line.startsWith("==> ") && line.endsWith(" <==")) {
            section = line.substring(4, line.length() - 4);
        } else if (!line.isBlank()) {
            String[] words = line.trim().split("\\s+");
            try {
                if (time == null) {
                    layout(words);
                } else {
                    value(words, line);
                }
            } catch (NumberFormatException | IndexOutOfBoundsException e) {
                // A line in a form that this kernel has and we do not know: its figures are absent, the others are not.
                return;
            }
        }
    }

    private static @Nullable Instant instant(String text) {
        try {
            // Not every date can say what part of a second it is: that of busybox leaves the letters as they are.
            BigDecimal seconds = new BigDecimal(text.trim().replace(".%N", ""));
            return Instant.ofEpochSecond(
                    seconds.longValue(),
                    seconds.remainder(BigDecimal.ONE).movePointRight(9).longValue());
        } catch (NumberFormatException e) {
            return null;
        }
    }

    private void layout(String[] words) {
        switch (words[0]) {
            case "tick" -> ticksPerSecond = Double.parseDouble(words[1]);
            case "boot" -> boot = words[1];
            case "disk" -> {
                if (words[2].equals("physical")) {
                    physicalDisks.add(words[1]);
                } else if (!words[1].matches("(loop|ram|zram|sr|fd|dm-|md).*")) {
                    otherDisks.add(words[1]);
                }
            }
            case "net" -> {
                if (words[2].equals("physical")) {
                    physicalCards.add(words[1]);
                } else if (!words[1].matches("lo|(ifb|veth|docker|br-|virbr|tun|tap).*")) {
                    otherCards.add(words[1]);
                }
                speeds.put(words[1], Long.parseLong(words[3]));
            }
            default -> {
                return;
            }
        }
    }

    private void value(String[] words, String line) {
        if (section.matches("/proc/\\d+/stat")) {
            processes.stat(line);
        } else if (section.matches("/proc/\\d+/status")) {
            processes.status(Long.parseLong(section.split("/")[2]), words);
        } else if (section.contains("/cpu.") || section.contains("/memory.")) {
            group(words);
        } else {
            switch (section) {
                case "/proc/uptime" -> put("uptime", words[0]);
                case "/proc/loadavg" -> loadAverage(words);
                case "/proc/stat" -> stat(words);
                case "/proc/meminfo" -> put("mem." + words[0].replace(":", ""), words[1]);
                case "/proc/diskstats" -> disk(words);
                case "/proc/net/dev" -> network(line);
                case "/proc/net/snmp" -> tcp(words);
                case "/proc/sys/fs/file-nr" -> used("file", words);
                case "/proc/sys/fs/inode-nr" -> used("inode", words);
                case "/proc/sys/fs/dentry-state" -> put("dentry.unused", words[1]);
                case "/proc/sys/kernel/pty/nr" -> put("pty", words[0]);
                case "/proc/pressure/cpu" -> pressure("cpu", words);
                case "/proc/pressure/io" -> pressure("io", words);
                case "/proc/pressure/memory" -> pressure("memory", words);
                case "trees" -> processes.member(Long.parseLong(words[0]), Long.parseLong(words[1]));
                case "limits" ->
                    values.put("pid." + words[0] + "." + GROUP + line.substring(line.indexOf(' ') + 1), 1.0);
                case "threads" -> processes.thread(line);
                case "shared" -> processes.proportional(line);
                case "others" -> processes.other(line);
                default -> {
                    return;
                }
            }
        }
    }

    private void put(String key, String number) {
        values.put(key, Double.parseDouble(number));
    }

    private void add(String key, String number) {
        values.merge(key, Double.parseDouble(number), Double::sum);
    }

    private void used(String what, String[] words) {
        values.put(what + ".used", Double.parseDouble(words[0]) - Double.parseDouble(words[1]));
    }

    private void loadAverage(String[] words) {
        put("load.1", words[0]);
        put("load.5", words[1]);
        put("load.15", words[2]);
        String[] tasks = words[3].split("/");
        // The reader of the file runs itself at that moment and is no load.
        values.put("tasks.running", Math.max(0, Double.parseDouble(tasks[0]) - 1));
        put("tasks.all", tasks[1]);
    }

    private void stat(String[] words) {
        if (words[0].equals("cpu")) {
            String[] names = {"user", "nice", "system", "idle", "iowait", "irq", "softirq", "steal"};
            for (int i = 0; i < names.length && i + 1 < words.length; i++) {
                put("cpu." + names[i], words[i + 1]);
            }
        } else if (words[0].startsWith("cpu")) {
            values.merge("cpus", 1.0, Double::sum);
            processor(Integer.parseInt(words[0].substring(3)), words);
        } else if (Set.of("ctxt", "processes", "procs_blocked").contains(words[0])) {
            put(words[0], words[1]);
        }
    }

    /** Waiting for input and output is idle time, as in the figures of the whole host it can be added to it. */
    private void processor(int number, String[] words) {
        for (List<Integer> set : sets) {
            if (set.contains(number)) {
                for (int i = 1; i < Math.min(9, words.length); i++) {
                    add(SET + set + (i == 4 || i == 5 ? ".idle" : ".busy"), words[i]);
                }
            }
        }
    }

    /** Columns as in the kernel's Documentation/admin-guide/iostats.rst; a sector has 512 bytes there, always. */
    private void disk(String[] words) {
        if (!disks().contains(words[2])) {
            return;
        }
        add("disk.reads", words[3]);
        add("disk.readSectors", words[5]);
        add("disk.readMillis", words[6]);
        add("disk.writes", words[7]);
        add("disk.writeSectors", words[9]);
        add("disk.writeMillis", words[10]);
        add("disk.queueMillis", words[13]);
        add("disk." + words[2] + ".busyMillis", words[12]);
        // Kernels before 4.18 do not count discards.
        add("disk.discards", words.length > 14 ? words[14] : "0");
        add("disk.discardSectors", words.length > 16 ? words[16] : "0");
        add("disk.discardMillis", words.length > 17 ? words[17] : "0");
    }

    private void network(String line) {
        int colon = line.indexOf(':');
        if (colon < 0 || !cards().contains(line.substring(0, colon).trim())) {
            return;
        }
        String[] words = line.substring(colon + 1).trim().split("\\s+");
        add("net.rxBytes", words[0]);
        add("net.rxPackets", words[1]);
        add("net.rxCompressed", words[6]);
        add("net.rxMulticast", words[7]);
        add("net.txBytes", words[8]);
        add("net.txPackets", words[9]);
        add("net.txCompressed", words[15]);
    }

    private void tcp(String[] words) {
        // Two lines begin with Tcp: names, then numbers; RetransSegs is the 12th.
        if (words[0].equals("Tcp:") && words.length > 12 && Character.isDigit(words[12].charAt(0))) {
            put("tcp.retransmitted", words[12]);
        }
    }

    private void pressure(String what, String[] words) {
        if (words[0].equals("some")) {
            put("pressure." + what, words[words.length - 1].replace("total=", ""));
        }
    }

    /**
     * Both forms of control groups are brought to {@code nr_periods}, {@code nr_throttled}, {@code throttledMillis},
     * {@code periodMicros} and {@code quotaMicros}, {@code memoryBytes} and {@code memoryLimitBytes}.
     */
    private void group(String[] words) {
        int name = section.lastIndexOf('/') + 1;
        String key = GROUP + section.substring(0, name - 1) + ".";
        switch (section.substring(name)) {
            case "cpu.stat" -> {
                switch (words[0]) {
                    case "nr_periods", "nr_throttled" -> put(key + words[0], words[1]);
                    case "throttled_time" -> values.put(key + "throttledMillis", Double.parseDouble(words[1]) / 1e6);
                    case "throttled_usec" -> values.put(key + "throttledMillis", Double.parseDouble(words[1]) / 1e3);
                    default -> {
                        return;
                    }
                }
            }
            case "cpu.max" -> {
                put(key + "periodMicros", words[1]);
                put(key + "quotaMicros", words[0]);
            }
            case "memory.current", "memory.usage_in_bytes" -> put(key + "memoryBytes", words[0]);
            case "memory.max", "memory.limit_in_bytes" -> put(key + "memoryLimitBytes", words[0]);
            case "cpu.cfs_period_us" -> put(key + "periodMicros", words[0]);
            case "cpu.cfs_quota_us" -> put(key + "quotaMicros", words[0]);
            default -> {
                return;
            }
        }
    }
}
