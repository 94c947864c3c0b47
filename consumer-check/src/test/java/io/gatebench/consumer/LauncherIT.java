/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The file that every document starts the program with. */
@DisabledOnOs(OS.WINDOWS)
class LauncherIT {

    private static final Path LAUNCHER = Documents.ROOT.resolve("gatebench").toAbsolutePath();
    private static final Path PROGRAM = Documents.ROOT
            .resolve("orchestrator/target/orchestrator.jar")
            .toAbsolutePath()
            .normalize();
    private static final String JAVA_HOME = System.getProperty("java.home");

    @TempDir
    private Path directory;

    private final Map<String, String> environment = new HashMap<>();

    private record Ended(int status, String output) {}

    @Test
    void startsTheProgramThroughALinkFromAnyDirectory() throws Exception {
        Path link = Files.createSymbolicLink(directory.resolve("gb"), LAUNCHER);
        Path second = Files.createSymbolicLink(directory.resolve("gb2"), link.getFileName());

        Ended ended = run(second, JAVA_HOME, "version");

        assertThat(ended.output()).startsWith("Gatebench ");
        assertThat(ended.status()).isZero();
    }

    @Test
    void handsOverWhatIsQuotedAndTheExitCode() throws Exception {
        Ended ended = run(LAUNCHER, JAVA_HOME, "gc", "no such $file '1'");

        assertThat(ended.output()).contains("no such $file '1'");
        assertThat(ended.status()).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource({"1.8.0_392", "11.0.2", "16"})
    void refusesAnOldJavaInOneLine(String version) throws Exception {
        Path home = javaThatSays("openjdk version \"" + version + "\" 2024-01-16");

        Ended ended = run(LAUNCHER, home.toString(), "version");

        assertThat(ended.output().lines())
                .containsExactly("gatebench: " + home + "/bin/java is Java " + version
                        + "; Java 17 or later is needed: install it, or set JAVA_HOME");
        assertThat(ended.status()).isEqualTo(2);
    }

    @Test
    void saysThatThereIsNoJava() throws Exception {
        Ended ended = run(LAUNCHER, directory.resolve("none").toString(), "version");

        assertThat(ended.output().lines()).hasSize(1).first().asString().contains("Java 17 or later is needed");
        assertThat(ended.status()).isEqualTo(2);
    }

    @Test
    void saysHowToBuildWhatIsNotBuilt() throws Exception {
        Path copy = Files.copy(LAUNCHER, directory.resolve("gatebench"));

        Ended ended = run(copy, JAVA_HOME, "version");

        assertThat(ended.output().lines()).hasSize(1).first().asString().contains("mvn -q package -DskipTests");
        assertThat(ended.status()).isEqualTo(2);
    }

    @Test
    void startsShortCommandsQuicklyAndLeavesTheOthersAndTheUsersOwnOptionsAlone() throws Exception {
        Path home = directory.resolve("jdk");
        Path java = Files.createDirectories(home.resolve("bin")).resolve("java");
        Files.writeString(java, "#!/bin/sh\necho \"$@\"\n");
        assertThat(java.toFile().setExecutable(true)).isTrue();
        Files.writeString(home.resolve("release"), "JAVA_VERSION=\"17.0.1\"\n");

        assertThat(run(LAUNCHER, home.toString(), "gc", "a b").output())
                .startsWith("-XX:+IgnoreUnrecognizedVMOptions -XX:TieredStopAtLevel=1 -XX:+UseSerialGC ")
                .endsWith(" gc a b\n");
        assertThat(run(LAUNCHER, home.toString(), "report", "results").output())
                .startsWith("-XX:+IgnoreUnrecognizedVMOptions -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xms64m "
                        + "-XX:MinHeapFreeRatio=10 -XX:MaxHeapFreeRatio=20 ")
                .contains(" -jar ")
                .endsWith(" report results\n");
        assertThat(run(LAUNCHER, home.toString(), "run").output()).doesNotContain("-XX:");
        environment.put("JAVA_TOOL_OPTIONS", "-XX:+UseG1GC");
        assertThat(run(LAUNCHER, home.toString(), "gc", "a b").output()).doesNotContain("-XX:");
        assertThat(run(LAUNCHER, home.toString(), "report", "results").output()).doesNotContain("-X");
    }

    /** These two run by another class path than the others, unless the user has options of their own for the JVM. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "gc --compat LOG",
                "gc --html page.html LOG",
                "gc @arguments",
                "gc --format json --chart heap.svg --pause-chart pauses.svg --histogram pauses.svg --events events.csv LOG",
                "gc --help",
                "summarize --statistics wso2 samples.jtl",
                "summarize --format json samples.jtl",
                "summarize --help"
            })
    void saysTheSameByTheQuickClassPath(String words) throws Exception {
        String log = Documents.ROOT
                .resolve("gc-analyzer/src/test/resources/gc-logs/jdk17-g1-utctime.log.gz")
                .toAbsolutePath()
                .toString();
        Files.writeString(
                directory.resolve("samples.jtl"), "timeStamp,elapsed,label,success\n1700000000000,5,a,true\n");
        Files.writeString(directory.resolve("arguments"), "--html page.html " + log);
        String[] arguments = words.replace("LOG", log).split(" ");

        Ended quick = run(LAUNCHER, JAVA_HOME, arguments);
        environment.put("JDK_JAVA_OPTIONS", "-XX:TieredStopAtLevel=1");
        Ended plain = run(LAUNCHER, JAVA_HOME, arguments);

        assertThat(plain.output())
                .isEqualTo("NOTE: Picked up JDK_JAVA_OPTIONS: -XX:TieredStopAtLevel=1\n" + quick.output());
        assertThat(quick.status()).isZero();
    }

    @Test
    void saysTheVersion() throws Exception {
        Ended version = run(LAUNCHER, JAVA_HOME, "--version");

        assertThat(version.output())
                .startsWith("Gatebench ")
                .isEqualTo(run(LAUNCHER, JAVA_HOME, "version").output());
        assertThat(version.status()).isZero();
    }

    @Test
    void findsAProductInAJarBesideTheProgram() throws Exception {
        Path copy = Files.copy(LAUNCHER, directory.resolve("gatebench"));
        // The JVM would look beside the file that a link leads to.
        Files.copy(PROGRAM, directory.resolve("orchestrator.jar"));
        Path jar = Files.createDirectories(directory.resolve("plugins")).resolve("flow-product.jar");
        Path example = Documents.ROOT.resolve("docs/examples/product/src/main");
        packed(example, jar);

        Ended estimate = run(copy, JAVA_HOME, "--product", "flow", "--users", "2", "--estimate");
        assertThat(estimate.output()).startsWith("passthrough/128M_heap/2_users/1024B/0ms_sleep\n");
        assertThat(estimate.status()).isZero();

        Files.delete(jar);
        packed(example.resolve("resources"), jar);
        Ended broken = run(copy, JAVA_HOME, "products");
        assertThat(broken.output().lines())
                .singleElement()
                .asString()
                .contains("cannot be used", "Provider com.example.flow.FlowProduct not found", "take its jar away");
        assertThat(broken.status()).isEqualTo(2);
    }

    /** Makes the jar of a project's main sources, or of its resources alone. */
    private void packed(Path sources, Path jar) throws IOException {
        Path classes = Files.createTempDirectory(directory, "classes");
        List<String> arguments = new ArrayList<>(
                List.of("-proc:none", "-d", classes.toString(), "-cp", System.getProperty("java.class.path")));
        int before = arguments.size();
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            try (Stream<Path> files = Files.walk(sources)) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    if (file.toString().endsWith(".java")) {
                        arguments.add(file.toString());
                    } else {
                        put(out, "META-INF/services/" + file.getFileName(), file);
                    }
                }
            }
            if (arguments.size() > before) {
                assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new)))
                        .isZero();
            }
            try (Stream<Path> files = Files.walk(classes)) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    put(out, classes.relativize(file).toString(), file);
                }
            }
        }
    }

    private static void put(JarOutputStream out, String name, Path file) throws IOException {
        out.putNextEntry(new JarEntry(name));
        Files.copy(file, out);
        out.closeEntry();
    }

    private Path javaThatSays(String version) throws IOException {
        Path home = directory.resolve("jdk");
        Path java = Files.createDirectories(home.resolve("bin")).resolve("java");
        Files.writeString(java, "#!/bin/sh\necho '" + version + "' >&2\n");
        assertThat(java.toFile().setExecutable(true)).isTrue();
        return home;
    }

    private Ended run(Path launcher, String javaHome, String... arguments) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(launcher.toString());
        builder.command().addAll(List.of(arguments));
        builder.environment().keySet().removeAll(List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS"));
        builder.environment().put("JAVA_HOME", javaHome);
        builder.environment().putAll(environment);
        Process process =
                builder.directory(directory.toFile()).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        return new Ended(process.exitValue(), output);
    }
}
