/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The file that every document starts the program with. */
@DisabledOnOs(OS.WINDOWS)
class LauncherIT {

    private static final Path LAUNCHER = Documents.ROOT.resolve("gatebench").toAbsolutePath();
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
        assertThat(run(LAUNCHER, home.toString(), "run").output()).doesNotContain("-XX:");
        environment.put("JAVA_TOOL_OPTIONS", "-XX:+UseG1GC");
        assertThat(run(LAUNCHER, home.toString(), "gc", "a b").output()).doesNotContain("-XX:");
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
