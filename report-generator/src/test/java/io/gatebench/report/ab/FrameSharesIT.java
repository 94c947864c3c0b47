/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.ab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.time.Duration;

import jdk.jfr.Recording;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FrameSharesIT {

    @TempDir
    private Path directory;

    /** Keeps the compiler from leaving the work out. */
    private volatile double result;

    private void spin(double seed) {
        double value = seed;
        for (int i = 0; i < 20_000; i++) {
            value += Math.sqrt(value + i);
        }
        result = value;
    }

    private void common() {
        spin(1);
    }

    private void added() {
        spin(2);
    }

    private Path recorded(String name, boolean withAdded) throws IOException {
        Path file = directory.resolve(name);
        try (Recording recording = new Recording()) {
            recording.enable("jdk.ExecutionSample").withPeriod(Duration.ofMillis(10));
            recording.start();
            // Processor time, not time: other programs that take turns with this one take samples from it too.
            ThreadMXBean threads = ManagementFactory.getThreadMXBean();
            long end =
                    threads.getCurrentThreadCpuTime() + Duration.ofMillis(700).toNanos();
            while (threads.getCurrentThreadCpuTime() < end) {
                common();
                if (withAdded) {
                    added();
                }
            }
            recording.stop();
            recording.dump(file);
        }
        return file;
    }

    @Test
    void namesTheMethodThatWasAdded() throws IOException {
        FrameShares shares = FrameShares.of(recorded("a.jfr", false), recorded("b.jfr", true));

        assertThat(shares.samplesA()).isPositive();
        assertThat(shares.samplesB()).isPositive();
        assertThat(shares.frames())
                .filteredOn(frame -> frame.method().equals(FrameSharesIT.class.getName() + ".added"))
                .singleElement()
                .satisfies(frame -> {
                    assertThat(frame.a()).isZero();
                    assertThat(frame.b()).isBetween(0.2, 0.8);
                });
        assertThat(shares.frames())
                .filteredOn(frame -> frame.method().equals(FrameSharesIT.class.getName() + ".common"))
                .singleElement()
                .satisfies(frame -> assertThat(frame.b()).isLessThan(frame.a()));
    }

    @Test
    void findsNothingInTheSameRecording() throws IOException {
        Path one = recorded("a.jfr", true);

        assertThat(FrameShares.of(one, one).frames()).isEmpty();
    }
}
