/* SPDX-License-Identifier: Apache-2.0 */

import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;

import com.sun.management.OperatingSystemMXBean;

/**
 * Makes a JVM slower that is busy: threads of its own burn so many percent of the CPU time of the process as the file {@code
 * burn-percent} beside this class says.
 *
 * <p>There are several, as one beside dozens of busy threads would get less of the processor than it has to burn, and burn the rest when
 * they are done. What the process uses is known in ticks of 10 ms, so that about a millisecond is burnt at a time.
 */
public final class Burn {

    private static final int THREADS = 8;

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
        for (int i = 0; i < THREADS; i++) {
            Thread thread = new Thread(() -> burn(part / THREADS), "burn");
            thread.setDaemon(true);
            thread.start();
        }
    }

    /** Burns that part of what the process uses, this thread included. */
    private static void burn(double part) {
        OperatingSystemMXBean process = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        while (true) {
            long due = (long) (process.getProcessCpuTime() * part);
            while (threads.getCurrentThreadCpuTime() < due) {
                Thread.onSpinWait();
            }
            try {
                // Few threads wake up at a time where there is nothing to burn.
                Thread.sleep(THREADS);
            } catch (InterruptedException e) {
                return;
            }
        }
    }
}
