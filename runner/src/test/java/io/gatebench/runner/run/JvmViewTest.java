/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.gatebench.model.DataSize;
import io.gatebench.model.JvmResources;

/** The lines are those that JDK 17 writes in a container of 512 MiB and half a processor. */
class JvmViewTest {

    private static final String HEAD = """
            [2026-11-22T21:15:33.561+0000][0.035s][info ][gc,init] Version: 17.0.15+6-Debian-1deb12u1 (release)
            [2026-11-22T21:15:33.561+0000][0.035s][info ][gc,init] CPUs: 2 total, 1 available
            [2026-11-22T21:15:33.561+0000][0.035s][info ][gc,init] Memory: 512M
            """;

    @TempDir
    private Path directory;

    private Optional<JvmView> read(String text) throws IOException {
        return JvmView.read(Files.writeString(directory.resolve("gc.log"), text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Heap Max Capacity: 256M", "Max Capacity: 256M"})
    void readsTheHeadOfTheLog(String heap) throws IOException {
        assertThat(read(HEAD + "[2026-11-22T21:15:33.561+0000][0.035s][info ][gc,init] " + heap + "\n"))
                .contains(new JvmView(2, 1, DataSize.parse("512M"), DataSize.parse("256M")));
    }

    @Test
    void knowsNothingWithoutThoseLines() throws IOException {
        assertThat(read(HEAD)).isEmpty();
        assertThat(read("0.123: [GC (Allocation Failure) 1024K->512K(2048K), 0.01 secs]\n"))
                .isEmpty();
        assertThat(JvmView.read(directory.resolve("none.log"))).isEmpty();
    }

    @Test
    void plansWholeProcessorsNoMoreThanThereAre() {
        JvmView view = new JvmView(4, 2, DataSize.parse("512M"), DataSize.parse("256M"));

        assertThat(view.beside(0, List.of(OptionalDouble.of(1.5)), Optional.of(DataSize.parse("512M"))))
                .isEqualTo(new JvmResources(
                        2, 2, DataSize.parse("512M"), Optional.of(DataSize.parse("512M")), DataSize.parse("256M")));
        assertThat(view.beside(0, List.of(OptionalDouble.of(9)), Optional.empty()))
                .isEqualTo(new JvmResources(2, 4, DataSize.parse("512M"), Optional.empty(), DataSize.parse("256M")));
        // A pack with a set of three and a limit of one.
        assertThat(view.beside(3, List.of(OptionalDouble.empty(), OptionalDouble.of(1)), Optional.empty())
                        .plannedProcessors())
                .isEqualTo(1);
    }
}
