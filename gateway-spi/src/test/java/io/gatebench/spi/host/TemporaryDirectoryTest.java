/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.spi.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.UUID;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
class TemporaryDirectoryTest {

    private final String prefix = "gatebench-test-" + UUID.randomUUID() + "-";

    @TempDir
    private Path elsewhere;

    @Test
    void removesWhatAProcessThatIsGoneHasLeft() throws IOException {
        Path left = Files.createTempDirectory(prefix + "0-");
        Files.createFile(left.resolve(".lock"));
        Files.writeString(Files.createDirectory(left.resolve("stack-1")).resolve("jwt.csv"), "token");

        try (TemporaryDirectory directory = TemporaryDirectory.create(prefix)) {
            assertThat(left).doesNotExist();
            assertThat(directory.path()).isDirectory();
        }
    }

    @Test
    void leavesWhatIsStillUsedOrIsNotItsOwn() throws IOException {
        Path beingMade = Files.createTempDirectory(prefix + "0-");
        Files.createFile(elsewhere.resolve(".lock"));
        Path link = Files.createSymbolicLink(beingMade.resolveSibling(prefix + "0-link"), elsewhere);
        try (TemporaryDirectory first = TemporaryDirectory.create(prefix);
                TemporaryDirectory second = TemporaryDirectory.create(prefix)) {
            assertThat(first.path()).isDirectory().isNotEqualTo(second.path());
            assertThat(beingMade).isDirectory();
            assertThat(elsewhere.resolve(".lock")).exists();
        } finally {
            Files.delete(beingMade);
            Files.delete(link);
        }
    }

    @Test
    void isReadByItsUserAloneAndGoesWithEverythingInIt() throws IOException {
        Path path;
        try (TemporaryDirectory directory = TemporaryDirectory.create(prefix)) {
            path = directory.path();
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                    .isEqualTo("rwx------");
            Files.writeString(Files.createDirectory(path.resolve("a")).resolve("b"), "key");
        }

        assertThat(path).doesNotExist();
    }
}
