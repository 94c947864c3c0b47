/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What the gate of the example is held against: its script, with a Maven that only says which sources it has built. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the script needs a shell")
class ExampleGateIT {

    @TempDir
    private Path directory;

    @Test
    void buildsTheCommitBeforeWhateverIsInTheWorkingTree() throws Exception {
        Path programs = Files.createDirectories(directory.resolve("bin"));
        Path maven = Files.writeString(
                programs.resolve("mvn"),
                "#!/bin/sh\nmkdir -p target && cp source target/built && echo \"$@\" >target/how\n");
        assertThat(maven.toFile().setExecutable(true)).isTrue();
        // A product may be a part of its repository.
        Path example = Files.createDirectories(directory.resolve("repository/product"));
        Path script = Files.createDirectories(example.resolve("perf")).resolve("previous");
        Files.copy(Documents.ROOT.resolve("docs/examples/product-repo/perf/previous"), script);
        assertThat(script.toFile().setExecutable(true)).isTrue();
        Path source = example.resolve("source");
        git("init", "--quiet");
        for (String text : List.of("first", "second")) {
            Files.writeString(source, text);
            git("add", ".");
            git("commit", "--quiet", "--message=" + text);
        }
        Files.writeString(source, "not committed");
        Path built = example.resolve("target/previous/target");

        assertThat(previous(example, 0)).isEmpty();
        assertThat(built.resolve("built")).hasContent("first");
        assertThat(previous(example, 0, "HEAD", "-o")).isEmpty();
        assertThat(built.resolve("built")).hasContent("second");
        assertThat(built.resolve("how")).hasContent("-q -DskipTests package -o");
        assertThat(previous(example, 1, "v1")).startsWith("there is no commit v1 here; fetch it");
        assertThat(source).hasContent("not committed");
    }

    private void git(String... arguments) throws Exception {
        run(
                directory.resolve("repository"),
                0,
                List.of("git", "-c", "user.name=A", "-c", "user.email=a@example.com"),
                arguments);
    }

    private String previous(Path example, int code, String... arguments) throws Exception {
        return run(example, code, List.of("perf/previous"), arguments);
    }

    private String run(Path where, int code, List<String> program, String... arguments) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(new ArrayList<>(program))
                .directory(where.toFile())
                .redirectErrorStream(true);
        builder.command().addAll(List.of(arguments));
        builder.environment()
                .merge("PATH", directory.resolve("bin").toString(), (path, first) -> first + File.pathSeparator + path);
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isEqualTo(code);
        return output;
    }
}
