/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gc;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Content of a JDK 8 log that this module reads by itself: the JVM's facts, and a count of pauses that GCViewer must meet.
 *
 * <p>Not thread safe.
 */
final class Jdk8Scan implements LogFile.LineTaker {

    private static final long UNKNOWN = Collection.UNKNOWN;
    private static final long SECOND = 1_000_000_000L;
    private static final Pattern JRE = Pattern.compile("JRE \\(1\\.([5-8])\\.0_?(\\w*)");
    private static final Pattern FLAG = Pattern.compile("-XX:(?:([A-Z]\\w+)=(\\d+)|\\+Use(\\w+)GC\\b)");
    private static final Pattern STOPPED =
            Pattern.compile("Total time for which application threads were stopped: (\\d+[.,]\\d+) seconds"
                    + "(?:, Stopping threads took: (\\d+[.,]\\d+) seconds)?");

    private static final List<String> XML = List.of("<?xml", "<!DOCTYPE", "<verbosegc");

    /** A line that no JDK 8 wrote, and that must not be passed on. */
    static final class OddLineException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        OddLineException(String message) {
            super(message);
        }
    }

    /** Content of one JVM start of the log. */
    static final class Run {
        int firstLine;
        int pauses;
        int pausesNotEnded;
        long firstNanos = UNKNOWN;
        long lastNanos = UNKNOWN;
        long originEpochMillis = Decorations.NONE;
        boolean headerSeen;
        boolean rotated;
        String jdk = "";
        String collector = "";
        long initialHeap = UNKNOWN;
        long maximumHeap = UNKNOWN;
        boolean heapSeen;
        long latestNanos = UNKNOWN;
        final List<Counted> counted = new ArrayList<>();
        final List<long[]> stops = new ArrayList<>();

        /** Counts an event at the last time the log told. */
        void count(LogListener.Event event) {
            counted.add(new Counted(event, latestNanos));
        }
    }

    /**
     * Something that happened.
     *
     * @param event what
     * @param nanos when, on the log's clock
     */
    record Counted(LogListener.Event event, long nanos) {}

    private final List<Run> runs = new ArrayList<>();
    private int line;
    private boolean endedCut;

    Jdk8Scan() {
        runs.add(new Run());
    }

    List<Run> runs() {
        return runs;
    }

    /** Returns the JVM start that is inside the window longest, or the last one, from 1. */
    int runInside(GcLogOptions options) {
        int best = runs.size();
        long longest = 0;
        for (int i = 0; i < runs.size(); i++) {
            Run run = runs.get(i);
            JvmGcAccumulator figures = new JvmGcAccumulator(false);
            if (options.window().isPresent()
                    && run.lastNanos != UNKNOWN
                    && RunReader.place(figures, options, run.originEpochMillis, true)) {
                long inside = figures.inside(run.firstNanos, run.lastNanos);
                if (inside > longest) {
                    longest = inside;
                    best = i + 1;
                }
            }
        }
        return best;
    }

    int lines() {
        return line;
    }

    boolean endedCut() {
        return endedCut;
    }

    static boolean recognises(byte[] b, int start, int end) {
        if (Bytes.startsWith(b, start, end, "CommandLine flags: ") || header(b, start, end)) {
            return true;
        }
        return pauseAt(b, start, end) >= 0
                || Bytes.indexOf(b, start, end, "[CMS-concurrent-") >= 0
                || Bytes.indexOf(b, start, end, "[GC concurrent-") >= 0;
    }

    private static boolean header(byte[] b, int start, int end) {
        return Bytes.indexOf(b, start, Math.min(end, start + 80), "-Bit Server VM (") >= 0
                || Bytes.indexOf(b, start, Math.min(end, start + 80), "-Bit Client VM (") >= 0;
    }

    /** Returns where the first bracket of a pause is, or -1. */
    private static int pauseAt(byte[] b, int start, int end) {
        int bracket = Bytes.indexOf(b, start, end, '[');
        if (bracket < 0) {
            return -1;
        }
        boolean pause = Bytes.startsWith(b, bracket, end, "[GC")
                        && !Bytes.startsWith(b, bracket, end, "[GC concurrent-")
                        && !Bytes.startsWith(b, bracket, end, "[GC Worker")
                || Bytes.startsWith(b, bracket, end, "[Full GC")
                || Bytes.startsWith(b, bracket, end, "[ParNew");
        boolean stamped = bracket > start && b[bracket - 1] == ' ' && Bytes.digit(b[start]);
        return pause && (stamped || bracket == start) ? bracket : -1;
    }

    static long epochMillis(byte[] b, int start, int end) {
        return end - start > 28 && b[start + 4] == '-' && b[start + 10] == 'T'
                ? Bytes.isoMillis(b, start, start + 28)
                : Decorations.NONE;
    }

    static long uptimeNanos(byte[] b, int start, int end) {
        int p = start;
        if (end - start > 30 && b[start + 4] == '-' && b[start + 10] == 'T') {
            p = start + 30;
        }
        int q = Bytes.afterDigits(b, p, end);
        if (q == p || q >= end || b[q] != '.' && b[q] != ',') {
            return UNKNOWN;
        }
        q = Bytes.afterDigits(b, q + 1, end);
        return q < end && b[q] == ':' ? Bytes.decimal(b, p, q, 9) : UNKNOWN;
    }

    @Override
    public boolean take(byte[] b, int start, int end, boolean terminated) {
        endedCut = !terminated;
        xml(b, start, end).ifPresent(mark -> {
            throw new OddLineException(
                    "'" + mark + "' begins XML, as JVMs of IBM write their logs; give a log of HotSpot");
        });
        Run run = runs.get(runs.size() - 1);
        long time = uptimeNanos(b, start, end);
        boolean isHeader = header(b, start, end);
        if (run.lastNanos != UNKNOWN
                        && time != UNKNOWN
                        && time < run.lastNanos - SECOND
                        && time < run.firstNanos + 5 * SECOND
                || isHeader && run.heapSeen) {
            run = new Run();
            run.firstLine = line;
            runs.add(run);
        }
        if (isHeader) {
            run.headerSeen = true;
            Matcher jre = JRE.matcher(Bytes.text(b, start, end));
            if (jre.find()) {
                run.jdk = jre.group(1) + (jre.group(2).isEmpty() ? "" : "u" + jre.group(2));
            }
        } else if (Bytes.startsWith(b, start, end, "CommandLine flags: ")) {
            flags(run, Bytes.text(b, start, end));
        } else if (Bytes.equals(b, start, end, "Heap")) {
            run.heapSeen = true;
        } else if (Bytes.indexOf(b, start, end, " GC log file created ") >= 0) {
            run.rotated = true;
        }
        if (time != UNKNOWN) {
            run.firstNanos = run.firstNanos == UNKNOWN ? time : run.firstNanos;
            run.lastNanos = run.lastNanos == UNKNOWN ? time : Math.max(run.lastNanos, time);
            run.latestNanos = time;
            long epoch = epochMillis(b, start, end);
            if (run.originEpochMillis == Decorations.NONE && epoch != Decorations.NONE) {
                run.originEpochMillis = epoch - time / 1_000_000L;
            }
        }
        events(run, b, start, end, terminated, time);
        line++;
        return true;
    }

    private static void events(Run run, byte[] b, int start, int end, boolean terminated, long time) {
        int pause = pauseAt(b, start, end);
        if (pause >= 0) {
            if (terminated || Bytes.indexOf(b, pause, end, "secs]") > 0) {
                run.pauses++;
            } else {
                run.pausesNotEnded++;
            }
            if (Bytes.indexOf(b, pause, end, "(System.gc())") > 0
                    || Bytes.startsWith(b, pause, end, "[Full GC (System)")) {
                run.count(LogListener.Event.SYSTEM_GC);
            }
            if (Bytes.indexOf(b, pause, end, "G1 Humongous Allocation") > 0) {
                run.count(LogListener.Event.HUMONGOUS);
            }
        }
        if (Bytes.indexOf(b, start, end, "to-space exhausted") >= 0
                || Bytes.indexOf(b, start, end, "to-space overflow") >= 0
                || Bytes.indexOf(b, start, end, "(promotion failed)") >= 0
                || Bytes.indexOf(b, start, end, "--[") >= 0) {
            run.count(LogListener.Event.EVACUATION_FAILURE);
        }
        if (Bytes.indexOf(b, start, end, "(concurrent mode failure)") >= 0
                || Bytes.indexOf(b, start, end, "concurrent-mark-abort") >= 0) {
            run.count(LogListener.Event.CONCURRENT_FAILURE);
        }
        if (Bytes.indexOf(b, start, end, "application threads were stopped") >= 0) {
            Matcher stopped = STOPPED.matcher(Bytes.text(b, start, end));
            if (stopped.find()) {
                long total = nanos(stopped.group(1));
                long wait = stopped.group(2) == null ? 0 : nanos(stopped.group(2));
                run.stops.add(new long[] {time, wait, total});
            }
        }
    }

    private static long nanos(String seconds) {
        return Math.round(Double.parseDouble(seconds.replace(',', '.')) * 1e9);
    }

    private static void flags(Run run, String text) {
        Matcher flag = FLAG.matcher(text);
        while (flag.find()) {
            if (flag.group(3) != null) {
                run.collector = collector(run.collector, flag.group(3));
            } else if (flag.group(1).equals("MaxHeapSize")) {
                run.maximumHeap = bytes(flag.group());
            } else if (flag.group(1).equals("InitialHeapSize")) {
                run.initialHeap = bytes(flag.group());
            }
        }
    }

    private static long bytes(String flag) {
        String digits = flag.substring(flag.indexOf('=') + 1);
        try {
            return Long.parseLong(digits);
        } catch (NumberFormatException e) {
            throw new OddLineException("a heap has at most " + Long.MAX_VALUE + " bytes but " + flag
                    + " says more; no JVM wrote this line");
        }
    }

    /** Returns which mark of XML the line holds, if any. */
    static Optional<String> xml(byte[] b, int start, int end) {
        return Bytes.indexOf(b, start, end, '<') < 0
                ? Optional.empty()
                : XML.stream()
                        .filter(mark -> Bytes.indexOf(b, start, end, mark) >= 0)
                        .findFirst();
    }

    private static String collector(String known, String flag) {
        return switch (flag) {
            case "Serial" -> "Serial";
            case "Parallel", "ParallelOld" -> "Parallel";
            case "ConcMarkSweep" -> "CMS";
            case "G1" -> "G1";
            case "Shenandoah" -> "Shenandoah";
            case "Z" -> "ZGC";
            default -> known;
        };
    }
}
