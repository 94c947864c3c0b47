/* SPDX-License-Identifier: Apache-2.0 */
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;

import com.sun.management.HotSpotDiagnosticMXBean;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/**
 * A small allocating program whose GC log has a truth beside it: a flight recording of the same process and the memory
 * beans, neither of which reads the log. Runs on Java 11 and later; start it with {@code -XX:StartFlightRecording} so that
 * the first collections are recorded too, with the settings of {@code record.jfc}. Pauses outside the recording, the
 * collector's name and what the log rounds are added to the properties by hand when a log becomes a fixture.
 */
public final class MakeLog {
    private static final long MARGIN_MILLIS = 60;
    private static volatile Object sink;

    private MakeLog() {}

    /**
     * Arguments to allocate: seconds, live MiB, full collections asked for, MiB of the largest object, recording,
     * properties file. Arguments to read the recording afterwards, in a JVM of its own: recording, properties file.
     */
    public static void main(String[] arguments) throws Exception {
        if (arguments.length == 2) {
            Path properties = Paths.get(arguments[1]);
            String beans = new String(Files.readAllBytes(properties), StandardCharsets.UTF_8);
            Files.write(properties, (beans + truth(Paths.get(arguments[0]), beans)).getBytes(StandardCharsets.UTF_8));
            return;
        }
        double seconds = Double.parseDouble(arguments[0]);
        allocate(seconds, Integer.parseInt(arguments[1]), Integer.parseInt(arguments[2]), Double.parseDouble(arguments[3]));
        Recording recording = FlightRecorder.getFlightRecorder().getRecordings().get(0);
        recording.stop();
        recording.dump(Paths.get(arguments[4]));
        Files.write(Paths.get(arguments[5]), beans().getBytes(StandardCharsets.UTF_8));
    }

    private static String beans() {
        StringBuilder out = new StringBuilder();
        out.append("# Truth by a flight recording and the memory beans of the same process; independent of the log.\n");
        HotSpotDiagnosticMXBean vm = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        put(out, "jdk", System.getProperty("java.version").split("\\.")[0]);
        put(out, "startEpochMillis", ManagementFactory.getRuntimeMXBean().getStartTime());
        put(out, "uptimeSeconds", ManagementFactory.getRuntimeMXBean().getUptime() / 1000.0);
        put(out, "heapMaximumBytes", vm.getVMOption("MaxHeapSize").getValue());
        for (GarbageCollectorMXBean bean : ManagementFactory.getGarbageCollectorMXBeans()) {
            put(out, "bean." + bean.getName().replace(' ', '-'), bean.getCollectionCount() + "," + bean.getCollectionTime());
        }
        return out.toString();
    }

    private static double number(String beans, String key) {
        for (String line : beans.split("\n")) {
            if (line.startsWith(key + "=")) {
                return Double.parseDouble(line.substring(key.length() + 1));
            }
        }
        throw new IllegalArgumentException("no " + key);
    }

    private static void allocate(double seconds, int liveMebibytes, int fulls, double largest)
            throws InterruptedException {
        Random random = new Random(1);
        byte[][] live = new byte[liveMebibytes * 64][];
        long start = System.nanoTime();
        long length = (long) (seconds * 1e9);
        int asked = 0;
        while (System.nanoTime() - start < length) {
            for (int i = 0; i < 400; i++) {
                byte[] fresh = new byte[random.nextInt(32 << 10)];
                sink = fresh;
                if (i % 8 == 0) {
                    live[random.nextInt(live.length)] = fresh;
                }
            }
            if (largest > 0 && random.nextInt(40) == 0) {
                sink = new byte[(int) (largest * (1 << 20))];
            }
            Thread.sleep(10);
            if (asked < fulls && System.nanoTime() - start > (asked + 1) * length / (fulls + 1)) {
                System.gc();
                asked++;
            }
        }
        sink = live;
    }

