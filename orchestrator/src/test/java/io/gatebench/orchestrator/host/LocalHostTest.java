/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(
        value = {OS.LINUX, OS.MAC},
        disabledReason = "the tests start shells")
class LocalHostTest implements HostContract {

    @TempDir
    private Path directory;

    @Override
    public Host open() {
        return new LocalHost(directory.resolve("work"));
    }

    @Override
    public Path scratch() {
        return directory;
    }

    @Test
    void handsOutOnlyCompleteLinesOfAGrowingLog() throws IOException {
        Path log = Files.writeString(directory.resolve("log"), "one\ntwo\nthr");

        HostProcess.Output first = LocalHost.readLines(log, 0);
        Files.writeString(log, "one\ntwo\nthree\n");
        HostProcess.Output second = LocalHost.readLines(log, first.nextOffset());

        assertThat(first.text()).isEqualTo("one\ntwo\n");
        assertThat(second.text()).isEqualTo("three\n");
    }
}
