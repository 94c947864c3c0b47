/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

/** GCViewer is LGPL: it stays unmodified and behind one class. */
class ModuleRulesTest {

    @Test
    void onlyTheAdapterTouchesGcViewer() throws IOException {
        try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
            List<String> users = files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> {
                        try {
                            return Files.readString(file).contains("import com.tagtraum");
                        } catch (IOException e) {
                            throw new java.io.UncheckedIOException(e);
                        }
                    })
                    .map(file -> file.getFileName().toString())
                    .toList();
            assertThat(users).containsExactly("GcViewerAdapter.java");
        }
    }
}
