/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MachineLockIT {

    private static final Duration NOT_LONG = Duration.ofMillis(250);

    @TempDir
    private Path directory;

    @Test
    void refusesASecondMeasurementOfThisJvmAndNamesTheFirst() {
        Path file = directory.resolve("lock");

        MachineLock first = MachineLock.take(file, NOT_LONG);
        try {
            assertThatIllegalStateException()
                    .isThrownBy(() -> MachineLock.take(file, NOT_LONG))
                    .withMessageContaining("process " + ProcessHandle.current().pid())
                    .withMessageContaining("one after the other");
        } finally {
            first.release();
        }
    }

    /** As in a build tool that runs modules at the same time, with another set of jars for each. */
    @Test
    void refusesASecondMeasurementOfAnotherClassLoader() throws Exception {
        Path file = directory.resolve("lock");
        URL[] jars = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(entry -> {
                    try {
                        return Path.of(entry).toUri().toURL();
                    } catch (MalformedURLException e) {
                        throw new UncheckedIOException(e);
                    }
                })
                .toArray(URL[]::new);
        try (URLClassLoader other = new URLClassLoader(jars, ClassLoader.getPlatformClassLoader())) {
            Method take =
                    other.loadClass(MachineLock.class.getName()).getDeclaredMethod("take", Path.class, Duration.class);
            take.setAccessible(true);

            MachineLock first = MachineLock.take(file, NOT_LONG);
            try {
                assertThatThrownBy(() -> take.invoke(null, file, NOT_LONG))
                        .cause()
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("another measurement runs on this machine (process "
                                + ProcessHandle.current().pid());
            } finally {
                first.release();
            }
        }
    }

    @Test
    void letsTheNextOneInWhenTheFirstHasEnded() {
        Path file = directory.resolve("lock");

        MachineLock.take(file, NOT_LONG).release();
        MachineLock.take(file, NOT_LONG).release();
    }

    @Test
    void followsNoLink() throws IOException {
        Path precious = Files.writeString(directory.resolve("precious"), "kept");
        Path link = Files.createSymbolicLink(directory.resolve("lock"), precious);

        assertThatThrownBy(() -> MachineLock.take(link, NOT_LONG)).isInstanceOf(UncheckedIOException.class);

        assertThat(precious).hasContent("kept");
        MachineLock.take(directory.resolve("another"), NOT_LONG).release();
    }

    @Test
    void liesWhereNobodyElseCanPutAnything() {
        assertThat(MachineLock.file()).startsWithRaw(Path.of(System.getProperty("user.home")));
    }

    @Test
    void refusesASecondMeasurementOfAnotherJvmUntilThatHasDied() throws IOException, InterruptedException {
        Path file = directory.resolve("lock");
        Path holder = Files.writeString(directory.resolve("Holder.java"), """
                public class Holder {
                    public static void main(String[] args) throws Exception {
                        var channel = java.nio.channels.FileChannel.open(java.nio.file.Path.of(args[0]),
                                java.nio.file.StandardOpenOption.CREATE, java.nio.file.StandardOpenOption.WRITE);
                        var lock = channel.lock();
                        System.out.println("holds " + lock.isValid());
                        Thread.sleep(60_000);
                    }
                }
                """);
        Process other = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        holder.toString(),
                        file.toString())
                .redirectErrorStream(true)
                .start();
        try (BufferedReader output = other.inputReader()) {
            org.assertj.core.api.Assertions.assertThat(output.readLine()).isEqualTo("holds true");
            assertThatIllegalStateException().isThrownBy(() -> MachineLock.take(file, NOT_LONG));
        } finally {
            other.destroyForcibly().waitFor();
        }

        MachineLock.take(file, Duration.ofSeconds(10)).release();
    }
}
