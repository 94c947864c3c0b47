/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.spi.role;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The jar that is made of the program holds what the back end's own runnable jar holds, and the program not the latter. */
class EchoJarOfTheProgramIT {

    private static final Path PROGRAM = Path.of("../orchestrator/target/orchestrator.jar");

    @Test
    void holdsAllClassesOfTheRunnableJar(@TempDir Path directory) throws IOException {
        assertThat(EchoJar.isIn(PROGRAM)).isTrue();
        Path made = directory.resolve("echo-backend.jar");

        EchoJar.write(PROGRAM, made);

        Set<String> runnable = names(Path.of("../echo-backend/target/echo-backend.jar"));
        assertThat(names(made))
                .containsAll(runnable.stream()
                        .filter(name -> name.endsWith(".class")
                                || name.startsWith("META-INF/native/lib")
                                || name.startsWith("META-INF/services/org.slf4j"))
                        .toList());
        assertThat(names(PROGRAM)).doesNotContain("roles/echo-backend.jar");
    }

    private static Set<String> names(Path jar) throws IOException {
        try (JarFile file = new JarFile(jar.toFile())) {
            return file.stream().map(ZipEntry::getName).collect(Collectors.toSet());
        }
    }
}