    private static String truth(Path recorded, String beans) throws IOException {
        List<RecordedEvent> events = RecordingFile.readAllEvents(recorded);
        long started = (long) number(beans, "startEpochMillis");
        double uptime = number(beans, "uptimeSeconds");
        List<RecordedEvent> pauses = new ArrayList<>();
        Map<Integer, RecordedEvent> collections = new TreeMap<>();
        Map<Integer, Long> heapAfter = new TreeMap<>();
        for (RecordedEvent event : events) {
            switch (event.getEventType().getName()) {
                case "jdk.GCPhasePause":
                    pauses.add(event);
                    break;
                case "jdk.GarbageCollection":
                    collections.put(event.getInt("gcId"), event);
                    break;
                default:
                    if (event.getString("when").startsWith("After")) {
                        heapAfter.put(event.getInt("gcId"), event.getLong("heapUsed"));
                    }
            }
        }
        Collections.sort(pauses, (a, b) -> a.getStartTime().compareTo(b.getStartTime()));
        List<Integer> full = collections.entrySet().stream()
                .filter(gc -> full(gc.getValue()))
                .map(Map.Entry::getKey)
                .collect(Collectors.toList());
        List<Long> lengths = pauses.stream().map(p -> p.getDuration().toNanos()).sorted().collect(Collectors.toList());
        double total = lengths.stream().mapToLong(Long::longValue).sum() / 1e9;
        long from = quiet(pauses, started, uptime * 0.5);
        long to = quiet(pauses, started, uptime * 0.8);
        List<RecordedEvent> inside = pauses.stream()
                .filter(p -> p.getStartTime().toEpochMilli() >= from && p.getStartTime().toEpochMilli() < to)
                .collect(Collectors.toList());
        double insideTotal = inside.stream().mapToLong(p -> p.getDuration().toNanos()).sum() / 1e9;
        StringBuilder out = new StringBuilder();
        put(out, "firstCollection", collections.keySet().stream().findFirst().orElse(-1));
        put(out, "pauseTotalSeconds", total);
        put(out, "pauseCount", lengths.size());
        put(out, "pauseLongestSeconds", lengths.get(lengths.size() - 1) / 1e9);
        put(out, "pauseP50Seconds", rank(lengths, 50));
        put(out, "pauseP95Seconds", rank(lengths, 95));
        put(out, "pauseP99Seconds", rank(lengths, 99));
        put(out, "gcThroughputPercent", 100 * (1 - total / uptime));
        put(out, "fullGcCount", full.size());
        put(out, "afterFullGcBytes", full.stream().map(id -> "" + heapAfter.get(id)).collect(Collectors.joining(",")));
        put(out, "windowFromEpochMillis", from);
        put(out, "windowToEpochMillis", to);
        put(out, "windowPauseTotalSeconds", insideTotal);
        put(out, "windowPauseCount", inside.size());
        put(out, "windowGcThroughputPercent", 100 * (1 - insideTotal * 1000 / (to - from)));
        return out.toString();
    }

    private static boolean full(RecordedEvent gc) {
        String name = gc.getString("name");
        boolean concurrent = name.startsWith("Z") || name.startsWith("Shenandoah");
        return concurrent
                ? gc.getString("cause").equals("System.gc()") && !name.contains("Minor")
                : name.equals("SerialOld") || name.equals("ParallelOld") || name.equals("G1Full");
    }

    private static double rank(List<Long> sorted, double percent) {
        return sorted.get((int) Math.max(0, Math.ceil(sorted.size() * percent / 100) - 1)) / 1e9;
    }

    /** Returns a time near the wanted one that no pause comes close to. */
    private static long quiet(List<RecordedEvent> pauses, long started, double wantedSeconds) {
        long time = started + (long) (wantedSeconds * 1000);
        for (int step = 0; step < 4000; step++) {
            long candidate = time + (step % 2 == 0 ? step : -step) / 2;
            boolean near = pauses.stream().anyMatch(p ->
                    p.getStartTime().toEpochMilli() - MARGIN_MILLIS < candidate
                            && p.getEndTime().toEpochMilli() + MARGIN_MILLIS > candidate);
            if (!near) {
                return candidate;
            }
        }
        throw new IllegalStateException(String.format(Locale.ROOT, "no quiet time near %.1f s", wantedSeconds));
    }

    private static void put(StringBuilder out, String key, Object value) {
        out.append(key).append('=').append(value).append('\n');
    }
}
