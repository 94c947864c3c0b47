/* SPDX-License-Identifier: Apache-2.0 */

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

import org.HdrHistogram.Histogram;

import io.gatebench.jtl.JtlStatistics;
import io.gatebench.jtl.JtlSummary;

/** Writes a JTL file, summarizes it as the predecessor does, and takes the heap that the summary of this suite needs. */
final class JtlBench {

    private JtlBench() {}

    public static void main(String[] arguments) throws Exception {
        Path file = Path.of(arguments[1]);
        switch (arguments[0]) {
            case "generate" -> generate(file, Long.parseLong(arguments[2]));
            case "predecessor" -> predecessor(file, Path.of(arguments[2]));
            case "memory" -> memory(file);
            default -> throw new IllegalArgumentException(arguments[0]);
        }
    }

    private static void generate(Path file, long lines) throws Exception {
        Random random = new Random(1);
        String[] labels = {"passthrough", "transformation", "GraphQL query", "CBR Proxy"};
        try (BufferedWriter out = Files.newBufferedWriter(file, StandardCharsets.US_ASCII)) {
            out.write("timeStamp,elapsed,label,responseCode,responseMessage,threadName,dataType,success,failureMessage,"
                    + "bytes,sentBytes,grpThreads,allThreads,URL,Latency,IdleTime,Connect\n");
            for (long i = 0; i < lines; i++) {
                int elapsed = 1 + (int) Math.exp(random.nextDouble() * 6);
                boolean failed = random.nextInt(500) == 0;
                out.write((1700000000000L + i / 5) + "," + elapsed + "," + labels[random.nextInt(4)] + ","
                        + (failed ? "502,Bad Gateway" : "200,OK") + ",Thread Group 1-" + random.nextInt(200)
                        + ",text," + !failed + ",," + 1240 + "," + 1890 + ",200,200,https://10.0.0.5:8243/echo/1.0.0,"
                        + Math.max(0, elapsed - 1) + ",0,0\n");
            }
        }
    }

    private static final class Phase {
        private final Map<String, Histogram> labels = new TreeMap<>();
        private long errors;
        private long bytes;
        private long sentBytes;
        private long first = Long.MAX_VALUE;
        private long last;
    }

    /**
     * What the predecessor's jtl-splitter does with its option for a summary, written from its description: lines are cut
     * at commas, each goes to the file of its phase, and to a histogram of two digits per label.
     */
    private static void predecessor(Path file, Path directory) throws Exception {
        Phase[] phases = {new Phase(), new Phase()};
        long skipped = 0;
        long lines = 0;
        try (BufferedReader in = Files.newBufferedReader(file);
                BufferedWriter warmUp = Files.newBufferedWriter(directory.resolve("warmup.jtl"));
                BufferedWriter measurement = Files.newBufferedWriter(directory.resolve("measurement.jtl"))) {
            BufferedWriter[] outs = {warmUp, measurement};
            String header = in.readLine();
            for (BufferedWriter out : outs) {
                out.write(header);
                out.newLine();
            }
            long start = Long.MAX_VALUE;
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                lines++;
                String[] values = line.split(",");
                if (values.length != 17) {
                    skipped++;
                    continue;
                }
                long time = Long.parseLong(values[0]);
                int elapsed = Integer.parseInt(values[1]);
                start = Math.min(start, time);
                int number = time - start <= 300_000 ? 0 : 1;
                Phase phase = phases[number];
                outs[number].write(line);
                outs[number].newLine();
                phase.labels.computeIfAbsent(values[2], name -> new Histogram(3_600_000, 2)).recordValue(elapsed);
                if (!Boolean.parseBoolean(values[7])) {
                    phase.errors++;
                }
                phase.bytes += Integer.parseInt(values[9]);
                phase.sentBytes += Integer.parseInt(values[10]);
                phase.first = Math.min(phase.first, time);
                phase.last = Math.max(phase.last, time + elapsed);
            }
        }
        System.out.println(lines + " lines, " + skipped + " skipped, p99 "
                + phases[1].labels.values().iterator().next().getValueAtPercentile(99) + ", errors " + phases[1].errors
                + ", bytes " + phases[1].bytes + " " + phases[1].sentBytes + ", ms " + (phases[1].last - phases[1].first));
    }

    /** Prints the largest heap after full collections while the file is summarized. */
    private static void memory(Path file) throws Exception {
        double[] most = {0};
        Thread sampler = new Thread(() -> {
            try {
                while (true) {
                    System.gc();
                    most[0] = Math.max(
                            most[0],
                            (Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory()) / 1048576.0);
                    Thread.sleep(50);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        sampler.setDaemon(true);
        sampler.start();
        JtlSummary summary = JtlSummary.of(List.of(file), Duration.ofSeconds(300), JtlStatistics.EXACT);
        System.out.printf(Locale.ROOT, "%d lines: at most %.1f MiB of heap after a full collection%n", summary.lines(), most[0]);
    }
}
