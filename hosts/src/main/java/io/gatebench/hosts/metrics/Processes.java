/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.hosts.metrics;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/** The watched processes of one snapshot, as the kernel's files tell of them. Filled line by line. */
final class Processes {

    private static final char ENDED = 'Z';
    private static final long INIT = 1;

    private final Map<Long, Long> roots = new HashMap<>();
    private final Map<Long, Reading> readings = new LinkedHashMap<>();
    private final Map<Long, Reading> others = new LinkedHashMap<>();

    /** Figures of one process. */
    static final class Reading {
        private final long pid;
        private String name = "";
        private char state = ' ';
        private long parent;
        private long start;
        private double ownTicks;
        private double ownFaults;
        private double reapedTicks;
        private double reapedFaults;
        private boolean counted;
        private final Map<String, Double> memory = new HashMap<>();
        private double threads;
        private final Map<String, Map<Long, Double>> byThread = new TreeMap<>();

        Reading(long pid) {
            this.pid = pid;
        }

        long pid() {
            return pid;
        }

        /** Returns the name of its command, in letters that mean nothing in any form of a report. */
        String name() {
            return name;
        }

        long parent() {
            return parent;
        }

        /** Returns when it was started, which tells it from a later process of the same number. */
        long start() {
            return start;
        }

        /** Returns CPU time in ticks and page faults, with those of the children that it has waited for. */
        double[] all() {
            return new double[] {ownTicks + reapedTicks, ownFaults + reapedFaults};
        }

        /** Returns those of the children that it has waited for. */
        double[] reaped() {
            return new double[] {reapedTicks, reapedFaults};
        }

        /** Returns whether its counters were read: it may have ended before. */
        boolean counted() {
            return counted;
        }

        /** Returns whether it has not ended. */
        boolean alive() {
            return state != ENDED;
        }

        /** Returns sizes in kB by name: {@code resident}, {@code residentPeak}, {@code proportional}. */
        Map<String, Double> memory() {
            return memory;
        }

        double threads() {
            return threads;
        }

        /** Returns counters by name and thread. */
        Map<String, Map<Long, Double>> byThread() {
            return byThread;
        }
    }

    private Reading reading(long pid) {
        return readings.computeIfAbsent(pid, Reading::new);
    }

    /** Says whose tree a process belongs to; without this it is its own. */
    void member(long pid, long root) {
        roots.put(pid, root);
        reading(pid);
    }

    /** Takes a line of {@code /proc/PID/stat}. */
    void stat(String line) {
        stat(line, reading(pid(line)));
    }

    /** Takes such a line of a process that is no part of the run. */
    void other(String line) {
        Reading reading = others.computeIfAbsent(pid(line), Reading::new);
        stat(line, reading);
        if (reading.pid == INIT) {
            // It waits for whoever lost its parent, processes of the run among them, and gets the time of their whole
            // lives.
            reading.reapedTicks = 0;
        }
    }

    private static long pid(String line) {
        return Long.parseLong(line.substring(0, line.indexOf(' ')));
    }

    private static void stat(String line, Reading reading) {
        // The name of the command may hold blanks and brackets: what follows its last bracket has fixed places.
        int end = line.lastIndexOf(')');
        String[] words = line.substring(end + 2).split(" ");
        reading.name = line.substring(line.indexOf('(') + 1, end).replaceAll("[^A-Za-z0-9._:/+@-]", "_");
        reading.state = words[0].charAt(0);
        reading.parent = Long.parseLong(words[1]);
        reading.ownFaults = number(words[7]) + number(words[9]);
        reading.reapedFaults = number(words[8]) + number(words[10]);
        reading.ownTicks = number(words[11]) + number(words[12]);
        reading.reapedTicks = number(words[13]) + number(words[14]);
        reading.start = Long.parseLong(words[19]);
        reading.counted = true;
    }

    /** Takes a line of {@code /proc/PID/status}. */
    void status(long pid, String[] words) {
        Reading reading = reading(pid);
        switch (words[0]) {
            case "VmRSS:" -> reading.memory.put("resident", number(words[1]));
            case "VmHWM:" -> reading.memory.put("residentPeak", number(words[1]));
            case "Threads:" -> reading.threads = number(words[1]);
            default -> {
                return;
            }
        }
    }

    /** Takes a line of a thread's file, which has the name of the file before it. */
    void thread(String line) {
        int end = line.indexOf(':');
        String[] path = line.substring(0, end).split("/");
        long thread = Long.parseLong(path[4]);
        Reading reading = reading(Long.parseLong(path[2]));
        if (path[5].equals("schedstat")) {
            count(reading, "waitNanos", thread, number(line.substring(end + 1).split(" ")[1]));
            return;
        }
        double number = number(line.substring(line.lastIndexOf(':') + 1).trim());
        if (line.contains("ctxt_switches")) {
            count(reading, "switches", thread, number);
        } else if (line.contains("nr_migrations")) {
            count(reading, "migrations", thread, number);
        }
    }

    private static void count(Reading reading, String what, long thread, double number) {
        reading.byThread.computeIfAbsent(what, key -> new HashMap<>()).merge(thread, number, Double::sum);
    }

    /** Takes a line of {@code smaps_rollup}, which has the name of the file before it. */
    void proportional(String line) {
        String[] words = line.split("\\s+");
        reading(Long.parseLong(line.split("/")[2])).memory.put("proportional", number(words[1]));
    }

    private static double number(String text) {
        return Double.parseDouble(text);
    }

    /** Returns the processes that are no part of the run; empty where they were not read. */
    Map<Long, Reading> others() {
        return others;
    }

    /** Returns the processes whose counters were read, by the root of their tree. */
    Map<Long, Map<Long, Reading>> byRoot() {
        Map<Long, Map<Long, Reading>> trees = new TreeMap<>();
        readings.forEach((pid, reading) -> {
            if (reading.counted()) {
                trees.computeIfAbsent(roots.getOrDefault(pid, pid), key -> new TreeMap<>())
                        .put(pid, reading);
            }
        });
        return trees;
    }
}
