/* SPDX-License-Identifier: Apache-2.0 */

import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;

import com.sun.management.OperatingSystemMXBean;

/**
 * Makes a JVM slower that is busy: threads of its own burn so many percent of the CPU time of the process as the file {@code
 * burn-percent} beside this class says.
 *
 * <p>One is enough as long as it gets the processor. Beside dozens of busy threads it would get less than it has to burn, and burn the rest
 * when they are done: then one after the other helps. What the process uses is known in ticks of 10 ms, so that about a millisecond is
 * burnt at a time.
 */
public final class Burn {

    private static final int THREADS = 8;
    /** What one more thread begins at: more than a tick. */
    private static final long BEHIND_NANOS = 20_000_000;

    private static final long HELP_MILLIS = 20;

    private Burn() {}

    /** Starts the thread, in a JVM that is told of the agent. */
    public static void premain(String arguments) throws IOException {
        agentmain(arguments);
    }

    /** Starts the thread, in a JVM that runs the jar. */
    public static void agentmain(String arguments) throws IOException {
        double part;
        try (InputStream in = Burn.class.getResourceAsStream("burn-percent")) {
            part = Double.parseDouble(new String(in.readAllBytes(), StandardCharsets.UTF_8)) / 100;
        }
        AtomicLong burnt = new AtomicLong();
        for (int i = 0; i < THREADS; i++) {
            int number = i;
            Thread thread = new Thread(() -> burn(part, burnt, number), "burn");
            thread.setDaemon(true);
            thread.start();
        }
    }

    /** Burns that part of what the process uses, all that is burnt included; a later thread only what the ones before it are behind with. */
    private static void burn(double part, AtomicLong burnt, int number) {
        OperatingSystemMXBean process = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long own = threads.getCurrentThreadCpuTime();
        while (true) {
            while (process.getProcessCpuTime() * part - burnt.get() > number * BEHIND_NANOS) {
                long now = threads.getCurrentThreadCpuTime();
                burnt.addAndGet(now - own);
                own = now;
            }
            try {
                Thread.sleep(number == 0 ? 1 : HELP_MILLIS);
            } catch (InterruptedException e) {
                return;
            }
        }
    }
}
