/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.hosts;

import java.util.ArrayList;
import java.util.List;

/** A program whose threads end all the time, as those of a JVM's compiler do, for a minute at most. */
final class ThreadChurn {

    static final String RUNNING = "threads come and go";

    private static final int AT_ONCE = 50;

    private ThreadChurn() {}

    /** Starts threads that live for some milliseconds. */
    public static void main(String[] args) throws InterruptedException {
        System.out.println(RUNNING);
        long end = System.nanoTime() + HostContract.SOON.toNanos();
        while (System.nanoTime() < end) {
            List<Thread> threads = new ArrayList<>();
            for (int number = 0; number < AT_ONCE; number++) {
                Thread thread = new Thread(() -> sleep(20));
                thread.start();
                threads.add(thread);
            }
            for (Thread thread : threads) {
                thread.join();
            }
        }
    }

    private static void sleep(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
