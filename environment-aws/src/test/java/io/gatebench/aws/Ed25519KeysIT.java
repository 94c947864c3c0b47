/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.aws;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class Ed25519KeysIT {

    @TempDir
    private Path directory;

    @Test
    void openSshDerivesThePublicKeyFromThePrivateOne() throws Exception {
        Ed25519Keys keys = Ed25519Keys.create("a comment", new SecureRandom());
        Path file = Files.createFile(
                directory.resolve("key"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(file, keys.privateKey());
        Process process;
        try {
            process = new ProcessBuilder("ssh-keygen", "-y", "-f", file.toString())
                    .redirectErrorStream(true)
                    .start();
        } catch (IOException e) {
            assumeTrue(false, "ssh-keygen is not there; install openssh-client");
            return;
        }
        String answer = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(answer.trim()).isEqualTo(keys.publicKey());
        assertThat(keys.publicKey()).startsWith("ssh-ed25519 ").endsWith(" a comment");
    }

    @Test
    void doesNotTellItsSecret() {
        assertThat(Ed25519Keys.create("x", new SecureRandom()).toString()).doesNotContain("PRIVATE");
    }
}
