/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.gatebench.load.JMeterLoadDriver;
import io.gatebench.load.engine.LoadRequest;
import io.gatebench.load.engine.LoadRunFile;
import io.gatebench.model.DataSize;
import io.gatebench.model.LoadResult;
import io.gatebench.model.MessageLevel;
import io.gatebench.model.PayloadKind;
import io.gatebench.model.ResponseCheck;
import io.gatebench.model.SampleStatistics;
import io.gatebench.model.TestCase;
import io.gatebench.model.TestScenario;
import io.gatebench.model.TestTiming;
import io.gatebench.model.TokenKind;

/**
 * A release into a directory, without a key: what would be published is all there, others can build with it, and the roles
 * start in their images.
 */
@Tag("full")
class ReleaseIT {

    private static final Path MAVEN = Path.of(System.getProperty("gatebench.maven.home"), "bin", "mvn");
    private static final String DOWNLOADED = System.getProperty("gatebench.local.repository");

    @TempDir
    private static Path directory;

    private static Path sources = Path.of("");
    private static Path released = Path.of("");

    @BeforeAll
    static void release() throws Exception {
        sources = copyOfTheSources();
        released = directory.resolve("released");
        maven(
                sources,
                "-Prelease",
                "-Dquick",
                "-DskipTests",
                "-Dgpg.skip",
                "-DaltDeploymentRepository=directory::" + released.toUri(),
                "-Dgatebench.image.base=tar://" + RoleImage.base(sources, directory),
                "-pl",
                "!consumer-check,!skipped-tests",
                "deploy");
    }

    @ParameterizedTest
    @CsvSource({
        "echo-backend,echo-backend",
        "reference-gateway,reference-gateway",
        "synapse-gateway,synapse-gateway",
        "load-generator,orchestrator"
    })
    void theLayoutOfAnImageIsWhatItsDigestsSay(String role, String jar) throws Exception {
        RoleImage image = new RoleImage(sources.resolve("images/target"), role, directory);
        Path root = image.unpack();
        Path built = (role.equals("load-generator") ? sources.resolve("orchestrator") : sources.resolve(role))
                .resolve("target/" + jar + ".jar");
        assertThat(root.resolve("opt/gatebench/" + jar + ".jar")).hasSameBinaryContentAs(built);
        assertThat(files(released, ".pom"))
                .noneMatch(pom -> pom.toString().contains("gatebench-images"))
                .isNotEmpty();
    }

    @Test
    void everyRoleStartsInItsImage() throws Exception {
        Path results = Files.createDirectory(directory.resolve("load"));
        assertThat(results.toFile().setWritable(true, false)).isTrue();
        try (ContainerStore store = ContainerStore.open(directory)) {
            for (String role : List.of("echo-backend", "reference-gateway", "synapse-gateway", "load-generator")) {
                store.load(new RoleImage(sources.resolve("images/target"), role, directory));
            }
            ContainerStore.Running echo = store.start("echo-backend", "--host=127.0.0.1", "--port=0");
            String port = echo.await("echo-backend ready port=(\\d+)");
            store.start("synapse-gateway", "--http-port=0", "--https-port=0", "--backend=http://127.0.0.1:" + port)
                    .await("synapse-gateway ready http=(\\d+)");
            store.start(
                            "reference-gateway",
                            "--gateway.https-port=0",
                            "--gateway.backend=http://127.0.0.1:" + port,
                            "--gateway.introspection-url=http://127.0.0.1:" + port)
                    .await("reference-gateway ready https=(\\d+)");
            request(URI.create("http://127.0.0.1:" + port)).write(results.resolve("request.json"));
            store.start("load-generator", "/gatebench/request.json", "/gatebench")
                    .awaitEnd();
            LoadResult result = LoadRunFile.read(results.resolve(JMeterLoadDriver.LOAD_FILE));
            assertThat(result.measurement()).isNotEmpty();
            for (SampleStatistics figures : result.measurement()) {
                assertThat(figures.samples()).isPositive();
                assertThat(figures.errors()).isZero();
            }
        }
    }

    private static LoadRequest request(URI target) {
        return LoadRequest.of(
                new TestScenario(
                        "echo",
                        "Echo",
                        "An echo.",
                        false,
                        "POST",
                        "/",
                        Map.of(),
                        PayloadKind.JSON_ARRAY,
                        TokenKind.NONE,
                        new ResponseCheck(200, Optional.empty(), true, false),
                        List.of()),
                target,
                new TestCase("echo", DataSize.parse("64M"), 2, MessageLevel.bytes(100), Duration.ZERO),
                new TestTiming(Duration.ofSeconds(3), Duration.ofSeconds(1), Duration.ZERO));
    }

    @Test
    void everyModuleHasWhatMavenCentralAsksForAndTheExampleBuildsWithIt() throws Exception {
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
        buildTheExample();
    }

    @Test
    void everyProgramListsWhatItHolds() throws Exception {
        assertThat(components("orchestrator", "orchestrator"))
                .contains("jackson-databind", "sshd-core", "ApacheJMeter_core", "gcviewer")
                .doesNotContain("cloudformation");
        assertThat(components("orchestrator", "echo-backend")).contains("netty-codec-http");
        assertThat(components("orchestrator", "reference-gateway")).contains("spring-cloud-gateway-server-webflux");
        assertThat(components("orchestrator", "synapse-gateway")).contains("synapse-core", "jettison");
        assertThat(components("environment-aws", "environment-aws")).contains("cloudformation");
        assertThat(components("environment-kubernetes", "environment-kubernetes"))
                .contains("kubernetes-client");
    }

    private static List<String> components(String jar, String part) throws IOException {
        Path program = sources.resolve("orchestrator/target/" + jar + ".jar");
        try (FileSystem contents = FileSystems.newFileSystem(program)) {
            return new ObjectMapper()
                    .readTree(Files.readString(contents.getPath("META-INF/sbom", part + ".cdx.json")))
                    .path("components")
                    .findValuesAsText("name");
        }
    }

    private void buildTheExample() throws Exception {
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
    private static Path copyOfTheSources() throws Exception {
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

    private static void maven(Path where, String... arguments) throws Exception {
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
