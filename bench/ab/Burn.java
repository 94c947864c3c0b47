/* SPDX-License-Identifier: Apache-2.0 */

import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;

import com.sun.management.OperatingSystemMXBean;

/**
 * Makes a JVM slower that is busy: a thread of its own burns so many percent of the CPU time of the process as the file {@code
 * burn-percent} beside this class says.
 *
 * <p>What the others use is known in ticks of 10 ms, so that it burns about a millisecond at a time.
 */
public final class Burn {

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
        Thread thread = new Thread(() -> burn(part / (1 - part)), "burn");
        thread.setDaemon(true);
        thread.start();
    }

    /** Burns so much for each second that the other threads use. */
    private static void burn(double forEach) {
        OperatingSystemMXBean process = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        while (true) {
            long own = threads.getCurrentThreadCpuTime();
            long due = (long) ((process.getProcessCpuTime() - own) * forEach);
            while (threads.getCurrentThreadCpuTime() < due) {
                Thread.onSpinWait();
            }
            try {
                Thread.sleep(1);
            } catch (InterruptedException e) {
                return;
            }
        }
    }
}
