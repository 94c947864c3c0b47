/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A release into a directory, without a key: what would be published is all there, and others can build with it. */
@Tag("full")
class ReleaseIT {

    private static final Path MAVEN = Path.of(System.getProperty("gatebench.maven.home"), "bin", "mvn");
    private static final String DOWNLOADED = System.getProperty("gatebench.local.repository");

    @TempDir
    private Path directory;

    @Test
    void everyModuleHasWhatMavenCentralAsksForAndTheExampleBuildsWithIt() throws Exception {
        Path sources = copyOfTheSources();
        Path released = directory.resolve("released");
        maven(
                sources,
                "-Prelease",
                "-Dquick",
                "-DskipTests",
                "-Dgpg.skip",
                "-DaltDeploymentRepository=directory::" + released.toUri(),
                "-pl",
                "!consumer-check",
                "deploy");

        List<Path> poms = files(released, ".pom");
        assertThat(poms).hasSizeGreaterThan(10);
        for (Path pom : poms) {
            String text = Files.readString(pom);
            assertThat(text)
                    .as(pom.toString())
                    .contains("<name>", "<description>", "<url>", "<license>", "<developer>", "<scm");
            if (!text.contains("<packaging>pom</packaging>")) {
                String jar = pom.toString().replaceAll("\\.pom$", "");
                for (String kind : new String[] {".jar", "-sources.jar", "-javadoc.jar", "-cyclonedx.json"}) {
                    assertThat(Path.of(jar + kind)).exists();
                }
            }
        }
        buildTheExample(sources, released);
    }

    private void buildTheExample(Path sources, Path released) throws Exception {
        Path settings = Files.writeString(directory.resolve("settings.xml"), """
                <settings>
                  <mirrors>
                    <mirror><id>downloaded</id><mirrorOf>central</mirrorOf><url>%s</url></mirror>
                  </mirrors>
                  <profiles>
                    <profile>
                      <id>released</id>
                      <repositories>
                        <repository><id>released</id><url>%s</url></repository>
                      </repositories>
                    </profile>
                  </profiles>
                  <activeProfiles><activeProfile>released</activeProfile></activeProfiles>
                </settings>
                """.formatted(
                        Path.of(DOWNLOADED).toUri(), released.toUri()));
        maven(
                sources.resolve("docs/examples/product-repo"),
                "-s",
                settings.toString(),
                "-Dmaven.repo.local=" + directory.resolve("repository"),
                "test-compile");
    }

    /** The sources as they are here, with what is not committed and without what was built. */
    private Path copyOfTheSources() throws Exception {
        Path copy = directory.resolve("sources");
        Process git = new ProcessBuilder("git", "ls-files", "--cached", "--others", "--exclude-standard")
                .directory(Documents.ROOT.toFile())
                .start();
        String names = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(git.waitFor()).isZero();
        for (String name : names.lines().toList()) {
            Path from = Documents.ROOT.resolve(name);
            if (Files.isRegularFile(from)) {
                Path to = copy.resolve(name);
                Files.createDirectories(to.getParent());
                Files.copy(from, to);
            }
        }
        return copy;
    }

    private static List<Path> files(Path root, String end) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(file -> file.toString().endsWith(end)).toList();
        }
    }

    private void maven(Path where, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(MAVEN.toString(), "-B", "-ntp"));
        command.addAll(List.of(arguments));
        Path log = Files.createTempFile(directory, "maven", ".log");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(where.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process process = builder.start();
        process.getOutputStream().close();
        assertThat(process.waitFor(20, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).as(Files.readString(log)).isZero();
    }
}
