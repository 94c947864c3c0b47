/* SPDX-License-Identifier: Apache-2.0 */

import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;

import com.sun.management.OperatingSystemMXBean;

/**
 * Makes a JVM slower that is busy: so many threads of its own as the file {@code burn-threads} beside this class says burn so many
 * percent of the CPU time of the process as {@code burn-percent} says.
 *
 * <p>What the process uses is known in ticks of 10 ms, so that about a millisecond is burnt at a time. One thread beside dozens of busy
 * ones gets less of the processor than it has to burn, and burns the rest when they are done.
 */
public final class Burn {

    private Burn() {}

    /** Starts the threads, in a JVM that is told of the agent. */
    public static void premain(String arguments) throws IOException {
        agentmain(arguments);
    }

    /** Starts the threads, in a JVM that runs the jar. */
    public static void agentmain(String arguments) throws IOException {
        double part = number("burn-percent") / 100;
        int count = (int) number("burn-threads");
        for (int i = 0; i < count; i++) {
            Thread thread = new Thread(() -> burn(part / count, count), "burn");
            thread.setDaemon(true);
            thread.start();
        }
    }

    private static double number(String file) throws IOException {
        try (InputStream in = Burn.class.getResourceAsStream(file)) {
            return Double.parseDouble(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    /**
     * Burns that part of what the process uses, this thread included.
     *
     * @param pauseMillis a longer one for each of several threads, so that few wake up where there is nothing to burn
     */
    private static void burn(double part, long pauseMillis) {
        OperatingSystemMXBean process = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        while (true) {
            long due = (long) (process.getProcessCpuTime() * part);
            while (threads.getCurrentThreadCpuTime() < due) {
                Thread.onSpinWait();
            }
            try {
                Thread.sleep(pauseMillis);
            } catch (InterruptedException e) {
                return;
            }
        }
    }
}
