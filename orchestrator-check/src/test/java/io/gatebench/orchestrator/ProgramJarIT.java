/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What must be in the jar that is published: licences, the replaceable GCViewer, and what scanners look for. */
class ProgramJarIT {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    private ZipFile jar;

    @BeforeEach
    void open() throws IOException {
        jar = new ZipFile(Path.of("../orchestrator/target/orchestrator.jar").toFile());
    }

    @AfterEach
    void close() throws IOException {
        jar.close();
    }

    /** Whatever only a cloud or a cluster needs lies in jars beside it. */
    @Test
    void isSmallerThan90Megabytes() throws IOException {
        assertThat(Files.size(Path.of(jar.getName()))).isLessThan(90_000_000);
    }

    @Test
    void carriesItsLicencesAndNotice() throws IOException {
        assertThat(text("META-INF/LICENSE")).isEqualTo(Files.readString(ROOT.resolve("LICENSE")));
        assertThat(text("META-INF/NOTICE"))
                .contains(Files.readString(ROOT.resolve("NOTICE")).strip());
        assertThat(text("META-INF/licenses/LGPL-2.1.txt")).contains("GNU LESSER GENERAL PUBLIC LICENSE");
    }

    @Test
    void holdsGcViewerUnmodifiedAsAJarOfItsOwn() throws Exception {
        assertThat(names()).noneMatch(name -> name.startsWith("com/tagtraum/"));
        Path published = Path.of(Class.forName("com.tagtraum.perf.gcviewer.GCViewer")
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        assertThat(bytes("lib/gcviewer.jar")).isEqualTo(Files.readAllBytes(published));
    }

    @Test
    void readsALogOfJdk8WithTheNestedGcViewer(@TempDir Path directory) throws Exception {
        Path log = ROOT.resolve("gc-analyzer/src/test/resources/hand-made/jdk8-g1.log");

        Program.Result read = Program.run(directory, "gc", log.toString(), "--format", "json");

        assertThat(read.errorOutput()).isEmpty();
        assertThat(read.exitCode()).isZero();
        assertThat(new ObjectMapper()
                        .readTree(read.output())
                        .at("/0/pauses/count")
                        .asInt())
                .isPositive();
    }

    @Test
    void namesWhatIsInsideForScanners() throws IOException {
        assertThat(names())
                .contains(
                        "META-INF/maven/com.fasterxml.jackson.core/jackson-databind/pom.properties",
                        "META-INF/maven/org.apache.sshd/sshd-core/pom.properties");
    }

    @Test
    void holdsNothingOfTheCloudAndItsPlugInNothingOfTheProgram() throws IOException {
        try (ZipFile plugIn = new ZipFile(
                Path.of("../orchestrator/target/environment-aws.jar").toFile())) {
            Set<String> classes = plugIn.stream()
                    .map(ZipEntry::getName)
                    .filter(name -> name.endsWith(".class"))
                    .collect(Collectors.toSet());

            assertThat(classes).contains("io/gatebench/aws/AwsProvider.class");
            assertThat(names().stream().filter(classes::contains)).isEmpty();
        }
        assertThat(names()).noneMatch(name -> name.startsWith("software/amazon/"));
        assertThat(text("META-INF/MANIFEST.MF")).contains("Class-Path: environment-aws.jar");
    }

    @Test
    void saysWhatToAddWhereThePlugInIsMissing(@TempDir Path directory) throws Exception {
        Path alone =
                Files.copy(Path.of("../orchestrator/target/orchestrator.jar"), directory.resolve("orchestrator.jar"));

        Process listed = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-jar",
                        alone.toString(),
                        "aws",
                        "list")
                .redirectErrorStream(true)
                .start();
        listed.getOutputStream().close();

        assertThat(new String(listed.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .contains("put environment-aws.jar of the same build or release beside orchestrator.jar");
        assertThat(listed.waitFor()).isEqualTo(2);
    }

    private List<String> names() {
        return jar.stream().map(ZipEntry::getName).toList();
    }

    private String text(String name) throws IOException {
        return new String(bytes(name), StandardCharsets.UTF_8);
    }

    private byte[] bytes(String name) throws IOException {
        ZipEntry entry = jar.getEntry(name);
        assertThat(entry).as(name).isNotNull();
        try (InputStream in = jar.getInputStream(entry)) {
            return in.readAllBytes();
        }
    }
}
