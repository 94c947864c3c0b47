/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.aws;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.gatebench.model.cloud.CloudException;

class JournalTest {

    @TempDir
    private Path root;

    private final TickingClock clock = new TickingClock();

    private Journal create() {
        return Journal.create(
                root,
                new Journal.Head(
                        "abcd1234",
                        "123456789012",
                        "eu-west-1",
                        clock.instant(),
                        clock.instant().plusSeconds(60)),
                clock);
    }

    @Test
    void keepsWhatWasWrittenAndStandsATornEnd() throws IOException {
        try (Journal journal = create()) {
            journal.write("intended", "stack", "a");
            journal.write("done", "stack", "a");
        }
        Path directory = Journal.runs(root).get(0);
        Files.writeString(directory.resolve("journal.jsonl"), "{\"at\": \"2026", StandardOpenOption.APPEND);
        try (Journal journal = Journal.open(directory, clock)) {
            assertThat(journal.head().account()).isEqualTo("123456789012");
            assertThat(journal.head().end()).isEqualTo(clock.instant().plusSeconds(60));
            assertThat(journal.lines())
                    .containsExactly(
                            new Journal.Line("intended", "stack", "a"),
                            new Journal.Line("done", "stack", "a"),
                            new Journal.Line("torn", "", ""));
        }
    }

    @Test
    void isHeldByOne() {
        try (Journal journal = create()) {
            assertThatThrownBy(() -> Journal.open(journal.directory(), clock))
                    .isInstanceOf(CloudException.class)
                    .hasMessageContaining("abcd1234 is at work");
        }
        Journal.open(root.resolve("abcd1234"), clock).close();
    }

    @Test
    void aHalfMadeDirectoryIsNoRun() throws IOException {
        Files.createDirectories(root.resolve(".new-1"));
        assertThat(Journal.runs(root)).isEmpty();
        assertThat(Journal.runs(root.resolve("none"))).isEmpty();
    }
}
