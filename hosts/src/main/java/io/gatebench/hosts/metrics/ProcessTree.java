/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.hosts.metrics;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import io.gatebench.hosts.metrics.Processes.Reading;

/**
 * The counters of a process and of all that it started, from snapshot to snapshot, as if they were one process.
 *
 * <p>What a process that has ended has counted is not lost: the kernel adds it to the process that waited for it. Where
 * nobody waited, as with a parent that ignores its children or has ended before them, what was last seen of it is kept.
 * The counters never go back.
 */
final class ProcessTree {

    private static final int COUNTERS = 2;

    private final String key;
    private Map<Long, Reading> before = Map.of();
    private final double[] unclaimed = new double[COUNTERS];
    private Map<Long, double[]> owed = Map.of();
    private final double[] highest = new double[COUNTERS];
    private double largestResident;
    private final Map<String, Map<Long, Double>> lastOfThreads = new HashMap<>();
    private final Map<String, Double> ofThreads = new HashMap<>();

    ProcessTree(long root) {
        key = "pid." + root + ".";
    }

    /**
     * Takes the next snapshot.
     *
     * @param now the processes of the tree
     * @param values where the figures of the whole tree are put
     */
    void add(Map<Long, Reading> now, Map<String, Double> values) {
        double[] all = new double[COUNTERS];
        now.values().forEach(reading -> plus(all, reading.all()));
        carryOver(now);
        plus(all, unclaimed);
        for (int i = 0; i < COUNTERS; i++) {
            highest[i] = Math.max(highest[i], all[i]);
        }
        values.put(key + "cpuTicks", highest[0]);
        values.put(key + "faults", highest[1]);
        now.values().stream().filter(Reading::alive).forEach(reading -> {
            values.merge(key + "processes", 1.0, Double::sum);
            values.merge(key + "threads", reading.threads(), Double::sum);
            add(values, reading, "resident");
        });
        proportional(now, values);
        largestResident = Math.max(largestResident, values.getOrDefault(key + "resident", 0.0));
        now.values()
                .forEach(reading -> largestResident =
                        Math.max(largestResident, reading.memory().getOrDefault("residentPeak", 0.0)));
        if (largestResident > 0) {
            values.put(key + "residentPeak", largestResident);
        }
        threads(now, values);
        before = now;
    }

    private void add(Map<String, Double> values, Reading reading, String what) {
        Double size = reading.memory().get(what);
        if (size != null) {
            values.merge(key + what, size, Double::sum);
        }
    }

    /** Is a sum of all processes or nothing: a sum of some would look like less memory. */
    private void proportional(Map<Long, Reading> now, Map<String, Double> values) {
        boolean complete = now.values().stream()
                .filter(reading -> reading.memory().containsKey("resident"))
                .allMatch(reading -> reading.memory().containsKey("proportional"));
        if (complete) {
            now.values().forEach(reading -> add(values, reading, "proportional"));
        }
    }

    private void carryOver(Map<Long, Reading> now) {
        Map<Long, double[]> expected = new HashMap<>();
        Set<Long> gone = new HashSet<>(before.keySet());
        gone.removeIf(pid -> lives(pid, now));
        for (long pid : gone) {
            Reading ended = before.get(pid);
            Long heir = heir(ended, gone, now);
            plus(heir == null ? unclaimed : expected.computeIfAbsent(heir, k -> new double[COUNTERS]), ended.all());
        }
        Map<Long, double[]> owing = new HashMap<>();
        for (Map.Entry<Long, Reading> entry : before.entrySet()) {
            long pid = entry.getKey();
            if (gone.contains(pid)) {
                continue;
            }
            double[] claims = expected.getOrDefault(pid, new double[COUNTERS]);
            double[] debts = owed.getOrDefault(pid, new double[COUNTERS]);
            double[] missing = new double[COUNTERS];
            for (int i = 0; i < COUNTERS; i++) {
                double surplus = now.get(pid).reaped()[i] - entry.getValue().reaped()[i] - claims[i];
                missing[i] = Math.max(0, -surplus);
                // A child that ended while the snapshot was taken is with its parent in the next one only.
                unclaimed[i] += missing[i] - Math.min(Math.max(0, surplus), debts[i]);
            }
            if (Arrays.stream(missing).sum() > 0) {
                owing.put(pid, missing);
            }
        }
        owed = owing;
    }

    private boolean lives(long pid, Map<Long, Reading> now) {
        Reading reading = now.get(pid);
        return reading != null && reading.start() == before.get(pid).start();
    }

    /** Returns the nearest ancestor that lives on, to which the counters of an ended process have come. */
    private @Nullable Long heir(Reading ended, Set<Long> gone, Map<Long, Reading> now) {
        long parent = ended.parent();
        while (gone.contains(parent)) {
            parent = before.get(parent).parent();
        }
        return before.containsKey(parent) && now.containsKey(parent) ? parent : null;
    }

    /** Threads that end take what they have counted since the last reading with them: too low, never too high. */
    private void threads(Map<Long, Reading> now, Map<String, Double> values) {
        Map<String, Map<Long, Double>> read = new HashMap<>();
        now.values()
                .forEach(reading -> reading.byThread()
                        .forEach((what, counters) ->
                                read.computeIfAbsent(what, k -> new HashMap<>()).putAll(counters)));
        read.forEach((what, counters) -> {
            Map<Long, Double> last = lastOfThreads.getOrDefault(what, Map.of());
            double change = 0;
            for (Map.Entry<Long, Double> counter : counters.entrySet()) {
                double earlier = last.getOrDefault(counter.getKey(), 0.0);
                // A counter that is smaller than before is that of another thread of the same number.
                change += counter.getValue() < earlier ? counter.getValue() : counter.getValue() - earlier;
            }
            lastOfThreads.put(what, counters);
            values.put(key + what, ofThreads.merge(what, change, Double::sum));
        });
    }

    private static void plus(double[] sum, double[] values) {
        for (int i = 0; i < COUNTERS; i++) {
            sum[i] += values[i];
        }
    }
}
